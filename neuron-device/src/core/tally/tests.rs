use std::vec::Vec;

use proptest::prelude::*;

use super::*;

const READ4: Class = Class { access: Access::Read, bytes: 4 };

fn access(tally: &Tally, runs: &mut Vec<Run>, addr: u64, site: Site) {
    if tally.go_on::<f32>(addr, site).is_none() {
        runs.extend(tally.turn(READ4, addr, site));
    }
}

fn sites() -> [Site; 2] {
    [core::panic::Location::caller(), core::panic::Location::caller()]
}

proptest! {
    /// Coalescing loses, invents and reorders nothing.
    #[test]
    fn runs_unroll_to_the_accesses(accesses in prop::collection::vec((0u64..6, 0usize..2), 0..60)) {
        let sites = sites();
        let tallies = Tallies::new();
        let tally = tallies.open(READ4);
        let mut runs = Vec::new();
        for (made, &(at, site)) in accesses.iter().enumerate() {
            prop_assert_eq!(tally.count(READ4), made as u64);
            access(tally, &mut runs, 64 + at * 4, sites[site]);
        }
        runs.extend(tally.take_run(READ4));
        prop_assert_eq!(tally.take_run(READ4), None);
        let unrolled: Vec<_> = runs
            .iter()
            .flat_map(|run| (0..run.count).map(move |k| (run.start.get().wrapping_add_signed(run.step * k as i64), run.site)))
            .collect();
        let expected: Vec<_> = accesses.iter().map(|&(at, site)| (64 + at * 4, sites[site])).collect();
        prop_assert_eq!(unrolled, expected);
    }
}

#[test]
fn steady_walks_are_one_run_each() {
    let [site, _] = sites();
    for step in [4i64, -4, 0, 400] {
        let tallies = Tallies::new();
        let tally = tallies.open(READ4);
        let mut runs = Vec::new();
        for k in 0..100 {
            access(tally, &mut runs, 100_000u64.wrapping_add_signed(step * k), site);
        }
        runs.extend(tally.take_run(READ4));
        let seen: Vec<_> = runs.iter().map(|run| (run.count, run.step)).collect();
        assert_eq!(seen, [(100, step)]);
    }
}

#[test]
fn the_miss_is_no_hit() {
    let tallies = Tallies::new();
    let (tally, mut runs) = (tallies.open(READ4), Vec::new());
    let [site, _] = sites();
    for addr in [0, 4, 8, 8, 8, 4, 0, 400, 404, 0] {
        access(tally, &mut runs, addr, site);
    }
    assert_eq!(tally.settle(READ4, true), 10);
    access(tally, &mut runs, 8, site);
    access(tally, &mut runs, 12, site);
    assert_eq!(tally.settle(READ4, false), 1);
}

#[test]
fn many_accessors_share_and_none_is_forgotten() {
    let tallies = Tallies::new();
    for opened in 0..1000 {
        access(tallies.open(READ4), &mut Vec::new(), 64 + 4 * (opened % 7), sites()[0]);
        let total: u64 = tallies.iter().map(|(class, tally)| tally.count(class)).sum();
        assert_eq!(total, opened + 1);
    }
}
