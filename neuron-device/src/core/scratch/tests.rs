use std::collections::BTreeSet;
use std::vec::Vec;

use proptest::prelude::*;

use super::*;
use crate::port::fault::Access;

fn site() -> Site {
    core::panic::Location::caller()
}

proptest! {
    /// Each block knows the bytes of it that were written, whatever runs they came in, or that it lost count.
    #[test]
    fn blocks_know_their_written_bytes(
        sizes in prop::collection::vec(0u64..90, 1..5),
        runs in prop::collection::vec((0u64..400, -90i64..90, 0u64..12, 0u32..4), 0..12),
    ) {
        const BASE: u64 = 0x10_0000;
        let mut scratch = Scratch::new(HbmAddr::new(BASE), 4096);
        let starts: Vec<_> = sizes.iter().map(|&bytes| scratch.allocate(bytes, site()).unwrap()).collect();
        let mut written = BTreeSet::new();
        for (start, step, count, size) in runs {
            let (bytes, start) = (1 << size, BASE + start);
            scratch.note(&Run { access: Access::Write, start: HbmAddr::new(start), step, count, bytes, site: site() });
            for access in 0..count {
                let first = (start).wrapping_add_signed(step * access as i64);
                written.extend(first..first + bytes);
            }
        }
        for (&start, &size) in starts.iter().zip(&sizes) {
            let block = &scratch.block_at(start).unwrap().written;
            let expected: BTreeSet<_> = (0..size).filter(|at| written.contains(&(start.get() + at))).collect();
            let known: BTreeSet<_> = (0..size).filter(|&at| block.runs.contains(at)).collect();
            match block.overflow {
                None => prop_assert_eq!(known, expected),
                Some(_) => prop_assert!(known.is_subset(&expected)),
            }
        }
    }
}
