//! What a launch costs that does nothing, and what a simulator costs that does not launch: medians beside targets.
//!
//! Not criterion's: it measures one thing after the other, and here two must be measured in turns, as a thread's wake-up
//! takes another time every minute.

mod launch {
    pub(crate) mod memory;
    pub(crate) mod wake;
}

use std::time::{Duration, Instant};

use launch::memory::resident_bytes;
use launch::wake::Sleepers;
use neuron_device::Op;
use neuron_device::prelude::*;
use neuron_host_sim::{Arg, HbmTensor, HostTensor, Simulator, args, switch_and_back};

/// Does nothing.
#[custom_op]
fn nothing(_q7: &Q7, _x: &Tensor, _out: &mut Tensor) -> Result<()> {
    Ok(())
}

/// The same, of no tensors and of four.
#[custom_op(shape = empty_shape)]
fn of_none(_q7: &Q7, _out: &mut Tensor) -> Result<()> {
    Ok(())
}

#[custom_op]
fn of_four(_q7: &Q7, _a: &Tensor, _b: &Tensor, _c: &Tensor, _d: &Tensor, _out: &mut Tensor) -> Result<()> {
    Ok(())
}

fn empty_shape(_: &[TensorSpec]) -> Result<TensorSpec> {
    TensorSpec::new(Dtype::F32, &[0])
}

/// Times taken of everything.
const ROUNDS: usize = 1000;

fn main() {
    // What `cargo bench` passes, such as a filter, is criterion's.
    println!("{:<52} {:>12} {:>12}", "median", "measured", "target");
    memory();
    new_simulator();
    switch();
    marshalling();
    in_thread();
    on_eight_threads();
    moods();
}

fn switch() {
    const SWITCHES: u32 = 8;
    switch_and_back(SWITCHES);
    // The first of each maps the stack, which a simulator does once.
    let once = median((0..ROUNDS).map(|_| timed(|| switch_and_back(1))));
    let more = median((0..ROUNDS).map(|_| timed(|| switch_and_back(1 + SWITCHES))));
    row("stack switch, all 8 cores of a launch", micros(more.saturating_sub(once)), 1.0, "µs");
}

/// From the host's tensors to the kernel's: records written, read and typed. What four take more than none.
fn marshalling() {
    let (mut simulator, x, out) = empty(1, false);
    let [mut none, mut four] = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        none.push(launch(&mut simulator, op!(of_none), &args![], &out));
        four.push(launch(&mut simulator, op!(of_four), &args![&x, &x, &x, &x], &out));
    }
    let more = median(four).saturating_sub(median(none));
    row("marshalling 4 tensors, a core", micros(more) / f64::from(simulator.cores()), 1.0, "µs");
}

fn in_thread() {
    for (mode, checked) in [("unchecked", false), ("checked", true)] {
        let (mut simulator, x, out) = empty(1, checked);
        let time = median((0..ROUNDS).map(|_| launch(&mut simulator, op!(nothing), &args![&x], &out)));
        row(&format!("empty launch on the caller's thread, {mode}"), micros(time), 3.0, "µs");
    }
}

fn on_eight_threads() {
    let sleepers = Sleepers::start(8);
    for (mode, checked) in [("unchecked", false), ("checked", true)] {
        let (mut simulator, x, out) = empty(8, checked);
        let (mut launches, mut wakes) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            wakes.push(timed(|| sleepers.wake_and_join()));
            launches.push(launch(&mut simulator, op!(nothing), &args![&x], &out));
        }
        let (launch, wake) = (micros(median(launches)), micros(median(wakes)));
        println!("{:<52} {wake:>9.2} µs", "  waking and joining 8 parked threads");
        println!("{:<52} {launch:>9.2} µs", format!("  empty launch on 8 threads, {mode}"));
        row(&format!("empty launch on 8 threads to bare wake, {mode}"), launch / wake, 1.5, "× ");
    }
}

/// Before anything else has run, so that no simulator finds memory that another left.
fn memory() {
    let what = "memory a new simulator makes resident";
    let Some(before) = resident_bytes() else {
        println!("{what:<52} not measured: this system does not say");
        return;
    };
    let simulators: Vec<Simulator> = (0..8).map(|_| new()).collect();
    let after = resident_bytes().unwrap_or(u64::MAX);
    let each = after.saturating_sub(before) as f64 / simulators.len() as f64;
    row(what, each / f64::from(1 << 20), 10.0, "MiB");
}

fn new_simulator() {
    let times = (0..ROUNDS / 10).map(|_| {
        let start = Instant::now();
        let simulator = new();
        let time = start.elapsed();
        drop(simulator);
        time
    });
    row("new simulator", micros(median(times)) / 1000.0, 1.0, "ms");
}

/// The machine, every check on.
fn new() -> Simulator {
    Simulator::new().expect("this host has memory for a simulator")
}

/// A simulator, and an input and an output without elements.
fn empty(threads: usize, checked: bool) -> (Simulator, HbmTensor, HbmTensor) {
    let builder = Simulator::builder().host_threads(threads);
    let built = if checked { builder.build() } else { builder.unchecked().build() };
    let mut simulator = built.expect("this host has memory for a simulator");
    let mut tensor = || simulator.zeros(Dtype::F32, &[0]).expect("HBM has room");
    let (x, out) = (tensor(), tensor());
    (simulator, x, out)
}

fn launch(simulator: &mut Simulator, op: &'static Op, arguments: &[Arg<'_>], out: &HbmTensor) -> Duration {
    let start = Instant::now();
    let report = simulator.launch_into(op, arguments, out).expect("the launch is right");
    let time = start.elapsed();
    report.assert_clean();
    time
}

/// Every mood, one after the other, of a kernel that depends on none.
fn moods() {
    let mut simulator = new();
    let values: Vec<f32> = (0..4096).map(|index| index as f32 - 2047.5).collect();
    let x = HostTensor::from_slice(&[4096], &values).expect("as many values as elements");
    let times = (0..ROUNDS / 10).map(|_| {
        let start = Instant::now();
        let report = simulator.moods().launch(op!(neuron_examples::relu::relu), &args![&x]);
        let time = start.elapsed();
        report.expect("the launch is right").assert_clean();
        time
    });
    row("relu of 4096 elements under every mood", micros(median(times)) / 1000.0, 20.0, "ms");
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn median(times: impl IntoIterator<Item = Duration>) -> Duration {
    let mut times: Vec<Duration> = times.into_iter().collect();
    times.sort_unstable();
    times[times.len() / 2]
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

fn row(what: &str, measured: f64, target: f64, unit: &str) {
    let verdict = if measured <= target { "MET" } else { "MISSED" };
    println!("{what:<52} {measured:>9.2} {unit:<3} {target:>8.2} {unit:<3} {verdict}");
}
