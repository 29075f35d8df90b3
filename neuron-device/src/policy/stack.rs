//! The decision which stack a kernel runs on (`docs/machine.md`, section 10).

/// Bytes of stack an op asks for that says nothing about it.
///
/// ```
/// use neuron_device::{DEFAULT_STACK_SIZE, prelude::*};
/// #[custom_op]
/// fn shallow(q7: &Q7, x: &Tensor) -> Result<Tensor> { q7.empty_like(x) }
/// #[custom_op(stack_size = 65536)]
/// fn deep(q7: &Q7, x: &Tensor) -> Result<Tensor> { q7.empty_like(x) }
/// assert_eq!((op!(shallow).stack_size(), op!(deep).stack_size()), (DEFAULT_STACK_SIZE, 65536));
/// ```
pub const DEFAULT_STACK_SIZE: u32 = 4196;

/// The most bytes of stack an op can ask for: 4 MiB, as the header has it that was read. The documents say 400 KB
/// (`docs/machine.md`, section 12).
///
/// ```
/// assert_eq!(neuron_device::MAX_STACK_SIZE, 4 << 20);
/// ```
pub const MAX_STACK_SIZE: u32 = 4 << 20;

/// What a stack in HBM begins at a multiple of.
pub(crate) const ALIGN: u64 = 64;

/// Bytes on top of a stack in HBM that hold the context to come back to.
const CONTEXT: u64 = 128;

/// Where a core's own stack is, and how far it has come: what its registers say when a launch begins.
///
/// ```
/// use neuron_device::StackRegisters;
/// let registers = StackRegisters { pointer: 0x9F00, limit: 0x8000, most: 4 << 20 };
/// assert_eq!(registers.remaining(), 0x1F00);
/// // A core whose pointer has passed its limit has nothing left.
/// assert_eq!(StackRegisters { pointer: 0x7FF0, ..registers }.remaining(), 0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackRegisters {
    /// The stack pointer, a local address.
    pub pointer: u32,
    /// The instruction that moves it below this address traps: ISL.
    pub limit: u32,
    /// The most bytes an op may ask for.
    pub most: u32,
}

impl StackRegisters {
    /// A stack without an end, as far as anybody knows: no op is switched.
    pub const UNLIMITED: Self = Self { pointer: u32::MAX, limit: 0, most: MAX_STACK_SIZE };

    /// Bytes that are left.
    pub const fn remaining(self) -> u32 {
        self.pointer.saturating_sub(self.limit)
    }
}

/// Where a kernel's stack is.
///
/// ```
/// use neuron_device::StackKind;
/// assert_eq!([StackKind::Local, StackKind::Hbm].map(StackKind::name), ["local", "hbm"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StackKind {
    /// The core's own.
    Local,
    /// A block of the op's HBM heap.
    Hbm,
}

impl StackKind {
    /// Its name in JSON and in text.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Hbm => "hbm",
        }
    }
}

/// The stack a kernel runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stack {
    /// Where it is.
    pub kind: StackKind,
    /// Bytes it has before the hardware's limit stops the core.
    pub bytes: u32,
}

/// The stack of an op that asks for `asked` bytes. `None` if they are more than it may ask for, or none.
pub(crate) const fn choose(registers: StackRegisters, asked: u32) -> Option<Stack> {
    if asked == 0 || asked > registers.most {
        return None;
    }
    let remaining = registers.remaining();
    Some(if remaining < asked {
        Stack { kind: StackKind::Hbm, bytes: asked }
    } else {
        Stack { kind: StackKind::Local, bytes: remaining }
    })
}

/// Bytes of HBM that a stack of `bytes` bytes takes: a whole number of aligned pieces, and the context on top.
pub(crate) const fn hbm_bytes(bytes: u32) -> u64 {
    (bytes as u64).next_multiple_of(ALIGN) + CONTEXT
}

#[cfg(test)]
mod tests;
