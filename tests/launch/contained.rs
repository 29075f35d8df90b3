//! Errors and panics of one core are its own, and are told.

use neuron_device::op;
use neuron_host_sim::{Outcome, Simulator, Verdict, args};

use crate::{found, kernels, ramp};

#[test]
fn one_cores_fall_leaves_the_others_results() {
    for threads in [1, 2, 8] {
        let mut sim = Simulator::builder().host_threads(threads).build().unwrap();
        let report = sim.launch(op!(kernels::two_fall), &args![&ramp(&[16])]).unwrap();
        assert!(!report.is_clean());
        assert_eq!(found(&report), [], "coverage is not judged: {report}");
        for core in report.cores() {
            match core.core {
                3 => {
                    assert!(matches!(&core.outcome, Outcome::Failed(error) if error.argument() == Some("x")))
                }
                5 => assert_eq!(core.outcome, Outcome::Panicked("core 5 fell".to_owned())),
                _ => assert_eq!((&core.outcome, core.counters.stores), (&Outcome::Returned, 2)),
            }
        }
        let expected: Vec<f32> =
            (0..16).map(|i| if [6, 7, 10, 11].contains(&i) { 0.0 } else { i as f32 }).collect();
        assert_eq!(report.output().to_host().to_vec::<f32>().unwrap(), expected);
        sim.launch(op!(neuron_examples::relu::relu), &args![&ramp(&[16])]).unwrap().assert_clean();
    }
}

#[test]
fn a_panic_inside_a_panics_payload_is_contained() {
    for threads in [1, 2] {
        let mut sim = Simulator::builder().host_threads(threads).build().unwrap();
        let a = sim.upload(&ramp(&[16])).unwrap();
        let report = sim.launch_into(op!(kernels::bomb), &args![&a], &a).unwrap();
        assert!(matches!(report.cores()[0].outcome, Outcome::Panicked(_)), "{report}");
        assert_eq!(a.to_host().to_vec::<f32>().unwrap(), [77.0; 16]);
        let again = sim.launch(op!(neuron_examples::relu::relu), &args![&a]).unwrap();
        again.assert_clean();
        assert_eq!(again.output().to_host().to_bytes(), a.to_host().to_bytes());
    }
}

#[test]
fn a_million_equal_faults_are_one() {
    let mut sim = crate::simulator();
    let report = sim.launch(op!(kernels::a_million_reads_too_far), &args![&ramp(&[100])]).unwrap();
    assert_eq!(found(&report), [(Verdict::PastTheEnd, "x", 1_000_000)]);
    assert_eq!((report.faults()[0].first.as_str(), &report.faults()[0].cores[..]), ("[100]", &[2][..]));
}

#[test]
fn a_core_with_too_many_different_faults_is_stopped() {
    let mut sim = crate::simulator();
    let report = sim.launch(op!(kernels::two_thousand_faults), &args![&ramp(&[2000])]).unwrap();
    assert_eq!(report.faults().len(), 1000);
    let stopped: Vec<_> = report.cores().iter().filter(|core| core.outcome == Outcome::Stopped).collect();
    assert!(matches!(stopped[..], [core] if core.core == 4), "{stopped:?}");
    assert!(report.to_string().contains("core 4 stopped after 1000 different faults"));
    assert_eq!(report.output().to_host().to_vec::<f32>().unwrap()[1999], 1999.0, "the other cores went on");
}

#[test]
#[should_panic(expected = "1 element of `out` never written")]
fn assert_clean_panics_with_the_report() {
    crate::simulator().launch(op!(kernels::floor_split), &args![&ramp(&[9])]).unwrap().assert_clean();
}
