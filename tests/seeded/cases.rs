//! Cases of `docs/cases.md` that a marker cannot say all of: values, distances, several launches.

use neuron_device::prelude::*;
use neuron_host_sim::{Fault, HostTensor, Report, Simulator, Verdict, args};

use crate::suite::launch::Machines;
use crate::suite::seeds;

/// The report of the seed of this name.
fn seed(name: &str) -> Report {
    let all = seeds();
    let seed = all.iter().find(|seed| seed.op.name() == name).unwrap_or_else(|| panic!("no seed {name}"));
    seed.run(&mut Machines::on_threads(1))
}

#[track_caller]
fn the(report: &Report, verdict: Verdict) -> &Fault {
    let found = report.faults().iter().find(|fault| fault.verdict == verdict);
    found.unwrap_or_else(|| panic!("no {verdict:?} in\n{report}"))
}

#[test]
fn l19_the_element_of_the_input_is_named() {
    let report = seed("l19_pointer_writes_its_input");
    assert_eq!(the(&report, Verdict::InputWritten).first, "[0]");
    let doubled: Vec<f32> = (0..8).map(|i| 2.0 * i as f32).collect();
    assert_eq!(report.output().to_host().to_vec::<f32>().unwrap(), doubled, "the write lands");
}

#[test]
fn l30_m02_the_neighbour_and_the_distance_are_named() {
    for (name, of) in [
        ("reads_the_neighbour", ("x", "y")),
        ("pointer_reads_the_neighbour", ("x", "y")),
        ("l30_writes_the_neighbour", ("out", "behind")),
        ("pointer_writes_the_neighbour", ("out", "behind")),
    ] {
        let report = seed(name);
        let fault = the(&report, Verdict::InAnotherTensor);
        let nearest = fault.nearest.as_ref().unwrap();
        assert_eq!((fault.argument, nearest.argument), of, "{report}");
        assert_eq!((nearest.first.as_str(), nearest.beyond), ("[0]", 0), "{report}");
    }
}

#[test]
fn l30_nothing_lands_in_the_neighbour() {
    let mut sim = Simulator::new().unwrap();
    let both = sim.zeros(Dtype::F32, &[16]).unwrap();
    let (a, b) = (both.narrow(0, 0, 8).unwrap(), both.narrow(0, 8, 8).unwrap());
    let ones = HostTensor::from_slice(&[8], &[1f32; 8]).unwrap();
    let op = seeds().into_iter().find(|seed| seed.op.name() == "l30_writes_the_neighbour").unwrap().op;
    let report = sim.launch_into(op, &args![&ones, &b], &a).unwrap();
    assert!(!report.is_clean());
    assert_eq!(b.to_host().to_vec::<f32>().unwrap(), [0.0; 8]);
}

#[test]
fn d19_the_old_address_shows_the_new_window() {
    let report = seed("d19_reads_after_a_remap");
    let fault = the(&report, Verdict::UsedAfterRemap);
    assert_eq!((fault.count, fault.cores.len()), (8, 8));
    assert!(fault.local.is_some_and(|local| local.to_string() == fault.first), "{report}");
}

#[test]
fn n02_m10_what_is_missing_is_counted_from_the_first() {
    let report = seed("n02_remainder_left_out");
    let fault = the(&report, Verdict::NeverWritten);
    assert_eq!((fault.count, fault.first.as_str(), fault.cores.len()), (1, "[8]", 8));
    let report = seed("m10_integers_left_out");
    assert_eq!(the(&report, Verdict::NeverWritten).first, "[4]");
}

#[test]
fn r06_different_values_are_shown_and_equal_ones_weigh_less() {
    let report = seed("r06_different_values");
    let fault = the(&report, Verdict::WrittenBySeveralCores);
    let values: Vec<&str> = fault.values.iter().map(|value| value.value.as_str()).collect();
    assert_eq!(values, ["0.0", "1.0", "2.0", "3.0", "4.0", "5.0", "6.0", "7.0"]);
    let equal = seed("r06_equal_values");
    let equal = the(&equal, Verdict::WrittenBySeveralCores);
    assert!(equal.values.is_empty() && equal.severity < fault.severity);
}

/// M01: the report of a launch stays that launch's, whatever comes after.
#[test]
fn m01_a_report_read_later_is_of_its_own_launch() {
    let mut machines = Machines::on_threads(2);
    let [first, second, third] = ["reads_past", "n02_remainder_left_out", "r06_equal_values"]
        .map(|name| seeds().into_iter().find(|seed| seed.op.name() == name).unwrap());
    let report = first.run(&mut machines);
    let at_once = report.to_string();
    assert!(!second.run(&mut machines).is_clean() && !third.run(&mut machines).is_clean());
    assert_eq!(report.to_string(), at_once);
    let fault = &report.faults()[0];
    assert_eq!((fault.op, &fault.cores[..]), ("reads_past", &[7][..]));
}

#[test]
fn s11_the_tile_is_in_the_report() {
    let report = seed("s11_reads_tile_1_of_1");
    assert_eq!(the(&report, Verdict::PastTheEnd).first, "[1, 0]");
}

/// A fault on one core does not hide another's, and the simulator is as good as new.
#[test]
fn a_seed_poisons_nothing() {
    let mut machines = Machines::on_threads(2);
    for seed in seeds() {
        let first = seed.run(&mut machines).to_string();
        assert_eq!(seed.run(&mut machines).to_string(), first);
    }
}
