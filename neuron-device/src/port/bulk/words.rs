//! The copy by relaxed atomics: for every target, and the ends of the others.
//!
//! Words are aligned on the shared side, where they are atomic; on the other side they may lie anyhow.

use core::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicUsize, Ordering::Relaxed};

/// Bytes of the widest word.
const WORD: usize = size_of::<usize>();

/// See [`super::copy_from_shared`].
///
/// # Safety
/// As for that.
#[inline]
pub(super) unsafe fn copy_from_shared(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: the caller promises it, the shared side first.
    unsafe { copy::<FromShared>(from.cast_mut(), to, bytes) }
}

/// See [`super::copy_to_shared`].
///
/// # Safety
/// As for that.
#[inline]
pub(super) unsafe fn copy_to_shared(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: the caller promises it, the shared side second; `ToShared` writes nothing through `from`.
    unsafe { copy::<ToShared>(to, from.cast_mut(), bytes) }
}

/// Copy the bytes of `shared` and `own` in the direction of `D`: up to a multiple of a word, word by word, and what is
/// left.
///
/// # Safety
/// Both are as `D` needs them, for `bytes` bytes.
#[inline]
unsafe fn copy<D: Direction>(shared: *mut u8, own: *mut u8, bytes: usize) {
    let mut rest = Rest { shared, own, bytes };
    // SAFETY: the caller's promise for all of it holds for what is left of it.
    unsafe { rest.align::<D, u8>() };
    // SAFETY: as above.
    unsafe { rest.align::<D, u16>() };
    if WORD > size_of::<u32>() {
        // SAFETY: as above.
        unsafe { rest.align::<D, u32>() };
    }
    while rest.bytes >= WORD {
        // SAFETY: as above, and enough is left; it is aligned, as otherwise less than a word was left before.
        unsafe { rest.take::<D, usize>() };
    }
    if WORD > size_of::<u32>() {
        // SAFETY: as above.
        unsafe { rest.finish::<D, u32>() };
    }
    // SAFETY: as above.
    unsafe { rest.finish::<D, u16>() };
    // SAFETY: as above.
    unsafe { rest.finish::<D, u8>() };
}

/// What is still to be copied.
struct Rest {
    shared: *mut u8,
    own: *mut u8,
    bytes: usize,
}

impl Rest {
    /// Copy one `W` if the shared side is not aligned to two of them, and so much is left. What is left then is either
    /// aligned to two, or less than one `W` and aligned to that.
    ///
    /// # Safety
    /// As for [`copy`], for what is left; the shared side is aligned to `W`, or less than a `W` is left.
    #[inline(always)]
    unsafe fn align<D: Direction, W: Word>(&mut self) {
        if self.shared.addr() & size_of::<W>() != 0 && self.bytes >= size_of::<W>() {
            // SAFETY: the caller's promise, and enough is left.
            unsafe { self.take::<D, W>() }
        }
    }

    /// Copy one `W` if so much is left.
    ///
    /// # Safety
    /// As for [`align`](Self::align).
    #[inline(always)]
    unsafe fn finish<D: Direction, W: Word>(&mut self) {
        if self.bytes >= size_of::<W>() {
            // SAFETY: the caller's promise, and enough is left.
            unsafe { self.take::<D, W>() }
        }
    }

    /// Copy one `W`.
    ///
    /// # Safety
    /// As for [`copy`], for what is left, which is a `W` or more and aligned to it on the shared side.
    #[inline(always)]
    unsafe fn take<D: Direction, W: Word>(&mut self) {
        // SAFETY: the caller promises it.
        unsafe { D::word::<W>(self.shared.cast(), self.own.cast()) };
        self.shared = self.shared.wrapping_add(size_of::<W>());
        self.own = self.own.wrapping_add(size_of::<W>());
        self.bytes -= size_of::<W>();
    }
}

/// Which side is written.
trait Direction {
    /// Copy one word.
    ///
    /// # Safety
    /// `shared` is valid for reads and writes of a `W`, aligned to its size, and accessed by others only atomically;
    /// `own` is valid for what the direction does there.
    unsafe fn word<W: Word>(shared: *mut W, own: *mut W);
}

struct FromShared;

impl Direction for FromShared {
    #[inline(always)]
    unsafe fn word<W: Word>(shared: *mut W, own: *mut W) {
        // SAFETY: valid, aligned and accessed atomically by the caller's promise.
        let word = unsafe { W::load(shared) };
        // SAFETY: valid for writes by the caller's promise.
        unsafe { own.write_unaligned(word) }
    }
}

struct ToShared;

impl Direction for ToShared {
    #[inline(always)]
    unsafe fn word<W: Word>(shared: *mut W, own: *mut W) {
        // SAFETY: valid for reads by the caller's promise.
        let word = unsafe { own.read_unaligned() };
        // SAFETY: valid, aligned and accessed atomically by the caller's promise.
        unsafe { W::store(shared, word) }
    }
}

/// A width at which atomics exist.
trait Word: Copy {
    /// # Safety
    /// `at` is valid for reads and writes of a word, aligned to its size, and meanwhile accessed only atomically.
    unsafe fn load(at: *mut Self) -> Self;

    /// # Safety
    /// As for [`load`](Self::load).
    unsafe fn store(at: *mut Self, word: Self);
}

macro_rules! words {
    ($($word:ty: $atomic:ty),*) => {$(
        impl Word for $word {
            #[inline(always)]
            unsafe fn load(at: *mut Self) -> Self {
                // SAFETY: the caller promises what it asks for.
                unsafe { <$atomic>::from_ptr(at) }.load(Relaxed)
            }

            #[inline(always)]
            unsafe fn store(at: *mut Self, word: Self) {
                // SAFETY: the caller promises what it asks for.
                unsafe { <$atomic>::from_ptr(at) }.store(word, Relaxed);
            }
        }
    )*};
}

words!(u8: AtomicU8, u16: AtomicU16, u32: AtomicU32, usize: AtomicUsize);
