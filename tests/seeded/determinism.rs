//! The same report, byte for byte, in every run and on any number of host threads.

use crate::suite::launch::Launch;
use crate::suite::repeat::Recorded;
use crate::suite::{clean, seeds};

/// Runs of each launch on each number of threads; `seeded-runs` makes as many as it is told.
const RUNS: u64 = 20;

fn are_alike(launches: Vec<Launch>) {
    let recorded = Recorded::of(launches).unwrap_or_else(|difference| panic!("{difference}"));
    let runs = recorded.repeat(RUNS).unwrap_or_else(|difference| panic!("{difference}"));
    assert_eq!(runs, 3 * RUNS * recorded.len() as u64);
}

#[test]
fn r08_r10_seeds_are_found_alike_in_every_run() {
    are_alike(seeds());
}

#[test]
fn r07_clean_launches_are_silent_in_every_run() {
    are_alike(clean());
}
