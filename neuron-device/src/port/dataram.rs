//! [`Dataram`]: the core's own memory, and how this program reaches it.

use core::marker::PhantomData;
use core::ptr::NonNull;

use super::window::Located;
use crate::words::addr::NxAddr;

/// Where the core sees its dataram (`docs/machine.md`, section 3).
const BASE: u32 = 0x0008_0000;

/// What system bus addresses of dataram are counted from. The machine's is not public; ours keeps them below HBM.
const ALIAS_BASE: u64 = 0;

/// The part of a core's dataram a kernel may use: its TCM pool, from [`BASE`](Self::BASE) on.
///
/// Holding one proves: `len` bytes from the native pointer are this core's alone until the `Q7::enter` that asked for it
/// returns. It does not prove that anything was written there.
///
/// ```
/// use neuron_device::Dataram;
/// use std::ptr::NonNull;
/// #[repr(align(64))]
/// struct Tcm([u8; 1024]);
/// let mut memory = Box::new(Tcm([0; 1024]));
/// // SAFETY: `memory` lives as long as it is used here, and is used by nothing else.
/// let dataram = unsafe { Dataram::new(NonNull::from(&mut memory.0).cast(), 1024) };
/// assert_eq!((dataram.len(), Dataram::BASE.get()), (1024, 0x0008_0000));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Dataram {
    native: *mut u8,
    len: u32,
    /// It belongs to the thread of its core.
    not_send: PhantomData<*mut u8>,
}

impl Dataram {
    /// None at all: nothing can be staged.
    pub const NONE: Self = Self { native: core::ptr::null_mut(), len: 0, not_send: PhantomData };

    /// Where a core sees it, whatever the native address is.
    pub const BASE: NxAddr = NxAddr::new(BASE);

    /// The largest there can be: the 64 KiB the DMA engine reaches (`docs/machine.md`, section 3).
    pub const MOST_BYTES: u32 = 1 << 16;

    /// `len` bytes at `native`.
    ///
    /// # Panics
    /// If `native` is no multiple of 64, or `len` above 64 KiB.
    ///
    /// # Safety
    /// Until the `Q7::enter` that asked for it returns, these bytes are valid for reads and writes, and nothing accesses
    /// them but that core and, while it serves a call of that core, its platform.
    #[inline]
    pub unsafe fn new(native: NonNull<u8>, len: u32) -> Self {
        assert!(
            native.addr().get().is_multiple_of(64),
            "dataram must begin at a multiple of 64, not {native:p}"
        );
        assert!(len <= Self::MOST_BYTES, "{len} bytes of dataram, but the machine has {}", Self::MOST_BYTES);
        Self { native: native.as_ptr(), len, not_send: PhantomData }
    }

    /// Bytes.
    pub const fn len(&self) -> u32 {
        self.len
    }

    /// Is there none?
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The native address of `bytes` bytes at a local address; `None` if not all of them are in it.
    #[inline(always)]
    pub fn native(&self, local: NxAddr, bytes: u64) -> Option<*mut u8> {
        let offset = u64::from(local.get().wrapping_sub(BASE));
        (offset + bytes <= u64::from(self.len)).then(|| self.native.wrapping_add(offset as usize))
    }

    /// An element of `bytes` bytes at a local address, a multiple of its size.
    pub(crate) fn locate(&self, local: NxAddr, bytes: u64) -> Option<Located> {
        // SAFETY: `native` found all of it inside the dataram, which begins at a multiple of 64 on both sides.
        self.native(local, bytes).map(|native| unsafe { Located::new(native) })
    }

    /// The local address of `bytes` bytes at a native one; `None` if not all of them are in it.
    pub(crate) fn local(&self, native: *const u8, bytes: u64) -> Option<NxAddr> {
        let offset = (native.addr() as u64).wrapping_sub(self.native.addr() as u64);
        let end = offset.checked_add(bytes)?;
        (end <= u64::from(self.len)).then(|| NxAddr::new(BASE + offset as u32))
    }

    /// The address at which the DMA engine sees a local address of core `core` (`docs/machine.md`, section 7).
    pub const fn alias(core: u32, local: NxAddr) -> u64 {
        ALIAS_BASE + ((2 * core as u64 + 9) << 16) + (local.get() & 0xFFFF) as u64
    }

    /// The local address of core `core` the DMA engine sees at `alias`; `None` if it sees something else there.
    pub const fn aliased(core: u32, alias: u64) -> Option<NxAddr> {
        match alias.checked_sub(Self::alias(core, NxAddr::new(0))) {
            Some(offset) if offset < 1 << 16 => Some(NxAddr::new(BASE + offset as u32)),
            _ => None,
        }
    }
}

impl Default for Dataram {
    fn default() -> Self {
        Self::NONE
    }
}

#[cfg(test)]
mod tests;
