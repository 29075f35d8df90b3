//! Bulk copies between memory that cores share and memory of one core: what a DMA engine does, for platforms that have
//! to do it themselves.
//!
//! Other threads may access HBM while a core copies it, so a plain memcpy of it would be a data race, and undefined.
//! These functions are none: each byte on the shared side is accessed once, as if by a relaxed atomic. Where an element
//! is stored at the same time, the copy has the old bytes or the new ones, perhaps some of each. (The standard says
//! nothing of atomics of different widths that race; that such an element is torn and nothing worse is what processors
//! do.)
//!
//! On x86-64 and AArch64 the copy is assembly, elsewhere a loop of relaxed atomic words. `--cfg neuron_atomic_copies`
//! takes that loop everywhere: ThreadSanitizer, which does not see what assembly accesses, sees it.

mod words;

#[cfg(all(
    target_arch = "x86_64",
    target_pointer_width = "64",
    target_feature = "sse2",
    not(any(miri, neuron_atomic_copies))
))]
mod x86_64;

#[cfg(all(
    target_arch = "aarch64",
    target_pointer_width = "64",
    target_endian = "little",
    not(any(miri, neuron_atomic_copies))
))]
mod aarch64;

cfg_select! {
    any(miri, neuron_atomic_copies) => { use words as chosen; }
    all(target_arch = "x86_64", target_pointer_width = "64", target_feature = "sse2") => { use x86_64 as chosen; }
    all(target_arch = "aarch64", target_pointer_width = "64", target_endian = "little") => { use aarch64 as chosen; }
    _ => { use words as chosen; }
}

/// Copy `bytes` bytes from memory that other threads may be accessing, such as HBM, to memory that is this thread's
/// alone, such as dataram.
///
/// It orders nothing: a core's fences come before and after it, as for any of its accesses.
///
/// ```
/// use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
///
/// let hbm: [AtomicU32; 4] = [1, 2, 3, 4].map(AtomicU32::new);
/// let mut tile = [0_u8; 8];
/// std::thread::scope(|scope| {
///     // Another core, at the same time.
///     scope.spawn(|| hbm[3].store(5, Relaxed));
///     // SAFETY: elements 2 and 3 are in `hbm`, which everybody accesses by atomics; `tile` is borrowed here alone.
///     unsafe { neuron_device::bulk::copy_from_shared(hbm[2].as_ptr().cast(), tile.as_mut_ptr(), 8) };
/// });
/// assert_eq!(tile[..4], 3_u32.to_ne_bytes());
/// ```
///
/// # Safety
/// - `from` is valid for reads and for writes of `bytes` bytes. (Nothing is written, but atomics ask for both.)
/// - Until it returns, those are accessed only atomically or by the functions of this module.
/// - `to` is valid for writes of `bytes` bytes, and until it returns nobody else accesses those.
/// - The two do not overlap.
///
/// Alignments are free, and so are both pointers if `bytes` is 0.
#[inline]
pub unsafe fn copy_from_shared(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: the caller promises what it asks for.
    unsafe { chosen::copy_from_shared(from, to, bytes) }
}

/// Copy `bytes` bytes from memory that is this thread's alone, such as dataram, to memory that other threads may be
/// accessing, such as HBM.
///
/// The other direction of [`copy_from_shared`], in all else like it.
///
/// ```
/// use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
///
/// let hbm: [AtomicU32; 4] = [1, 2, 3, 4].map(AtomicU32::new);
/// let tile = [0_u8; 8];
/// // SAFETY: elements 1 and 2 are in `hbm`, which everybody accesses by atomics; nobody writes `tile`.
/// unsafe { neuron_device::bulk::copy_to_shared(tile.as_ptr(), hbm[1].as_ptr().cast(), 8) };
/// assert_eq!(hbm.map(|element| element.load(Relaxed)), [1, 0, 0, 4]);
/// ```
///
/// # Safety
/// - `from` is valid for reads of `bytes` bytes, and until it returns nobody writes those.
/// - `to` is valid for reads and for writes of `bytes` bytes.
/// - Until it returns, those are accessed only atomically or by the functions of this module.
/// - The two do not overlap.
///
/// Alignments are free, and so are both pointers if `bytes` is 0.
#[inline]
pub unsafe fn copy_to_shared(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: the caller promises what it asks for.
    unsafe { chosen::copy_to_shared(from, to, bytes) }
}

#[cfg(test)]
mod tests;
