use proptest::prelude::*;

use super::*;

proptest! {
    #[test]
    fn runs_equal_a_set_of_bytes(inserts in prop::collection::vec((0u64..60, 0u64..9), 0..30)) {
        let mut runs = Runs::default();
        let mut bytes = [false; 80];
        for (start, len) in inserts {
            let mut after = bytes;
            after[start as usize..(start + len) as usize].fill(true);
            let groups = after.split(|&set| !set).filter(|group| !group.is_empty()).count();
            match runs.insert(start, start + len) {
                Ok(()) => bytes = after,
                Err(TooManyRuns) => prop_assert!(groups > MAX_RUNS),
            }
            for (at, &set) in bytes.iter().enumerate() {
                prop_assert_eq!(runs.contains(at as u64), set);
            }
            prop_assert!(runs.as_slice().windows(2).all(|pair| pair[0].end < pair[1].start));
        }
    }
}

#[test]
fn the_ninth_run_is_refused_and_a_join_makes_room() {
    let mut runs = Runs::default();
    for k in 0..8 {
        runs.insert(k * 10, k * 10 + 1).unwrap();
    }
    assert_eq!(runs.insert(80, 81), Err(TooManyRuns));
    runs.insert(1, 10).unwrap();
    runs.insert(80, 81).unwrap();
    assert_eq!(runs.as_slice().len(), 8);
}
