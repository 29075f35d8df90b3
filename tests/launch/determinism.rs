//! The same launch gives the same output and the same report, whatever the host does.

use neuron_device::{Dtype, Op, op};
use neuron_host_sim::{HostTensor, Report, Simulator, args};

use crate::{kernels, ramp};

/// Output bytes and both texts of a launch.
fn everything(sim: &mut Simulator, op: &'static Op, n: u32) -> (Vec<u8>, String, String) {
    let report = sim.launch(op, &args![&ramp(&[n])]).unwrap();
    (report.output().to_host().to_bytes(), report.to_string(), report.to_json().to_string())
}

/// R08, R10: 200 runs on 1, 2 and 8 host threads, for clean, buggy and racing kernels.
#[test]
fn r08_r10_neither_threads_nor_repetition_show() {
    let ops: [(&'static Op, u32); 6] = [
        (op!(neuron_examples::relu::relu), 4103),
        (op!(neuron_examples::buggy_relu::buggy_relu), 4103),
        (op!(kernels::racing), 1000),
        (op!(kernels::all_write_all), 100),
        (op!(kernels::overlapping), 1000),
        (op!(kernels::strided_return), 65),
    ];
    for (op, n) in ops {
        let mut seen = None;
        for threads in [1, 2, 8] {
            let mut sim = Simulator::builder().host_threads(threads).build().unwrap();
            for run in 0..200 {
                let now = everything(&mut sim, op, n);
                let first = seen.get_or_insert_with(|| now.clone());
                assert_eq!(&now, first, "{} differs in run {run} on {threads} threads", op.name());
            }
        }
    }
}

/// Large outputs are tried with all cores on one memory first; nothing of that shows. A launch whose inputs are kept is
/// run with the cores apart from the start.
#[test]
fn a_launch_tried_together_is_the_launch_run_apart() {
    let ops: [(&'static Op, u32); 7] = [
        (op!(neuron_examples::relu::relu), 40_003),
        (op!(neuron_examples::buggy_relu::buggy_relu), 40_003),
        (op!(neuron_examples::transpose::transpose), 200),
        (op!(kernels::racing), 20_000),
        (op!(kernels::all_write_all), 20_000),
        (op!(kernels::overlapping), 20_000),
        (op!(kernels::half), 200),
    ];
    for (op, n) in ops {
        let x = if n == 200 { ramp(&[n, 150]) } else { ramp(&[n]) };
        let mut apart = Simulator::builder().host_threads(1).keep_inputs().build().unwrap();
        let old = HostTensor::zeros(Dtype::F32, op_sizes(op, &x)).unwrap();
        let out = apart.upload(&old).unwrap();
        let expected = apart.launch_into(op, &args![&x], &out).unwrap();
        for threads in [1, 2, 8] {
            let mut sim = Simulator::builder().host_threads(threads).build().unwrap();
            let out = sim.upload(&old).unwrap();
            for run in 0..5 {
                out.copy_from(&old).unwrap();
                let found = sim.launch_into(op, &args![&x], &out).unwrap();
                let place = format!("{} in run {run} on {threads} threads", op.name());
                assert_eq!(found.cores(), expected.cores(), "{place}");
                assert_eq!(words(&found), words(&expected), "{place}");
                assert_eq!(out.to_host().to_bytes(), expected.output().to_host().to_bytes(), "{place}");
            }
        }
    }
}

/// The sizes of what `op` makes of `x`.
fn op_sizes(op: &'static Op, x: &HostTensor) -> &'static [u32] {
    match (op.name(), x.sizes()) {
        ("transpose", _) => &[150, 200],
        (_, [_, _]) => &[200, 150],
        (_, [40_003]) => &[40_003],
        _ => &[20_000],
    }
}

/// What was found, without the addresses, which depend on what else is in HBM.
fn words(report: &Report) -> Vec<String> {
    report.faults().iter().map(ToString::to_string).collect()
}

/// DESIGN invariant: for a kernel without faults, the checks change no output and no counter.
#[test]
fn checks_change_neither_output_nor_counters() {
    let x = ramp(&[37, 11]);
    let views = [x.clone(), x.transpose(0, 1).unwrap(), x.slice(0, 3, 30, 2).unwrap()];
    let mut checked = Simulator::new().unwrap();
    let mut unchecked = Simulator::builder().unchecked().build().unwrap();
    for view in &views {
        for op in [op!(neuron_examples::relu::relu), op!(kernels::scattered_temporary)] {
            let with = checked.launch(op, &args![view]).unwrap();
            let without = unchecked.launch(op, &args![view]).unwrap();
            with.assert_clean();
            assert_eq!(with.cores(), without.cores(), "{} of {view:?}", op.name());
            assert_eq!(with.output().to_host().to_bytes(), without.output().to_host().to_bytes());
        }
    }
}
