//! Of a launch without faults, checks change neither output nor counters.

use neuron_host_sim::{CoreReport, FaultKind, SimulatorBuilder};

use crate::suite::clean;
use crate::suite::launch::{Launch, Machines};

/// What a launch must give whatever is checked.
fn outcome(launch: &Launch, machines: &mut Machines) -> (Vec<u8>, Vec<CoreReport>) {
    let report = launch.run(machines);
    (report.output().to_host().to_bytes(), report.cores().to_vec())
}

/// A check less, or all of them.
type Without = Box<dyn Fn(SimulatorBuilder) -> SimulatorBuilder>;

#[test]
fn no_check_changes_output_or_counters() {
    let mut settings: Vec<(&str, Without)> = vec![
        ("every check", Box::new(|builder| builder.unchecked())),
        (
            "each kind",
            Box::new(|builder| FaultKind::ALL.into_iter().fold(builder, SimulatorBuilder::without)),
        ),
    ];
    for kind in FaultKind::ALL {
        settings.push((kind.name(), Box::new(move |builder| builder.without(kind))));
    }
    let launches = clean();
    let mut all = Machines::on_threads(1);
    let with: Vec<_> = launches.iter().map(|launch| outcome(launch, &mut all)).collect();
    for (without, less) in settings {
        let mut other = Machines::new(move |builder| less(builder.host_threads(1)).build().unwrap());
        for (launch, with) in launches.iter().zip(&with) {
            let less = outcome(launch, &mut other);
            assert!(*with == less, "{} differs without {without}:\n{with:?}\n{less:?}", launch.name());
        }
    }
}
