//! [`TcmBuf`]: a buffer in the core's TCM.

use core::fmt;
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::ops::{Deref, DerefMut, Range};
use core::panic::Location;

use crate::core::q7::Q7;
use crate::policy::heap::DEFAULT_ALIGN;
use crate::words::addr::NxAddr;
use crate::words::element::Element;
use crate::words::error::{Error, Result};

/// Room for elements in the core's TCM, from [`Q7::tcm_malloc`]: fast memory of the core's own, which copies fill from HBM
/// and empty to it. It is given back when dropped.
///
/// Nobody has written it yet, and so there is no way to read it: a copy from a tensor, [`fill`](Self::fill) and
/// [`write_from`](Self::write_from) give a slice of what they wrote.
///
/// ```
/// use neuron_device::{prelude::*, FlatPlatform, Tcm};
/// let (mut memory, mut tcm) = ([0; 64], Tcm::new());
/// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory).with_tcm(&mut tcm), |q7| {
///     let mut x = q7.empty(Dtype::I32, &[6])?;
///     let mut buffer = q7.tcm_malloc::<i32>(4)?;
///     let four = buffer.write_from([10, 11, 12, 13]);
///     x.tcm_to_tensor(q7, 2, four)?;
///     let two = x.tensor_to_tcm(q7, Span { offset: 4, len: 2 }, &mut buffer)?;
///     assert_eq!(two, [12, 13]);
///     Ok(())
/// })
/// # .map_err(|error: Error| error.to_string()).unwrap();
/// ```
///
/// It cannot outlive its core:
///
/// ```compile_fail,E0521
/// use neuron_device::{prelude::*, FlatPlatform};
/// let mut kept = None;
/// Q7::enter(&mut FlatPlatform::new(0, 1, &mut []), |q7| kept = q7.tcm_malloc::<f32>(4).ok());
/// ```
pub struct TcmBuf<'a, T: Element> {
    q7: &'a Q7,
    local: NxAddr,
    native: *mut T,
    len: u32,
    element: PhantomData<T>,
}

impl<'a, T: Element> TcmBuf<'a, T> {
    /// How many elements it holds.
    pub const fn len(&self) -> u32 {
        self.len
    }

    /// Never: a block of no elements cannot be had.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Where the core sees it.
    pub const fn addr(&self) -> NxAddr {
        self.local
    }

    /// Write `value` to all of it.
    pub fn fill(&mut self, value: T) -> &mut [T] {
        for at in 0..self.len {
            // SAFETY: `at` is below `len`, and the block has room for `len` elements, which are this buffer's.
            unsafe { self.put(at, value) }
        }
        // SAFETY: every one was just written.
        unsafe { self.written(self.len) }
    }

    /// Write what an iterator gives, from the start on, until it ends or the buffer is full.
    pub fn write_from(&mut self, values: impl IntoIterator<Item = T>) -> &mut [T] {
        let mut written = 0;
        let mut values = values.into_iter();
        while written < self.len
            && let Some(value) = values.next()
        {
            // SAFETY: as in `fill`.
            unsafe { self.put(written, value) }
            written += 1;
        }
        // SAFETY: that many were just written.
        unsafe { self.written(written) }
    }

    /// The first `len` elements.
    ///
    /// # Safety
    /// They were written, and there are that many.
    #[inline]
    pub(crate) unsafe fn written(&mut self, len: u32) -> &mut [T] {
        self.q7.tcm_filled(self.local, u64::from(len) * size_of::<T>() as u64);
        // SAFETY: as `slice_mut`.
        unsafe { self.slice_mut(len) }
    }

    /// The first `len` elements.
    ///
    /// # Safety
    /// They were written, and there are that many.
    #[inline(always)]
    pub(crate) unsafe fn slice_mut(&mut self, len: u32) -> &mut [T] {
        // SAFETY: the block is aligned to 64 bytes, has room for `len` elements and is this buffer's alone (the heap gives
        // no byte twice); the caller says they hold values; any bits are one (`Element: Pod`).
        unsafe { core::slice::from_raw_parts_mut(self.native, len as usize) }
    }

    /// The first `len` elements.
    ///
    /// # Safety
    /// As for [`slice_mut`](Self::slice_mut).
    #[inline(always)]
    pub(crate) unsafe fn slice(&self, len: u32) -> &[T] {
        // SAFETY: as in `slice_mut`.
        unsafe { core::slice::from_raw_parts(self.native, len as usize) }
    }

    /// Where its elements are.
    pub(crate) const fn native(&self) -> *mut T {
        self.native
    }

    pub(crate) const fn q7(&self) -> &'a Q7 {
        self.q7
    }
}

impl<T: Element> Drop for TcmBuf<'_, T> {
    fn drop(&mut self) {
        // It fails only for a block that was given back by `neuron_dataram_free` already, which was a fault of its own.
        let _ = self.q7.tcm_free(self.local, None);
    }
}

impl<T: Element> fmt::Debug for TcmBuf<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TcmBuf({} {} at {})", self.len, T::DTYPE, self.local)
    }
}

/// A TCM buffer that holds elements, all or the first of it, which it gives as a slice: what comes out of a copy that
/// was waited for, and goes into one that is started.
///
/// ```
/// use neuron_device::{prelude::*, FlatPlatform, Tcm};
/// let (mut memory, mut tcm) = ([0; 64], Tcm::new());
/// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory).with_tcm(&mut tcm), |q7| {
///     let mut tile = q7.tcm_malloc::<f32>(4)?.filled_with(2.0);
///     tile[3] = 5.0;
///     assert_eq!(tile.iter().sum::<f32>(), 11.0);
///     // The room of it, to be filled again:
///     assert_eq!(tile.into_buf().len(), 4);
///     Ok(())
/// })
/// # .map_err(|error: Error| error.to_string()).unwrap();
/// ```
#[derive(Debug)]
pub struct TcmTile<'a, T: Element> {
    buffer: TcmBuf<'a, T>,
    len: u32,
}

impl<'a, T: Element> TcmTile<'a, T> {
    /// # Safety
    /// The first `len` elements were written, and there are that many.
    pub(crate) const unsafe fn new(buffer: TcmBuf<'a, T>, len: u32) -> Self {
        Self { buffer, len }
    }

    /// Where the core sees it.
    pub const fn addr(&self) -> NxAddr {
        self.buffer.addr()
    }

    /// The buffer, whose elements count as unwritten again.
    pub fn into_buf(self) -> TcmBuf<'a, T> {
        self.buffer
    }

    pub(crate) fn buffer(&self) -> &TcmBuf<'a, T> {
        &self.buffer
    }
}

impl<T: Element> Deref for TcmTile<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: what `new` was promised; nothing takes values away.
        unsafe { self.buffer.slice(self.len) }
    }
}

impl<T: Element> DerefMut for TcmTile<'_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`.
        unsafe { self.buffer.slice_mut(self.len) }
    }
}

impl<'a, T: Element> TcmBuf<'a, T> {
    /// The buffer with `value` everywhere.
    pub fn filled_with(mut self, value: T) -> TcmTile<'a, T> {
        let len = self.len;
        self.fill(value);
        // SAFETY: all of it was just written.
        unsafe { TcmTile::new(self, len) }
    }

    /// The block, to be given back by hand: it is not when this is dropped.
    pub(crate) fn leak(self) -> ManuallyDrop<Self> {
        ManuallyDrop::new(self)
    }
}

impl Q7 {
    /// Room for `len` elements in the core's TCM, at a multiple of 64 bytes (the vendor's `tcm_malloc`). The pool is
    /// 16 KiB on the machine (`docs/machine.md`, section 8).
    ///
    /// # Errors
    /// `len` is 0. No hole of the pool is large enough: the error says what was asked, what is free, the largest hole, and
    /// which lines hold the rest.
    ///
    /// ```
    /// use neuron_device::{prelude::*, FlatPlatform, Tcm};
    /// let mut tcm = Tcm::new();
    /// Q7::enter(&mut FlatPlatform::new(0, 1, &mut []).with_tcm(&mut tcm), |q7| {
    ///     let half = q7.tcm_malloc::<u8>(8 << 10)?;
    ///     let error = q7.tcm_malloc::<f32>(4 << 10).unwrap_err();
    ///     assert!(error.to_string().contains("16384 bytes"), "{error}");
    ///     drop(half);
    ///     assert!(q7.tcm_malloc::<f32>(4 << 10).is_ok());
    ///     Ok(())
    /// })
    /// # .map_err(|error: Error| error.to_string()).unwrap();
    /// ```
    #[track_caller]
    #[inline]
    pub fn tcm_malloc<T: Element>(&self, len: u32) -> Result<TcmBuf<'_, T>> {
        self.tcm_malloc_from(len, Location::caller())
    }

    /// Bytes of the largest block of TCM there is room for now, at a multiple of 64.
    ///
    /// ```
    /// use neuron_device::{prelude::*, FlatPlatform, Tcm};
    /// let mut tcm = Tcm::new();
    /// Q7::enter(&mut FlatPlatform::new(0, 1, &mut []).with_tcm(&mut tcm), |q7| {
    ///     let _kept = q7.tcm_malloc::<f32>(1024)?;
    ///     assert_eq!(q7.tcm_largest_free(), 12 << 10);
    ///     Ok(())
    /// })
    /// # .map_err(|error: Error| error.to_string()).unwrap();
    /// ```
    pub fn tcm_largest_free(&self) -> u32 {
        // A pool has at most 64 KiB.
        self.staging.tcm.borrow().largest_free(DEFAULT_ALIGN) as u32
    }

    /// As [`tcm_malloc`](Self::tcm_malloc), on behalf of the line `site`.
    #[track_caller]
    pub(crate) fn tcm_malloc_from<T: Element>(
        &self,
        len: u32,
        site: &'static Location<'static>,
    ) -> Result<TcmBuf<'_, T>> {
        let bytes = u64::from(len) * size_of::<T>() as u64;
        let local = match self.tcm_allocate(bytes, None, site) {
            Ok(local) => local,
            Err(kind) => return Err(Error::new(kind)),
        };
        let native = self.staging.dataram.native(local, bytes);
        let native = native.expect("the heap's blocks are in the dataram").cast();
        Ok(TcmBuf { q7: self, local, native, len, element: PhantomData })
    }
}

impl<T: Element> TcmBuf<'_, T> {
    /// Write element `at`.
    ///
    /// # Safety
    /// `at` is below `len`.
    #[inline(always)]
    pub(crate) unsafe fn put(&mut self, at: u32, value: T) {
        // SAFETY: the block has room for `len` elements, which are this buffer's, and `at` is below.
        unsafe { self.native.wrapping_add(at as usize).write(value) }
    }

    /// These elements were asked for and do not exist.
    #[inline]
    pub(crate) fn poison(&mut self, missing: Range<u32>) {
        if !missing.is_empty() {
            self.poison_some(missing);
        }
    }

    #[cold]
    fn poison_some(&mut self, missing: Range<u32>) {
        assert!(missing.end <= self.len, "elements {missing:?} of a buffer of {}", self.len);
        let size = size_of::<T>() as u32;
        let first = NxAddr::new(self.local.get() + missing.start * size);
        // That they do not exist is a fault already; that nobody wrote them is none.
        self.q7.tcm_filled(first, (u64::from(missing.end) - u64::from(missing.start)) * u64::from(size));
        for at in missing {
            // SAFETY: `at` is below `len`, and the block has room for `len` elements, which are this buffer's.
            unsafe { self.put(at, T::POISON) }
        }
    }
}

#[cfg(test)]
mod tests;
