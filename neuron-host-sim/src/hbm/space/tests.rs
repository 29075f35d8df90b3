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

#[test]
fn what_is_free_can_be_taken_where_it_lies() {
    let mut space = Space::new(0, 10 * PAGE);
    assert!(space.take(2 * PAGE, 1));
    assert!(space.take(4 * PAGE, 2 * PAGE));
    for (start, bytes) in [(2 * PAGE, 1), (3 * PAGE, PAGE + 1), (0, 3 * PAGE), (9 * PAGE, PAGE + 1), (1, 1)] {
        assert!(!space.take(start, bytes), "{bytes} bytes at {start}");
    }
    assert!(!space.take(u64::MAX - PAGE + 1, PAGE) && !space.take(0, u64::MAX));
    assert!(space.take(3 * PAGE, PAGE) && space.take(0, 2 * PAGE) && space.take(6 * PAGE, 4 * PAGE));
    assert_eq!(space.largest(), 0);
    [(0, 2 * PAGE), (2 * PAGE, 1), (3 * PAGE, PAGE), (4 * PAGE, 2 * PAGE), (6 * PAGE, 4 * PAGE)]
        .into_iter()
        .for_each(|(start, bytes)| space.release(start, bytes));
    assert_eq!(space.largest(), 10 * PAGE);
}
