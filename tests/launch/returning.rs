//! The returning form: exactly what a core wrote is copied back, or the launch says why not.

use neuron_device::{CopyCounters, Dtype, op};
use neuron_host_sim::{Severity, Simulator, Verdict, args};

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
    let words = "`scratch` was returned with sizes [1, 2, 3], but the output has [3]: ";
    assert!(report.to_string().contains(words), "{report}");
    assert_eq!(found(&report), []);
    let report = simulator().launch(op!(kernels::returns_other_dtype), &args![&ramp(&[3])]).unwrap();
    let words = "`scratch` was returned with dtype i32, but the output has f32: ";
    assert!(report.to_string().contains(words), "{report}");
}

/// N04: the destination that was taken is the output, whatever is returned.
#[test]
fn n04_a_tensor_returned_beside_the_destination_is_ignored() {
    for cores in [1, 8] {
        let mut sim = Simulator::builder().cores(cores).host_threads(1).build().unwrap();
        let report = sim.launch(op!(kernels::takes_and_returns), &args![&ramp(&[4])]).unwrap();
        assert_eq!(report.output().to_host().to_vec::<f32>().unwrap(), [1.0; 4]);
        let fault = the(&report, Verdict::ReturnIgnored);
        assert_eq!(
            (fault.severity, fault.argument, fault.count),
            (Severity::Warning, "scratch", cores.into())
        );
        assert!(report.to_string().contains("returned tensor ignored"), "{report}");
        assert_eq!(report.faults().len(), 1, "{report}");
    }
}

/// Whoever returns the destination itself has nothing to be told, and no portability rule is broken by it.
#[test]
fn the_destination_may_be_taken_in_the_returning_form() {
    let report = simulator().launch(op!(kernels::returns_destination), &args![&ramp(&[100])]).unwrap();
    report.assert_clean();
    assert_eq!(report.output().to_host().to_bytes(), ramp(&[100]).to_bytes());
    assert!(
        report.notes().iter().all(|note| note.rule.name() != "returned-tensor-on-several-cores"),
        "{report}"
    );
    assert_eq!(report.total().copies, CopyCounters::NONE);
}

/// Each core stages the way back of its share; into a strided output, or without TCM, it goes element by element.
#[test]
fn the_way_back_is_staged_where_it_can_be() {
    let mut sim = simulator();
    let x = ramp(&[8000]);
    let report = sim.launch(op!(neuron_examples::scale::scale), &args![&x, 1.0f32]).unwrap();
    report.assert_clean();
    let copies = report.total().copies;
    assert_eq!((copies.dma_calls, copies.bytes_in, copies.bytes_out), (16, 32_000, 32_000));
    assert_eq!((copies.tcm_peak, copies.unstaged_returns), (4000, 0));

    let wide = sim.zeros(Dtype::F32, &[8000, 2]).unwrap();
    let strided = wide.select(1, 0).unwrap();
    let report = sim.launch_into(op!(neuron_examples::scale::scale), &args![&x, 1.0f32], &strided).unwrap();
    report.assert_clean();
    assert_eq!(strided.to_host().to_vec::<f32>().unwrap(), x.to_vec::<f32>().unwrap());
    assert_eq!(report.total().copies, CopyCounters { unstaged_returns: 8, ..CopyCounters::NONE });
    assert!(report.to_string().contains("8 cores copied their results back element by element"), "{report}");

    let mut without = Simulator::builder().tcm(0).build().unwrap();
    let report = without.launch(op!(neuron_examples::scale::scale), &args![&x, 1.0f32]).unwrap();
    report.assert_clean();
    assert_eq!(report.total().copies.unstaged_returns, 8);
}
