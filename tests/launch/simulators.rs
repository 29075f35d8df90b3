//! Simulators side by side, and what they leave behind.

use std::thread;

use neuron_device::{Dtype, op};
use neuron_host_sim::{Simulator, args};

use crate::ramp;

/// DESIGN invariant: simulators of different configuration run at once in one process.
#[test]
fn several_run_at_once() {
    thread::scope(|scope| {
        for (cores, threads) in [(8, 1), (3, 2), (8, 8), (1, 1)] {
            scope.spawn(move || {
                let mut sim = Simulator::builder().cores(cores).host_threads(threads).build().unwrap();
                for n in 0..50 {
                    let x = ramp(&[n]);
                    let report = sim.launch(op!(neuron_examples::relu::relu), &args![&x]).unwrap();
                    report.assert_clean();
                    assert_eq!(report.output().to_host().to_bytes(), x.to_bytes());
                }
            });
        }
    });
}

/// Views of one host storage are views of one copy in HBM.
#[test]
fn views_share_their_storage_in_hbm() {
    let mut sim = crate::simulator();
    let x = ramp(&[2, 3]);
    let columns = x.transpose(0, 1).unwrap();
    let out = sim.zeros(Dtype::F32, &[2, 3]).unwrap();
    let y = columns.transpose(0, 1).unwrap();
    let report =
        sim.launch_into(op!(neuron_examples::vector_add::vector_add), &args![&x, &y, 1.0f32], &out).unwrap();
    report.assert_clean();
    assert_eq!(out.to_host().to_vec::<f32>().unwrap(), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
}

/// Freed HBM reads as zero when it is used again, and a tensor outlives its simulator's other tensors.
#[test]
fn freed_memory_comes_back_as_zeros() {
    let mut sim = crate::simulator();
    let first = sim.upload(&ramp(&[5000])).unwrap();
    let at = first.storage();
    drop(first);
    let second = sim.zeros(Dtype::F32, &[5000]).unwrap();
    assert_eq!(second.storage(), at);
    assert!(second.to_host().to_vec::<f32>().unwrap().iter().all(|&v| v == 0.0));
}

/// A report's output may be read after the simulator is gone.
#[test]
fn outputs_outlive_their_simulator() {
    let report = {
        let mut sim = crate::simulator();
        sim.launch(op!(neuron_examples::relu::relu), &args![&ramp(&[4])]).unwrap()
    };
    assert_eq!(report.output().to_host().to_vec::<f32>().unwrap(), [0.0, 1.0, 2.0, 3.0]);
}
