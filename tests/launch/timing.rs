//! Modelled time: it changes nothing, and nothing changes it.

use std::collections::BTreeMap;

use neuron_examples::LIBRARIES;
use neuron_host_sim::cost::{CostModel, Modelled};
use neuron_host_sim::{Report, Simulator, SimulatorBuilder};
use neuron_tests::compare::{Trial, Value, launch, trials};

/// Launches of every example: some of each op's, from its first to its last, whose tensors are small.
fn launches() -> Vec<Trial> {
    let mut by_op: BTreeMap<(&str, &str), Vec<Trial>> = BTreeMap::new();
    for trial in trials() {
        let tensors = trial.arguments.iter().filter_map(|argument| match argument {
            Value::Tensor(tensor) => Some(tensor),
            Value::Scalar(_) => None,
        });
        let is_small = tensors.chain([&trial.output]).all(|tensor| !tensor.is_partial() && tensor.elems() <= 4096);
        if is_small && LIBRARIES.iter().any(|library| library.name() == trial.library.name()) {
            by_op.entry((trial.library.name(), trial.op.name())).or_default().push(trial);
        }
    }
    let ops: usize = LIBRARIES.iter().map(|library| library.ops().len()).sum();
    assert_eq!(by_op.len(), ops, "{:?}", by_op.keys());
    let some = by_op.into_values().flat_map(|trials| {
        let step = trials.len().div_ceil(6);
        trials.into_iter().step_by(step)
    });
    some.collect()
}

fn machine(threads: usize) -> SimulatorBuilder {
    Simulator::builder().host_threads(threads).scratch(1 << 20)
}

fn built(machine: SimulatorBuilder) -> Simulator {
    machine.build().unwrap()
}

/// What a launch leaves: each core's end and counters, and every byte of the output.
fn left(report: &Report) -> (String, Vec<u8>) {
    (format!("{:?}", report.cores()), report.output().to_host().to_bytes())
}

#[test]
fn the_model_the_trace_and_the_checks_change_no_output_and_no_counter() {
    let timed = |machine: SimulatorBuilder| built(machine.cost_model(CostModel::default()));
    let plain = |machine: SimulatorBuilder| built(machine);
    let mut bare = plain(machine(1));
    let mut others = [timed(machine(1)), plain(machine(1).unchecked()), timed(machine(1).unchecked())];
    for trial in launches() {
        let report = launch(&mut bare, &trial).unwrap();
        let expected = left(&report);
        for sim in &mut others {
            let other = launch(sim, &trial).unwrap();
            if let Some(timeline) = other.timeline() {
                timeline.write(std::io::sink()).unwrap();
            }
            // What goes wrong is found with checks alone; without, a race gives whatever it gives.
            if report.is_clean() || other.is_checked() {
                assert_eq!(left(&other), expected, "{}", trial.name());
            }
            if other.is_checked() {
                assert_eq!(other.faults(), report.faults(), "{}", trial.name());
            }
        }
    }
}

#[test]
fn modelled_time_depends_on_neither_threads_nor_checks() {
    let machines = [1, 2, 8].into_iter().flat_map(|threads| [machine(threads), machine(threads).unchecked()]);
    let mut sims: Vec<_> = machines.map(|machine| built(machine.cost_model(CostModel::default()))).collect();
    for trial in launches() {
        let mut found: Option<(Modelled, Vec<u8>)> = None;
        for sim in &mut sims {
            let report = launch(sim, &trial).unwrap();
            let mut trace = Vec::new();
            report.timeline().unwrap().write(&mut trace).unwrap();
            let modelled = (report.modelled().unwrap().clone(), trace);
            // A kernel with a fault may read what only another core knows, if nothing keeps them apart.
            if report.is_clean() {
                assert_eq!(*found.get_or_insert(modelled.clone()), modelled, "{}", trial.name());
            }
        }
    }
}
