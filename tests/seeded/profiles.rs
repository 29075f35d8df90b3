//! The suite in both profiles.

use neuron_host_sim::{CORES, Fault, FaultKind, Profile, Report, Severity, Verdict};

use crate::suite::launch::{Launch, Machines};
use crate::suite::{clean, seeds};

/// What is found whatever the profile, an old address and a value of another type as what they are under `Observed`.
fn others(report: &Report) -> Vec<Fault> {
    let of_rules = |fault: &&Fault| fault.kind() != FaultKind::Profile;
    let mut faults: Vec<Fault> = report.faults().iter().filter(of_rules).cloned().collect();
    let worse = [Verdict::UsedAfterTranslation, Verdict::OtherValue];
    for fault in faults.iter_mut().filter(|fault| worse.contains(&fault.verdict)) {
        fault.severity = Severity::Warning;
    }
    faults
}

/// `Documented` adds faults of its own rules, and changes nothing else: no other fault, no counter, no byte. Where there
/// are fewer cores than the machine has, kernels are told otherwise.
#[test]
fn every_launch_is_the_same_but_for_the_rules() {
    let mut machines = Machines::on_threads(1);
    let mut broken = 0;
    for launch in clean().into_iter().chain(seeds()) {
        let observed = launch.run(&mut machines);
        if observed.cores().len() as u32 != CORES || observed.profile() == Profile::Documented {
            continue;
        }
        let name = launch.name();
        let documented = Launch::under(launch, Profile::Documented).run(&mut machines);
        assert_eq!(others(&documented), observed.faults(), "{name}");
        assert_eq!(documented.cores(), observed.cores(), "{name}");
        assert_eq!(
            documented.output().to_host().to_bytes(),
            observed.output().to_host().to_bytes(),
            "{name}"
        );
        assert_eq!(documented.notes(), observed.notes(), "{name}");
        let of_rules = documented.faults().iter().filter(|fault| fault.kind() == FaultKind::Profile);
        broken += of_rules.count();
    }
    assert!(broken > 100, "{broken} faults");
}
