//! The same report, byte for byte, in every run and on any number of host threads.

use crate::suite::{clean, repeat, seeds};

/// Runs of each launch on each number of threads; `seeded-runs` makes as many as it is told.
const RUNS: u64 = 20;

#[test]
fn r08_r10_seeds_are_found_alike_in_every_run() {
    let runs = repeat(&seeds(), RUNS).unwrap_or_else(|difference| panic!("{difference}"));
    assert_eq!(runs, 3 * RUNS * seeds().len() as u64);
}

#[test]
fn r07_clean_launches_are_silent_in_every_run() {
    repeat(&clean(), RUNS).unwrap_or_else(|difference| panic!("{difference}"));
}
