use std::vec::Vec;

use proptest::prelude::*;

use super::*;

fn check(split: fn(u64, u32, u32) -> Range<u64>, n: u64, parts: u32) -> Vec<u64> {
    let shares: Vec<_> = (0..parts).map(|part| split(n, part, parts)).collect();
    let mut next = 0;
    for share in &shares {
        assert!(share.start == next && share.start <= share.end, "{n} over {parts}: {shares:?}");
        next = share.end;
    }
    assert_eq!(next, n, "{n} over {parts}: {shares:?}");
    shares.iter().map(|share| share.end - share.start).collect()
}

/// R02: for every length and core count, union exact, no overlap, sizes that differ by at most one.
#[test]
fn r02_balanced_shares_cover_exactly() {
    for parts in 1..=8 {
        for n in (0..=65).chain([4096, 4097, 4103, u64::from(u32::MAX), u64::MAX]) {
            let lens = check(balanced, n, parts);
            assert!(
                lens.iter().max().unwrap() - lens.iter().min().unwrap() <= 1,
                "{n} over {parts}: {lens:?}"
            );
            assert!(lens.is_sorted_by(|a, b| a >= b));
        }
    }
}

/// N02: the ceiling split loses no remainder either.
#[test]
fn n02_ceiling_shares_cover_exactly() {
    for parts in 1..=8 {
        for n in (0..=65).chain([4103, u64::from(u32::MAX), u64::MAX / 2]) {
            check(ceiling, n, parts);
        }
    }
    assert_eq!(check(ceiling, 9, 8), [2, 2, 2, 2, 1, 0, 0, 0]);
}

proptest! {
    #[test]
    fn tiles_cover_the_share(start in 0u64..1000, len in 0u64..1000, tile in 1u32..300) {
        let share = Partition::<u64>::new(start..start + len);
        let spans: Vec<_> = share.tiles(tile).collect();
        let mut next = start;
        for span in &spans {
            prop_assert_eq!(span.offset, next);
            prop_assert!(span.len > 0 && span.len <= tile);
            next += u64::from(span.len);
        }
        prop_assert_eq!(next, start + len);
        prop_assert!(spans.iter().rev().skip(1).all(|span| span.len == tile));
    }
}
