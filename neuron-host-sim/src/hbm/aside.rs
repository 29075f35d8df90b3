//! Copies that leave the processor's caches to others: what is kept in case it is needed, and mostly is not.

/// Copy `to.len()` bytes from `from` past the caches. Beside copying it into them this halves what a launch loses by it.
///
/// # Safety
/// `from` is valid for reads of so many bytes, and nobody writes to them.
#[cfg(target_arch = "x86_64")]
pub(super) unsafe fn copy(from: *const u8, to: &mut [u8]) {
    use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_sfence, _mm_stream_si128};
    // SAFETY: any bytes are a vector, and vectors are written as such only.
    let (head, vectors, tail) = unsafe { to.align_to_mut::<__m128i>() };
    // SAFETY: `from` has as many bytes as `to`, of which these are the first.
    unsafe { std::ptr::copy_nonoverlapping(from, head.as_mut_ptr(), head.len()) };
    let mut from = from.wrapping_add(head.len());
    for vector in vectors {
        // SAFETY: 16 bytes of `from`, for the 16 of `to` that this vector is.
        let bytes = unsafe { _mm_loadu_si128(from.cast()) };
        // SAFETY: a vector of `to`, which is aligned to 16 bytes.
        unsafe { _mm_stream_si128(vector, bytes) };
        from = from.wrapping_add(16);
    }
    // SAFETY: as for the first bytes, of the last ones.
    unsafe { std::ptr::copy_nonoverlapping(from, tail.as_mut_ptr(), tail.len()) };
    // SAFETY: every x86-64 processor has it.
    unsafe { _mm_sfence() };
}

/// Copy `to.len()` bytes from `from`.
///
/// # Safety
/// `from` is valid for reads of so many bytes, and nobody writes to them.
#[cfg(not(target_arch = "x86_64"))]
pub(super) unsafe fn copy(from: *const u8, to: &mut [u8]) {
    // SAFETY: the caller's promise; the two are different memory.
    unsafe { std::ptr::copy_nonoverlapping(from, to.as_mut_ptr(), to.len()) };
}

#[test]
fn every_byte_is_copied_wherever_it_lies() {
    let from: Vec<u8> = (0..200).map(|byte| byte as u8 ^ 0x5A).collect();
    for start in 0..17 {
        for end in start..150 {
            let mut to = [0; 200];
            // SAFETY: `from` has more bytes than that.
            unsafe { copy(from[3..].as_ptr(), &mut to[start..end]) };
            assert_eq!(&to[start..end], &from[3..3 + end - start], "{start}..{end}");
            assert!(
                to[..start].iter().chain(&to[end..]).all(|&byte| byte == 0),
                "{start}..{end}: neighbours"
            );
        }
    }
}
