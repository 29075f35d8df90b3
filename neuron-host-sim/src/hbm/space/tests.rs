use proptest::prelude::*;

use super::*;

proptest! {
    /// Blocks never overlap, and when all are back the space is one range again.
    #[test]
    fn blocks_are_disjoint_and_all_come_back(
        steps in prop::collection::vec((any::<bool>(), 0u64..40_000, any::<prop::sample::Index>()), 0..60),
    ) {
        let (start, end) = (PAGE * 7, PAGE * 107);
        let mut space = Space::new(start, end);
        let mut live: Vec<(u64, u64)> = Vec::new();
        for (take, bytes, which) in steps {
            if take {
                if let Some(at) = space.allocate(bytes) {
                    let len = rounded(bytes).unwrap();
                    prop_assert!(at >= start && at + len <= end && at % PAGE == 0);
                    let apart = |&(other, bytes): &(u64, u64)| {
                        at + len <= other || other + rounded(bytes).unwrap() <= at
                    };
                    prop_assert!(live.iter().all(apart));
                    live.push((at, bytes));
                } else {
                    prop_assert!(space.largest() < rounded(bytes).unwrap());
                }
            } else if !live.is_empty() {
                let (at, bytes) = live.swap_remove(which.index(live.len()));
                space.release(at, bytes);
            }
        }
        for (at, bytes) in live {
            space.release(at, bytes);
        }
        prop_assert_eq!(space.largest(), end - start);
    }
}

#[test]
fn an_absurd_request_is_refused() {
    assert_eq!(Space::new(0, PAGE).allocate(u64::MAX), None);
}
