//! The returning form: exactly what a core wrote is copied back, or the launch says why not.

use neuron_device::op;
use neuron_host_sim::{Simulator, Verdict, args};

use crate::{found, kernels, ramp, simulator, the};

/// A strided split is right as long as the core can remember its pieces, and a fault beyond: never silently wrong.
#[test]
fn a_strided_split_is_right_or_a_fault() {
    for n in [8, 9, 63, 64] {
        let report = simulator().launch(op!(kernels::strided_return), &args![&ramp(&[n])]).unwrap();
        report.assert_clean();
        assert_eq!(report.output().to_host().to_bytes(), ramp(&[n]).to_bytes(), "{n}");
    }
    let report = simulator().launch(op!(kernels::strided_return), &args![&ramp(&[65])]).unwrap();
    let fault = the(&report, Verdict::TooManyRuns);
    assert_eq!((fault.argument, fault.first.as_str(), &fault.cores[..]), ("result", "piece 9", &[0][..]));
    assert!(fault.suggestion().contains("out: &mut Tensor"), "{report}");
    assert_eq!(the(&report, Verdict::NeverWritten).count, 1, "{report}");
}

/// Accessors beyond a core's tallies share them, and a run may then lie in several scratch tensors.
#[test]
fn a_helper_that_fills_many_tensors_loses_none() {
    for (n, spare) in [(16, 1), (1, 4), (1, 12), (100, 20)] {
        for cores in [1, 8] {
            let mut sim = Simulator::builder().cores(cores).host_threads(1).build().unwrap();
            let report = sim.launch(op!(kernels::filled_by_a_helper), &args![&ramp(&[n]), spare]).unwrap();
            // On several cores each writes all of it: what counts here is that nothing is missing.
            assert!(report.faults().iter().all(|fault| fault.verdict != Verdict::NeverWritten), "{report}");
            assert_eq!(report.output().to_host().to_vec::<f32>().unwrap(), vec![7.0; n as usize]);
        }
    }
}

/// A core is run again where reads must be told one by one; what is copied back then may differ, and is not kept.
#[test]
fn what_the_first_run_copied_back_stands() {
    let mut sim = Simulator::builder().cores(1).build().unwrap();
    let report = sim.launch(op!(kernels::pieces_that_join), &args![&ramp(&[19])]).unwrap();
    assert_eq!(found(&report), [(Verdict::NeverInitialised, "scratch", 1)], "{report}");
    assert_eq!(report.output().to_host().to_bytes(), ramp(&[19]).to_bytes());
    let next = sim.launch(op!(neuron_examples::relu::relu), &args![&ramp(&[19])]).unwrap();
    assert_eq!(next.output().to_host().to_bytes(), ramp(&[19]).to_bytes());
}

/// Whether pieces are too many does not depend on whether anybody watches.
#[test]
fn pieces_are_as_many_without_checks() {
    let reports = [true, false].map(|checked| {
        let builder = Simulator::builder().cores(1);
        let mut sim = if checked { builder } else { builder.unchecked() }.build().unwrap();
        let report = sim.launch(op!(kernels::opened_between_pieces), &args![&ramp(&[19])]).unwrap();
        (the(&report, Verdict::TooManyRuns).first, report.output().to_host().to_bytes())
    });
    assert_eq!(reports[0], reports[1]);
}

/// Tensors on the scratch have one name, and are several all the same.
#[test]
fn from_one_scratch_tensor_into_the_next() {
    let mut sim = Simulator::builder().cores(1).build().unwrap();
    let report = sim.launch(op!(kernels::next_scratch), &args![&ramp(&[5])]).unwrap();
    let found: Vec<_> = report.faults().iter().map(|fault| (fault.verdict, &*fault.first)).collect();
    let expected = [
        (Verdict::InAnotherTensor, "[17]"),
        (Verdict::InAnotherTensor, "storage[17]"),
        (Verdict::PastTheEnd, "[5]"),
    ];
    assert_eq!(found, expected, "{report}");
    let nearest = report.faults()[0].nearest.clone().unwrap();
    assert_eq!((nearest.argument, &*nearest.first, nearest.beyond), ("scratch", "[1]", 4));
}

#[test]
fn scratch_that_is_not_returned_may_be_written_in_any_pieces() {
    simulator().launch(op!(kernels::scattered_temporary), &args![&ramp(&[100])]).unwrap().assert_clean();
}

/// L19: a kernel that returns its input, or a tensor of other sizes, is told so.
#[test]
fn l19_what_cannot_be_returned() {
    let report = simulator().launch(op!(kernels::returns_input), &args![&ramp(&[3])]).unwrap();
    assert!(report.to_string().contains("`x` was returned but was not made by this core"), "{report}");
    let report = simulator().launch(op!(kernels::returns_other_sizes), &args![&ramp(&[3])]).unwrap();
    assert!(report.to_string().contains("`result` has sizes [1, 2, 3], but must have [3]"), "{report}");
    assert_eq!(found(&report), []);
}
