//! The copy in x86-64's assembly, which may do what a relaxed atomic a byte may: each byte is moved once.
//!
//! Nothing wider than SSE2: whether there is more would have to be asked of the processor, at every call or once in a
//! static, and this crate keeps none.

use core::arch::asm;

use super::words;

/// From so many bytes on a string move is the faster one. Measured on an EPYC with AVX-512: it reaches memcpy there, and has 0.4 of its
/// speed at 256 bytes, where vector moves have 0.7; at 1 KiB they are equal.
const STRING: usize = 1024;

/// Bytes of a vector.
const VECTOR: usize = 16;

/// See [`super::copy_from_shared`].
///
/// # Safety
/// As for that.
#[inline]
pub(super) unsafe fn copy_from_shared(from: *const u8, to: *mut u8, bytes: usize) {
    if bytes >= STRING {
        // SAFETY: both are valid by the caller's promise.
        return unsafe { string(from, to, bytes) };
    }
    // SAFETY: as above.
    let done = unsafe { vectors(from, to, bytes) };
    // SAFETY: the caller's promise for all bytes holds for the last ones.
    unsafe { words::copy_from_shared(from.wrapping_add(done), to.wrapping_add(done), bytes - done) }
}

/// See [`super::copy_to_shared`].
///
/// # Safety
/// As for that.
#[inline]
pub(super) unsafe fn copy_to_shared(from: *const u8, to: *mut u8, bytes: usize) {
    if bytes >= STRING {
        // SAFETY: both are valid by the caller's promise.
        return unsafe { string(from, to, bytes) };
    }
    // SAFETY: as above.
    let done = unsafe { vectors(from, to, bytes) };
    // SAFETY: the caller's promise for all bytes holds for the last ones.
    unsafe { words::copy_to_shared(from.wrapping_add(done), to.wrapping_add(done), bytes - done) }
}

/// Copy by one string move.
///
/// # Safety
/// `from` is valid for reads and `to` for writes of `bytes` bytes; they do not overlap.
#[inline]
unsafe fn string(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: it reads `bytes` bytes at `from` and writes as many at `to`, rising, as the direction flag is clear
    // wherever assembly begins; the three registers it changes are named.
    unsafe {
        asm!(
            "rep movsb",
            inout("rcx") bytes => _,
            inout("rsi") from => _,
            inout("rdi") to => _,
            options(nostack, preserves_flags)
        );
    }
}

/// Copy as many whole vectors as there are, four at a time and then singly; how many bytes that is.
///
/// # Safety
/// As for [`string`].
#[inline]
unsafe fn vectors(from: *const u8, to: *mut u8, bytes: usize) -> usize {
    let whole = bytes - bytes % VECTOR;
    // SAFETY: `left` counts down from `whole`, and a round of 64 or 16 bytes is entered only if as many are left, so what is
    // read and written lies in the first `whole` bytes of both; the registers it changes are named.
    unsafe {
        asm!(
            "sub {left}, 64",
            "jb 3f",
            "2:",
            "movups {a}, [{from}]",
            "movups {b}, [{from} + 16]",
            "movups {c}, [{from} + 32]",
            "movups {d}, [{from} + 48]",
            "movups [{to}], {a}",
            "movups [{to} + 16], {b}",
            "movups [{to} + 32], {c}",
            "movups [{to} + 48], {d}",
            "add {from}, 64",
            "add {to}, 64",
            "sub {left}, 64",
            "jae 2b",
            "3:",
            // What was taken too much.
            "add {left}, 64",
            "jz 5f",
            "4:",
            "movups {a}, [{from}]",
            "movups [{to}], {a}",
            "add {from}, 16",
            "add {to}, 16",
            "sub {left}, 16",
            "jnz 4b",
            "5:",
            left = inout(reg) whole => _,
            from = inout(reg) from => _,
            to = inout(reg) to => _,
            a = out(xmm_reg) _,
            b = out(xmm_reg) _,
            c = out(xmm_reg) _,
            d = out(xmm_reg) _,
            options(nostack)
        );
    }
    whole
}
