//! The same launch gives the same output and the same report, whatever the host does.

use neuron_device::{Op, op};
use neuron_host_sim::{Simulator, args};

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
