//! The stack a simulated kernel runs on: as large as the device's, and watched.
//!
//! A host's frames are not a device's: its pointers are twice as wide, and a build without optimisation keeps everything
//! in memory. So a byte of the device's stack stands for some bytes of the host's, [`DEFAULT_HOST_STACK_BYTES`], and what
//! is said of a stack here is an estimate. What the simulator itself needs runs on the host's own stack and is not counted.

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod mapped;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod trap;

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
#[path = "stack/switched.rs"]
mod running;
#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
#[path = "stack/unswitched.rs"]
mod running;

pub(super) use self::running::{Parent, Stacks};

use neuron_device::{MAX_STACK_SIZE, Op, Stack, StackKind, StackRegisters};
use serde::{Deserialize, Serialize};

use crate::error::SimulatorError;
use crate::fault::{Fault, Line, Part, Severity, Verdict};
use crate::profile::Profile;

/// Bytes of a core's own stack (`docs/machine.md`, section 10): about 8 KiB, of which the launcher leaves all to the op here.
///
/// ```
/// use neuron_device::DEFAULT_STACK_SIZE;
/// // An op that asks for nothing else is not switched.
/// assert!(DEFAULT_STACK_SIZE < neuron_host_sim::DEFAULT_LOCAL_STACK);
/// ```
pub const DEFAULT_LOCAL_STACK: u32 = 8 << 10;

/// Bytes of the host's stack that stand for a byte of the device's; see [`StackSettings`].
///
/// ```
/// use neuron_host_sim::{DEFAULT_HOST_STACK_BYTES, StackSettings};
/// assert_eq!(StackSettings::default().host_bytes, DEFAULT_HOST_STACK_BYTES);
/// ```
pub const DEFAULT_HOST_STACK_BYTES: u32 = if cfg!(debug_assertions) { 16 } else { 2 };

/// The most bytes of the host's stack that can stand for a byte of the device's.
const MOST_HOST_BYTES: u32 = 64;

/// Where a launch's registers say that a core's own stack ends. Where it is on the machine is not public.
const LIMIT: u32 = 0x8000;

/// What stacks kernels have; see [`SimulatorBuilder::stack`](crate::SimulatorBuilder::stack).
///
/// A kernel runs on a stack of its own, with a page behind it that nobody may touch: the core's own stack, or, where an op
/// asks for more than that has left, one in HBM of the size it asks for (`docs/machine.md`, section 10). A host's frames are
/// larger than a device's, so a byte of the device's stack stands for `host_bytes` of the host's. What is true of every
/// byte of an array, which is as large there as here, is therefore found late: with 2 host bytes, a kernel may have
/// an array of twice its stack. The opposite, a stack too small for what fits on the device, would be a false alarm.
///
/// ```
/// use neuron_device::{StackKind, prelude::*};
/// use neuron_host_sim::{HostTensor, Outcome, Simulator, StackSettings, Verdict, args};
///
/// /// Needs a frame for each element.
/// #[inline(never)]
/// fn sum(x: &Tensor, q7: &Q7, i: u64) -> Result<f32> {
///     if i == x.numel() { return Ok(0.0) }
///     Ok(std::hint::black_box(x.elements::<f32>(q7)?.get(i) + sum(x, q7, i + 1)?))
/// }
/// #[custom_op]
/// fn total(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
///     Ok(out.elements_mut::<f32>(q7)?.set(0, sum(x, q7, 0)?))
/// }
/// # fn one(_: &[TensorSpec]) -> Result<TensorSpec> { TensorSpec::new(Dtype::F32, &[1]) }
/// let stack = StackSettings { local: 8192, ..StackSettings::default() };
/// let mut sim = Simulator::builder().cores(1).stack(stack).build()?;
/// let report = sim.launch(op!(total), &args![&HostTensor::zeros(Dtype::F32, &[9])?])?;
/// # if cfg!(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))) {
/// let used = report.stacks()[0];
/// assert_eq!((used.kind, used.limit), (StackKind::Local, 8192));
/// assert!(0 < used.used && used.used < 8192);
///
/// let report = sim.launch(op!(total), &args![&HostTensor::zeros(Dtype::F32, &[100_000])?])?;
/// assert_eq!(report.cores()[0].outcome, Outcome::StackOverflow);
/// assert_eq!(report.faults()[0].verdict, Verdict::StackOverflow);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct StackSettings {
    /// Bytes that are left of a core's own stack when an op begins. Default: [`DEFAULT_LOCAL_STACK`].
    pub local: u32,
    /// The most bytes an op may ask for. Default: [`MAX_STACK_SIZE`]. Under [`Documented`](crate::Profile::Documented) it is
    /// 400000, if not less.
    pub most: u32,
    /// Bytes of the host's stack that stand for a byte of the device's, 1 to 64. Default: [`DEFAULT_HOST_STACK_BYTES`], 2
    /// in an optimised build and 16 in one that is not, whose frames are that much larger.
    pub host_bytes: u32,
}

impl Default for StackSettings {
    fn default() -> Self {
        Self { local: DEFAULT_LOCAL_STACK, most: MAX_STACK_SIZE, host_bytes: DEFAULT_HOST_STACK_BYTES }
    }
}

impl StackSettings {
    /// Can there be such stacks?
    pub(crate) fn checked(self) -> Result<Self, SimulatorError> {
        if self.host_bytes == 0 || self.host_bytes > MOST_HOST_BYTES {
            return Err(SimulatorError::HostStackBytes { asked: self.host_bytes, most: MOST_HOST_BYTES });
        }
        match self.local.max(self.most) {
            most if most > MAX_STACK_SIZE => Err(SimulatorError::Stack { asked: most, most: MAX_STACK_SIZE }),
            _ => Ok(self),
        }
    }

    /// What the registers say when an op begins.
    pub(super) fn registers(self, profile: Profile) -> StackRegisters {
        let most = self.most.min(profile.most_stack());
        StackRegisters { pointer: LIMIT + self.local, limit: LIMIT, most }
    }

    /// Bytes of the host's that stand for so many of the device's.
    fn on_host(self, bytes: u32) -> usize {
        bytes as usize * self.host_bytes as usize
    }

    /// Bytes of the device's, rounded up, that so many of the host's stand for.
    fn on_device(self, host: usize) -> u32 {
        u32::try_from(host.div_ceil(self.host_bytes as usize)).unwrap_or(u32::MAX)
    }
}

/// What a core's kernel used of its stack.
///
/// ```
/// use neuron_device::prelude::*;
/// use neuron_host_sim::{HostTensor, Simulator, args};
/// # #[custom_op]
/// # fn nothing(_q7: &Q7, _x: &Tensor, _out: &mut Tensor) -> Result<()> { Ok(()) }
/// // A kernel that does nothing:
/// let report = Simulator::new()?.launch(op!(nothing), &args![&HostTensor::scalar(1.0f32)])?;
/// assert!(report.stacks().iter().all(|stack| stack.used <= stack.limit));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackUse {
    /// The core's own, or one in HBM.
    pub kind: StackKind,
    /// Bytes it has, of the device's.
    pub limit: u32,
    /// How far down it was written: bytes of the device's, as far as [the host](StackSettings) can tell, by this launch or
    /// an earlier one of those that ran the same op on this core before any other. On a host where kernels are not switched,
    /// 0.
    pub used: u32,
}

/// Run nothing on a stack of a kernel's own, so many times: what a launch pays for it, a core. For `cargo xtask bench`.
#[doc(hidden)]
pub fn switch_and_back(times: u32) {
    let (mut stacks, parent) = (Stacks::default(), Parent::default());
    let stack = Stack { kind: StackKind::Local, bytes: DEFAULT_LOCAL_STACK };
    for _ in 0..times {
        let ended = stacks.run("nothing", stack, StackSettings::default(), &parent, &mut || {});
        assert!(ended.is_ok_and(|ended| !ended.overflowed), "nothing needs no stack");
    }
}

/// A kernel needed more than it had.
pub(super) fn fault(op: &'static Op, used: StackUse) -> Fault {
    let source = op.source();
    Fault {
        argument: "stack",
        first: format!("in `{}` ({}:{})", op.name(), source.file, source.line),
        lines: vec![Line::new(Part::StackAsked, op.stack_site())],
        stack: Some(used),
        ..Fault::new(op.name(), Verdict::StackOverflow, Severity::Error)
    }
}

/// How a kernel's time on its stack ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ended {
    pub(super) stack: StackUse,
    /// It needed more than there was, and was left there.
    pub(super) overflowed: bool,
}

impl Ended {
    fn new(stack: Stack, used: u32, overflowed: bool) -> Self {
        let Stack { kind, bytes: limit } = stack;
        Self { stack: StackUse { kind, limit, used }, overflowed }
    }
}
