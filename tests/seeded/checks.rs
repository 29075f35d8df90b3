//! Of a launch without faults, checks change neither output nor counters.

use neuron_host_sim::{CoreReport, FaultKind, Simulator, SimulatorBuilder};

use crate::suite::clean;
use crate::suite::launch::{self, Launch, Machines};

/// What a launch must give whatever is checked.
fn outcome(launch: &Launch, machines: &mut Machines) -> (Vec<u8>, Vec<CoreReport>) {
    let report = launch.run(machines);
    (report.output().to_host().to_bytes(), report.cores().to_vec())
}

fn changes_nothing(without: &str, builder: fn(SimulatorBuilder) -> SimulatorBuilder) {
    machines_agree(without, Machines::new(move |cores| of(cores, builder)));
}

fn of(cores: u32, builder: fn(SimulatorBuilder) -> SimulatorBuilder) -> Simulator {
    builder(launch::builder(cores).host_threads(1)).build().unwrap()
}

fn machines_agree(without: &str, mut other: Machines) {
    let mut all = Machines::on_threads(1);
    for launch in clean() {
        let (with, less) = (outcome(&launch, &mut all), outcome(&launch, &mut other));
        assert!(with == less, "{} differs without {without}:\n{with:?}\n{less:?}", launch.name());
    }
}

#[test]
fn none_at_all() {
    changes_nothing("any check", |builder| builder.unchecked());
}

#[test]
fn one_kind_less() {
    for kind in FaultKind::ALL {
        let build = move |cores| launch::builder(cores).host_threads(1).without(kind).build().unwrap();
        machines_agree(kind.name(), Machines::new(build));
    }
}

#[test]
fn every_kind_less() {
    changes_nothing("each check", |builder| {
        FaultKind::ALL.into_iter().fold(builder, SimulatorBuilder::without)
    });
}
