//! Modelled time: it changes nothing, and nothing changes it.

use std::collections::BTreeMap;

use neuron_device::prelude::*;
use neuron_examples::{LIBRARIES, STAGED};
use neuron_host_sim::cost::{CostModel, Modelled};
use neuron_host_sim::{Report, Simulator, SimulatorBuilder, args};
use neuron_tests::compare::{Trial, Value, launch, trials};

use crate::ramp;

/// A launch, wherever it is wanted.
struct Launch {
    name: String,
    run: Box<dyn Fn(&mut Simulator) -> Report>,
}

/// Launches of every example: some of each op's in the tables, from its first to its last, whose tensors are small; and
/// some that stage.
fn launches() -> Vec<Launch> {
    let mut by_op: BTreeMap<(&str, &str), Vec<Trial>> = BTreeMap::new();
    for trial in trials() {
        let tensors = trial.arguments.iter().filter_map(|argument| match argument {
            Value::Tensor(tensor) => Some(tensor),
            Value::Scalar(_) => None,
        });
        let tensors: Vec<_> = tensors.chain([&trial.output]).collect();
        if tensors.iter().all(|tensor| !tensor.is_partial() && tensor.elems() <= 4096) {
            by_op.entry((trial.library.name(), trial.op.name())).or_default().push(trial);
        }
    }
    let mut launches = Vec::new();
    for (library, op) in
        LIBRARIES.iter().flat_map(|library| library.ops().iter().map(move |op| (library, op)))
    {
        let trials = by_op.remove(&(library.name(), op.name())).unwrap_or_default();
        assert!(
            !trials.is_empty() || op.name().starts_with("relu_"),
            "no launch of {} in the tables",
            op.name()
        );
        let step = trials.len().div_ceil(6).max(1);
        for trial in trials.into_iter().step_by(step) {
            let name = trial.name();
            launches.push(Launch { name, run: Box::new(move |sim| launch(sim, &trial).unwrap()) });
        }
    }
    for op in ["relu_staged", "relu_streamed"] {
        for length in [0, 5, 1024, 20_000] {
            let run = move |sim: &mut Simulator| sim.launch((&STAGED, op), &args![&ramp(&[length])]).unwrap();
            launches.push(Launch { name: format!("{op} [{length}]"), run: Box::new(run) });
        }
    }
    launches
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
    for Launch { name, run } in launches() {
        let report = run(&mut bare);
        let expected = left(&report);
        for sim in &mut others {
            let other = run(sim);
            if let Some(timeline) = other.timeline() {
                timeline.write(std::io::sink()).unwrap();
            }
            // What goes wrong is found with checks alone; without, a race gives whatever it gives.
            if report.is_clean() || other.is_checked() {
                assert_eq!(left(&other), expected, "{name}");
            }
            if other.is_checked() {
                assert_eq!(other.faults(), report.faults(), "{name}");
            }
        }
    }
}

#[test]
fn modelled_time_depends_on_neither_threads_nor_checks() {
    let machines = [1, 2, 8].into_iter().flat_map(|threads| [machine(threads), machine(threads).unchecked()]);
    let mut sims: Vec<_> = machines.map(|machine| built(machine.cost_model(CostModel::default()))).collect();
    for Launch { name, run } in launches() {
        let mut found: Option<(Modelled, Vec<u8>)> = None;
        for sim in &mut sims {
            let report = run(sim);
            let mut trace = Vec::new();
            report.timeline().unwrap().write(&mut trace).unwrap();
            let modelled = (report.modelled().unwrap().clone(), trace);
            // A kernel with a fault may read what only another core knows, if nothing keeps them apart.
            if report.is_clean() {
                assert_eq!(*found.get_or_insert(modelled.clone()), modelled, "{name}");
            }
        }
    }
}

/// Sums what a stream gives: `alone` of its elements one by one, the others by chunks.
#[custom_op]
fn streamed_sum(q7: &Q7, x: &Tensor, alone: i32, out: &mut Tensor) -> Result<()> {
    let mut stream = x.read_stream_accessor::<f32>(q7, ..)?;
    let mut sum: f32 = (0..alone).map(|_| stream.read()).sum();
    while let Some(chunk) = stream.next_chunk() {
        sum += chunk.iter().sum::<f32>();
    }
    drop(stream);
    let dst = out.elements_mut::<f32>(q7)?;
    (0..x.numel()).for_each(|i| dst.set(i, sum));
    Ok(())
}

/// An element that a stream gives alone costs a load from TCM, with its latency; in a chunk it costs its bytes.
#[test]
fn elements_of_a_stream_are_loaded_one_by_one_and_chunks_as_slices() {
    let x = ramp(&[2000]);
    let tcm = |alone: i32| {
        let mut sim = built(machine(1).cores(1).cost_model(CostModel::default()));
        let report = sim.launch(op!(streamed_sum), &args![&x, alone]).unwrap();
        assert_eq!(report.total().copies.tcm_loads, alone as u64);
        report.modelled().unwrap().cores()[0].split.tcm.to_string()
    };
    // 3 cycles each at 1.4 GHz.
    assert_eq!(tcm(2000), "4.285 µs");
    // Two chunks: a latency each, and 64 bytes a cycle.
    assert_eq!(tcm(0), "93.571 ns");
    // 500 alone, and of the first chunk the other 524.
    assert_eq!(tcm(500), "1.142 µs");
}
