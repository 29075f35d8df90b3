//! A window that is mapped: the HBM range it shows and how this program reaches it.

use core::marker::PhantomData;
use core::ptr::NonNull;

use super::word;
use crate::words::addr::HbmAddr;
use crate::words::element::Element;

/// The part of HBM a window register shows, and the native pointer to it.
///
/// Holding one proves: `len` bytes from `native` may be read and written atomically for as long as the register is
/// not mapped again; start, length and pointer are multiples of 8. It does not prove that anything was written there.
#[derive(Clone, Copy, Debug)]
pub struct MappedWindow {
    start: u64,
    len: u64,
    native: *mut u8,
    /// A window belongs to the thread of its core.
    not_send: PhantomData<*mut u8>,
}

impl MappedWindow {
    /// A window that shows nothing.
    pub const NOTHING: Self = Self { start: 0, len: 0, native: core::ptr::null_mut(), not_send: PhantomData };

    /// `len` bytes of HBM from `start`, reached at `native`.
    ///
    /// # Panics
    /// If start, length or pointer is not a multiple of 8 (an element would straddle the window's edge), or the window
    /// runs past the 64-bit space.
    ///
    /// # Safety
    /// - `native` is valid for reads and writes of `len` bytes until the window's register is mapped again or the
    ///   `Q7::enter` that asked for it returns.
    /// - Until then these bytes are accessed only atomically with relaxed ordering, or not from elsewhere at all.
    pub unsafe fn new(start: HbmAddr, len: u64, native: NonNull<u8>) -> Self {
        assert!(
            start.checked_add(len).is_some(),
            "a window must end in the 64-bit space: {start}, {len} bytes"
        );
        assert!(
            start.is_aligned_to(8) && len.is_multiple_of(8) && native.addr().get().is_multiple_of(8),
            "a window must begin and end at multiples of 8 bytes: {start}, {len} bytes, at {native:p}"
        );
        Self { start: start.get(), len, native: native.as_ptr(), not_send: PhantomData }
    }

    /// The bytes at `addr` from here to the window's end; `None` if the window does not show `addr`.
    #[inline(always)]
    pub(crate) fn locate(&self, addr: u64) -> Option<Located> {
        let offset = addr.wrapping_sub(self.start);
        if offset < self.len { Some(Located(self.native.wrapping_add(offset as usize))) } else { None }
    }
}

impl Default for MappedWindow {
    fn default() -> Self {
        Self::NOTHING
    }
}

impl MappedWindow {
    /// One past the last address shown; 0 if nothing is.
    pub(super) const fn end(&self) -> u64 {
        self.start + self.len
    }

    /// The native address HBM address 0 would have.
    pub(super) fn origin(&self) -> *mut u8 {
        self.native.wrapping_sub(self.start as usize)
    }
}

/// A byte inside a mapped window, aligned as its HBM address is.
///
/// It is used at once: nothing is mapped between.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Located(*mut u8);

impl Located {
    /// # Safety
    /// `native` points into a mapped window and was computed from its pointer.
    #[inline(always)]
    pub(super) const unsafe fn new(native: *mut u8) -> Self {
        Self(native)
    }

    /// Read the element here.
    ///
    /// # Safety
    /// The HBM address this was located from is a multiple of the element's size, and no window was mapped since.
    #[inline(always)]
    pub(crate) unsafe fn load<T: Element>(self) -> T {
        // SAFETY: the window's bytes are valid until a window is mapped, which the caller excludes; start, length and
        // pointer are multiples of 8 (`MappedWindow::new`), so an aligned element of up to 8 bytes lies inside.
        unsafe { word::load(self.0) }
    }

    /// Write the element here.
    ///
    /// # Safety
    /// As for [`load`](Self::load).
    #[inline(always)]
    pub(crate) unsafe fn store<T: Element>(self, value: T) {
        // SAFETY: as in `load`.
        unsafe { word::store(self.0, value) }
    }
}
