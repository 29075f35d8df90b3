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
///
/// ```
/// # use neuron_device::{ArgDescriptor, Fault, FlatPlatform, HbmAddr, MappedWindow, Platform, prelude::*};
/// # use std::ptr::NonNull;
/// # use std::sync::atomic::{AtomicU64, Ordering};
/// # const PAGE: HbmAddr = HbmAddr::new(0x10_0000_0000);
/// /// A core all of whose HBM is one page.
/// struct OnePage { page: Vec<AtomicU64>, inner: FlatPlatform<'static> }
///
/// // SAFETY: windows show `page`, which lives as long as the platform and is never moved or resized.
/// unsafe impl Platform for OnePage {
///     fn map_window(&mut self, _record: usize, base: HbmAddr) -> Option<MappedWindow> {
///         let (len, native) = (8 * self.page.len() as u64, NonNull::from(&self.page[..]).cast());
///         // SAFETY: `len` bytes from `native` are the page, which everybody accesses by relaxed atomics.
///         (base == PAGE).then(|| unsafe { MappedWindow::new(PAGE, len, native) })
///     }
/// #     fn scratch(&self) -> (HbmAddr, u64) { (PAGE, 8 * self.page.len() as u64) }
/// #     fn core_id(&self) -> u32 { self.inner.core_id() }
/// #     fn core_count(&self) -> u32 { self.inner.core_count() }
/// #     fn launch_stamp(&self) -> u64 { self.inner.launch_stamp() }
/// #     fn fence(&mut self) { self.inner.fence() }
/// #     fn argument(&self, position: usize) -> Option<ArgDescriptor> {
/// #         Platform::argument(&self.inner, position)
/// #     }
/// #     fn destination(&self) -> Option<ArgDescriptor> { Platform::destination(&self.inner) }
/// #     fn fault(&mut self, fault: &Fault) { self.inner.fault(fault) }
/// }
/// # let page = (0..512).map(AtomicU64::new).collect();
/// # let mut core = OnePage { page, inner: FlatPlatform::new(0, 1, &mut []) };
/// # let found = Q7::enter(&mut core, |q7| {
/// #     let mut x = q7.empty(Dtype::I64, &[2])?;
/// #     x.elements_mut::<i64>(q7)?.set(0, 7);
/// #     Ok::<_, Error>(x.elements::<i64>(q7)?.get(1))
/// # });
/// # assert_eq!(found.unwrap(), 1);
/// // After a kernel wrote 7 to the first element of an i64 tensor there:
/// assert_eq!(core.page[0].load(Ordering::Relaxed), 7);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct MappedWindow {
    start: u64,
    len: u64,
    native: *mut u8,
    /// A window belongs to the thread of its core.
    not_send: PhantomData<*mut u8>,
}

impl MappedWindow {
    /// A window that shows nothing: no address is in it. It is the default.
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

impl MappedWindow {
    /// The native address of `addr`, and how many bytes are shown from there on; `None` if the window does not show it.
    pub(crate) fn from(&self, addr: u64) -> Option<(*mut u8, u64)> {
        let offset = addr.wrapping_sub(self.start);
        (offset < self.len).then(|| (self.native.wrapping_add(offset as usize), self.len - offset))
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

#[cfg(test)]
mod tests;
