//! Every seed is found, where it is, and nothing else.

use std::collections::BTreeSet;

use neuron_device::Op;
use neuron_host_sim::Verdict;

use crate::suite::launch::{Machines, Missed};
use crate::suite::marker::{extent, judge, marked, numbered, read};
use crate::suite::{missed, seeds};

#[test]
fn every_seed_is_found_at_its_lines_and_nothing_else() {
    let mut machines = Machines::on_threads(1);
    let wrong: Vec<String> =
        seeds().iter().filter_map(|seed| judge(&seed.run(&mut machines)).err()).collect();
    assert!(wrong.is_empty(), "{} seeds:\n\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn there_are_forty_kernels_and_a_seed_of_every_verdict() {
    let seeds = seeds();
    let kernels: BTreeSet<&str> = seeds.iter().map(|seed| seed.op.name()).collect();
    assert!(kernels.len() >= 40, "{} kernels", kernels.len());
    let seeded: BTreeSet<String> =
        seeds.iter().flat_map(|seed| marked(seed.op)).map(|told| told.verdict).collect();
    let all: BTreeSet<String> = Verdict::ALL.iter().map(|verdict| verdict.name().to_owned()).collect();
    assert_eq!(seeded, all);
}

/// What is missed is known, and is noticed when it is mended: then it becomes a seed.
#[test]
fn what_is_missed_is_missed_still() {
    let mut machines = Machines::on_threads(1);
    for Missed { launch, why } in missed() {
        let report = launch.run(&mut machines);
        assert!(judge(&report).is_err(), "{} is found; it was said that {why}", launch.name());
    }
}

/// A kernel that nobody launches would seem to be found.
#[test]
fn every_marker_is_of_a_kernel_that_is_launched() {
    let missed = missed().into_iter().map(|missed| missed.launch);
    let ops: Vec<_> = seeds().into_iter().chain(missed).map(|seed| seed.op).collect();
    assert!(ops.iter().all(|op| !marked(op).is_empty()), "a seed without a marker");
    let unclaimed: BTreeSet<String> = ops.iter().flat_map(|op| unclaimed(op, &ops)).collect();
    assert!(unclaimed.is_empty(), "{unclaimed:?}");
}

/// Markers of the file `op` is in that belong to none of `ops`, as `file:line`.
fn unclaimed(op: &Op, ops: &[&'static Op]) -> Vec<String> {
    let file = op.source().file;
    let text = read(file);
    let here = ops.iter().filter(|op| op.source().file == file);
    let known: Vec<u32> = here.flat_map(|op| extent(op, &text)).map(|(number, _)| number).collect();
    let marked = numbered(&text).filter(|(_, line)| line.contains("//~") && !line.ends_with("//~ host"));
    marked
        .filter(|(number, _)| !known.contains(number))
        .map(|(number, _)| format!("{file}:{number}"))
        .collect()
}
