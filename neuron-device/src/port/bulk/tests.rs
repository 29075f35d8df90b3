//! Both copies, by words and the one this target has chosen, in both directions.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::vec::Vec;
use std::{thread, vec};

use proptest::prelude::*;

use super::{chosen, words};

type Copy = unsafe fn(*const u8, *mut u8, usize);

const COPIES: [(&str, Copy); 4] = [
    ("from shared, by words", words::copy_from_shared),
    ("to shared, by words", words::copy_to_shared),
    ("from shared, as chosen", chosen::copy_from_shared),
    ("to shared, as chosen", chosen::copy_to_shared),
];

/// Bytes a copy must leave alone, before and behind.
const MARGIN: usize = 80;

/// Places a side may have, from one of 64 bytes.
const PLACES: usize = 17;

/// Two pieces of memory, each aligned to 64 bytes, for copies of so many bytes and less.
struct Bench {
    source: Vec<u8>,
    target: Vec<u8>,
    most: usize,
}

impl Bench {
    fn new(most: usize) -> Self {
        let len = most + PLACES + 2 * MARGIN + 64;
        // No two near bytes alike, and no two at the distance of a vector or a round.
        let source = (0..len).map(|index| (index % 251) as u8).collect();
        Self { source, target: vec![0xA5; len], most }
    }

    /// Copy `bytes` bytes between these places; all of them have to arrive and no other to change.
    fn check(&mut self, (name, copy): (&str, Copy), bytes: usize, from: usize, to: usize) {
        assert!(bytes <= self.most && from < PLACES && to < PLACES);
        let start = |memory: &[u8]| MARGIN + memory[MARGIN..].as_ptr().align_offset(64);
        let (from, to) = (start(&self.source) + from, start(&self.target) + to);
        let (source, target) = (self.source.as_mut_ptr(), self.target.as_mut_ptr());
        // SAFETY: both places have `bytes` bytes behind them, in memory of their own that only this thread accesses.
        unsafe { copy(source.wrapping_add(from), target.wrapping_add(to), bytes) };
        let (before, rest) = self.target.split_at_mut(to);
        let (copied, behind) = rest.split_at_mut(bytes);
        let seen = |what: &str| std::format!("{name}: {bytes} bytes from +{from} to +{to}: {what}");
        assert!(*copied == self.source[from..from + bytes], "{}", seen("other bytes arrived"));
        let near = [&before[before.len() - MARGIN..], &behind[..MARGIN]];
        assert_eq!(near, [[0xA5; MARGIN]; 2], "{}", seen("a neighbour changed"));
        copied.fill(0xA5);
    }

    fn check_everywhere(&mut self, bytes: usize) {
        for copy in COPIES {
            for from in 0..PLACES {
                for to in 0..PLACES {
                    self.check(copy, bytes, from, to);
                }
            }
        }
    }
}

#[test]
fn small_copies_of_every_size_are_right_at_every_alignment() {
    let mut bench = Bench::new(300);
    (0..=300).for_each(|bytes| bench.check_everywhere(bytes));
}

#[test]
fn copies_around_powers_of_two_are_right_at_every_alignment() {
    let mut bench = Bench::new((1 << 16) + 1);
    for power in (9..=16).map(|exponent| 1 << exponent) {
        (power - 1..=power + 1).for_each(|bytes| bench.check_everywhere(bytes));
    }
}

#[test]
fn no_bytes_need_no_memory() {
    for (_, copy) in COPIES {
        // SAFETY: nothing is to be copied.
        unsafe { copy(core::ptr::null(), core::ptr::null_mut(), 0) };
    }
}

proptest! {
    #[test]
    fn copies_of_any_size_are_right(bytes in 0_usize..=1 << 16, from in 0..PLACES, to in 0..PLACES) {
        let mut bench = Bench::new(bytes);
        COPIES.into_iter().for_each(|copy| bench.check(copy, bytes, from, to));
    }
}

/// Bytes that others write meanwhile come from before or from after, none from nowhere; what both copy at once likewise.
#[test]
fn racing_copies_bring_bytes_that_somebody_wrote() {
    const WORDS: usize = 200;
    for (to_shared, from_shared) in
        [(COPIES[1], COPIES[0]), (COPIES[3], COPIES[2])].map(|(to, from)| (to.1, from.1))
    {
        let shared: Vec<AtomicU64> = (0..WORDS).map(|_| AtomicU64::new(0)).collect();
        let (memory, over) = (shared.as_slice(), AtomicBool::new(false));
        thread::scope(|scope| {
            for byte in [0x11_u8, 0x22] {
                let over = &over;
                scope.spawn(move || {
                    let own = [byte; 8 * WORDS];
                    for start in (0..8).cycle().take_while(|_| !over.load(Relaxed)) {
                        let to = memory.as_ptr().cast_mut().cast::<u8>().wrapping_add(start);
                        // SAFETY: so many bytes are left of the shared memory, which only these copies access.
                        unsafe { to_shared(own.as_ptr(), to, own.len() - start) };
                    }
                });
            }
            for round in 0..2_000 {
                let (mut own, start) = ([0xFF_u8; 8 * WORDS], round % 8);
                let from = memory.as_ptr().cast::<u8>().wrapping_add(start);
                // SAFETY: as above.
                unsafe { from_shared(from, own.as_mut_ptr(), own.len() - start) };
                let arrived = &own[..own.len() - start];
                assert!(arrived.iter().all(|byte| [0, 0x11, 0x22].contains(byte)), "{arrived:x?}");
            }
            over.store(true, Relaxed);
        });
    }
}
