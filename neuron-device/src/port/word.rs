//! Loads and stores of one element, relaxed-atomic: HBM gives out values, never references.

use core::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, Ordering::Relaxed};

use crate::words::element::Element;

/// Read the element at `at`.
///
/// # Safety
/// `at` is valid for reads of `size_of::<T>()` bytes, a multiple of that size, and not written non-atomically meanwhile.
#[inline(always)]
pub(crate) unsafe fn load<T: Element>(at: *mut u8) -> T {
    match size_of::<T>() {
        // SAFETY: valid and aligned by the caller's promise.
        1 => bytemuck::cast(unsafe { AtomicU8::from_ptr(at) }.load(Relaxed)),
        // SAFETY: as above.
        2 => bytemuck::cast(unsafe { AtomicU16::from_ptr(at.cast()) }.load(Relaxed)),
        // SAFETY: as above.
        4 => bytemuck::cast(unsafe { AtomicU32::from_ptr(at.cast()) }.load(Relaxed)),
        // SAFETY: as above.
        _ => bytemuck::cast(unsafe { load_u64(at.cast()) }),
    }
}

/// Write `value` at `at`.
///
/// # Safety
/// `at` is valid for writes of `size_of::<T>()` bytes, a multiple of that size, and not accessed non-atomically
/// meanwhile.
#[inline(always)]
pub(crate) unsafe fn store<T: Element>(at: *mut u8, value: T) {
    match size_of::<T>() {
        // SAFETY: valid and aligned by the caller's promise.
        1 => unsafe { AtomicU8::from_ptr(at) }.store(bytemuck::cast(value), Relaxed),
        // SAFETY: as above.
        2 => unsafe { AtomicU16::from_ptr(at.cast()) }.store(bytemuck::cast(value), Relaxed),
        // SAFETY: as above.
        4 => unsafe { AtomicU32::from_ptr(at.cast()) }.store(bytemuck::cast(value), Relaxed),
        // SAFETY: as above.
        _ => unsafe { store_u64(at.cast(), bytemuck::cast(value)) },
    }
}

/// # Safety
/// As for [`load`], for 8 bytes.
#[cfg(target_has_atomic = "64")]
#[inline(always)]
unsafe fn load_u64(at: *mut u64) -> u64 {
    // SAFETY: valid and aligned by the caller's promise.
    unsafe { core::sync::atomic::AtomicU64::from_ptr(at) }.load(Relaxed)
}

/// # Safety
/// As for [`store`], for 8 bytes.
#[cfg(target_has_atomic = "64")]
#[inline(always)]
unsafe fn store_u64(at: *mut u64, value: u64) {
    // SAFETY: valid and aligned by the caller's promise.
    unsafe { core::sync::atomic::AtomicU64::from_ptr(at) }.store(value, Relaxed);
}

/// A 32-bit core moves 64 bits in two halves, the low one first.
///
/// # Safety
/// As for [`load`], for 8 bytes.
#[cfg(not(target_has_atomic = "64"))]
#[inline(always)]
unsafe fn load_u64(at: *mut u64) -> u64 {
    let halves: *mut [AtomicU32; 2] = at.cast();
    // SAFETY: two aligned u32 fill the 8 bytes the caller promises.
    let halves = unsafe { &*halves };
    u64::from(halves[0].load(Relaxed)) | u64::from(halves[1].load(Relaxed)) << 32
}

/// # Safety
/// As for [`store`], for 8 bytes.
#[cfg(not(target_has_atomic = "64"))]
#[inline(always)]
unsafe fn store_u64(at: *mut u64, value: u64) {
    let halves: *mut [AtomicU32; 2] = at.cast();
    // SAFETY: two aligned u32 fill the 8 bytes the caller promises.
    let halves = unsafe { &*halves };
    halves[0].store(value as u32, Relaxed);
    halves[1].store((value >> 32) as u32, Relaxed);
}
