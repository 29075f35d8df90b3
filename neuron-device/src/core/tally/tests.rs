use std::vec::Vec;

use proptest::prelude::*;

use super::*;

const READ4: Class = Class { access: Access::Read, bytes: 4 };

fn access(tally: &Tally, runs: &mut Vec<Run>, addr: u64, site: Site) {
    if tally.go_on::<f32>(addr, site).is_none() && tally.stride_on(addr, site).is_none() {
        runs.extend(tally.turn(READ4, addr, site));
    }
}

/// As an accessor by flat index does, of a tensor whose storage begins at address 64.
fn access_by_index(tally: &Tally, runs: &mut Vec<Run>, layout: &Layout, index: u64, site: Site) {
    if tally.step_on(layout, index, site).is_none() {
        let addr = 64 + 4 * tally.go(layout, index).unwrap();
        access(tally, runs, addr, site);
        tally.begin_steps(READ4, addr, index);
    }
}

/// A window of 256 bytes from address 64, to which nobody goes.
fn window() -> MappedWindow {
    let native = core::ptr::NonNull::<u64>::dangling().cast();
    // SAFETY: what is located in it is not followed.
    unsafe { MappedWindow::new(HbmAddr::new(64), 256, native) }
}

fn unrolled(runs: &[Run]) -> Vec<(u64, Site)> {
    let unroll = |run: &Run| {
        let (start, step, site) = (run.start.get(), run.step, run.site);
        (0..run.count as i64).map(move |k| (start.wrapping_add_signed(step * k), site))
    };
    runs.iter().flat_map(unroll).collect()
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
        let expected: Vec<_> = accesses.iter().map(|&(at, site)| (64 + at * 4, sites[site])).collect();
        prop_assert_eq!(unrolled(&runs), expected);
    }

    /// Nor does it when accessors of every kind share a tally, also while its window goes and comes, or shows only some
    /// of the elements, and while its accesses are counted.
    #[test]
    fn runs_unroll_to_accesses_of_every_kind(
        bursts in prop::collection::vec((0usize..4, 0u64..12, 1u64..9, 0u64..3, 0usize..2, 0u8..4), 0..40),
    ) {
        let sites = sites();
        let layouts = [
            Layout::contiguous(&[4, 6]).unwrap().transpose(0, 1).unwrap(),
            Layout::strided(&[4, 6], &[10, 1], 3).unwrap(),
            Layout::strided(&[24], &[5], 0).unwrap(),
        ];
        let tallies = Tallies::new();
        let tally = tallies.open(READ4);
        let (mut runs, mut expected) = (Vec::new(), Vec::new());
        for &(way, from, count, by, site, before) in &bursts {
            match before {
                0 => tally.evict(0),
                1 => tally.serve(0, window()),
                2 => prop_assert_eq!(tally.count(READ4), expected.len() as u64),
                _ => (),
            }
            for index in (0..count).map(|k| from + by * k) {
                let addr = match layouts.get(way) {
                    Some(layout) => {
                        access_by_index(tally, &mut runs, layout, index % 24, sites[site]);
                        64 + 4 * layout.offset_of_flat(index % 24)
                    }
                    None => {
                        access(tally, &mut runs, 64 + 8 * index, sites[site]);
                        64 + 8 * index
                    }
                };
                expected.push((addr, sites[site]));
            }
        }
        runs.extend(tally.take_run(READ4));
        prop_assert_eq!(tally.count(READ4), expected.len() as u64);
        prop_assert_eq!(unrolled(&runs), expected);
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

/// The quick way is taken: but for the first two rows, one element of a row is looked up.
#[test]
fn a_transposed_layout_goes_by_steps() {
    let [site, _] = sites();
    let layout = Layout::contiguous(&[8, 8]).unwrap().transpose(0, 1).unwrap();
    let tallies = Tallies::new();
    let (tally, mut runs) = (tallies.open(READ4), Vec::new());
    tally.serve(0, window());
    let mut stepped = 0;
    for index in 0..layout.numel() {
        match tally.step_on(&layout, index, site) {
            Some(_) => stepped += 1,
            None => access_by_index(tally, &mut runs, &layout, index, site),
        }
    }
    assert_eq!(stepped, 6 + 7 * 7);
    runs.extend(tally.take_run(READ4));
    assert_eq!(runs.iter().map(|run| (run.count, run.step)).collect::<Vec<_>>(), [(8, 32); 8]);
}
