//! The copy in AArch64's assembly, which may do what a relaxed atomic a byte may: each byte is moved once.
//!
//! By pairs of general registers, and only where both sides are aligned to those: such moves are right on every core of the
//! family, also with alignment checks on or the memory management unit off. What is not aligned so goes by words.

use core::arch::asm;

use super::words;

/// Bytes a round moves.
const ROUND: usize = 64;

/// See [`super::copy_from_shared`].
///
/// # Safety
/// As for that.
#[inline]
pub(super) unsafe fn copy_from_shared(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: both are valid by the caller's promise.
    let done = unsafe { rounds(from, to, bytes) };
    // SAFETY: the caller's promise for all bytes holds for the last ones.
    unsafe { words::copy_from_shared(from.wrapping_add(done), to.wrapping_add(done), bytes - done) }
}

/// See [`super::copy_to_shared`].
///
/// # Safety
/// As for that.
#[inline]
pub(super) unsafe fn copy_to_shared(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: both are valid by the caller's promise.
    let done = unsafe { rounds(from, to, bytes) };
    // SAFETY: the caller's promise for all bytes holds for the last ones.
    unsafe { words::copy_to_shared(from.wrapping_add(done), to.wrapping_add(done), bytes - done) }
}

/// Copy as many whole rounds as there are, none if a side is not aligned to a register; how many bytes that is.
///
/// # Safety
/// `from` is valid for reads and `to` for writes of `bytes` bytes; they do not overlap.
#[inline]
unsafe fn rounds(from: *const u8, to: *mut u8, bytes: usize) -> usize {
    let whole = bytes - bytes % ROUND;
    if whole == 0 || !(from.addr() | to.addr()).is_multiple_of(8) {
        return 0;
    }
    // SAFETY: `left` counts down from `whole`, a multiple of a round and not 0, so what is read and written lies in the first
    // `whole` bytes of both; the registers it changes are named.
    unsafe {
        asm!(
            "2:",
            "ldp {a}, {b}, [{from}]",
            "ldp {c}, {d}, [{from}, #16]",
            "ldp {e}, {f}, [{from}, #32]",
            "ldp {g}, {h}, [{from}, #48]",
            "stp {a}, {b}, [{to}]",
            "stp {c}, {d}, [{to}, #16]",
            "stp {e}, {f}, [{to}, #32]",
            "stp {g}, {h}, [{to}, #48]",
            "add {from}, {from}, #64",
            "add {to}, {to}, #64",
            "subs {left}, {left}, #64",
            "b.ne 2b",
            left = inout(reg) whole => _,
            from = inout(reg) from => _,
            to = inout(reg) to => _,
            a = out(reg) _,
            b = out(reg) _,
            c = out(reg) _,
            d = out(reg) _,
            e = out(reg) _,
            f = out(reg) _,
            g = out(reg) _,
            h = out(reg) _,
            options(nostack)
        );
    }
    whole
}
