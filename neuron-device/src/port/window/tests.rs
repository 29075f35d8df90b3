use std::boxed::Box;
use std::vec;

use super::*;

/// A window of `words` 8-byte words from `start`, over memory that stays to the test's end.
fn window(start: u64, words: usize) -> MappedWindow {
    let memory: &'static mut [u64] = Box::leak(vec![0; words].into_boxed_slice());
    let native = NonNull::from(memory).cast();
    // SAFETY: the memory is `words` words long, is never freed, and nothing else knows it.
    unsafe { MappedWindow::new(HbmAddr::new(start), 8 * words as u64, native) }
}

/// Every byte of a window is found at its place, and none before or behind it.
#[test]
fn a_window_shows_its_bytes_and_no_others() {
    for (start, words) in [(0, 4), (8, 1), (0x12_34F0_0008, 4), (u64::MAX - 31, 3)] {
        let window = window(start, words);
        let len = 8 * words as u64;
        assert_eq!(window.end(), start + len);
        assert_eq!(window.origin().wrapping_add(start as usize), window.native);
        for at in 0..len {
            let Located(native) = window.locate(start + at).unwrap();
            assert_eq!(native, window.native.wrapping_add(at as usize), "{start:#x} + {at}");
        }
        for outside in [start.wrapping_sub(1), start + len, start.wrapping_add(1 << 40)] {
            assert!(window.locate(outside).is_none(), "{start:#x}, {len} bytes, at {outside:#x}");
        }
    }
}

#[test]
fn the_default_shows_nothing() {
    let nothing = MappedWindow::default();
    assert_eq!(nothing.end(), 0);
    assert!([0, 1, u64::MAX].into_iter().all(|addr| nothing.locate(addr).is_none()));
}

/// Start, length and pointer each have to be multiples of 8: every one is refused alone.
#[test]
fn an_element_may_not_straddle_an_edge() {
    let mut memory = [0_u64; 4];
    let native = NonNull::from(&mut memory).cast::<u8>();
    let odd = NonNull::from(&mut memory).cast::<[u8; 4]>().map_addr(|addr| addr | 4).cast::<u8>();
    for (start, len, native) in [(4, 8, native), (8, 12, native), (8, 8, odd), (u64::MAX - 7, 16, native)] {
        // SAFETY: what is valid is refused before it is used.
        let made =
            std::panic::catch_unwind(|| unsafe { MappedWindow::new(HbmAddr::new(start), len, native) });
        assert!(made.is_err(), "{start:#x}, {len} bytes, at {native:p}");
    }
}
