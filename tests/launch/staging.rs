//! Staging: TCM, streams and copies, in the simulator.

use neuron_device::prelude::*;
use neuron_device::{Element, Library};
use neuron_examples::STAGED;
use neuron_host_sim::{DmaTiming, HostTensor, Simulator, args};

const OPS: [&str; 2] = ["relu_staged", "relu_streamed"];

fn relu_of<T: Element + Number>(library: &'static Library, sim: &mut Simulator, numel: u32) {
    let values: Vec<T> = (0..numel).map(|i| (i as i32 * 7 % 23 - 11).cast::<T>()).collect();
    let x = HostTensor::from_slice(&[numel], &values).unwrap();
    let wanted: Vec<T> = values.iter().map(|&v| if v < T::ZERO { T::ZERO } else { v }).collect();
    for op in OPS {
        let report = sim.launch((library, op), &args![&x]).unwrap();
        report.assert_clean();
        assert_eq!(report.output().to_host().to_vec::<T>().unwrap(), wanted, "{op} of {numel}");
    }
}

/// D30: sizes around a tile, every dtype, 1 to 8 cores, both DMA timings, checked or not.
#[test]
fn d30_sizes_around_a_tile() {
    for cores in [1, 2, 7, 8] {
        for timing in [DmaTiming::AtOnce, DmaTiming::AtWait] {
            for unchecked in [false, true] {
                let builder = Simulator::builder().cores(cores).dma_timing(timing);
                let builder = if unchecked { builder.unchecked() } else { builder };
                let mut sim = builder.build().unwrap();
                for numel in [0, 1, 1023, 1024, 1025, 2048, 2049, 3 * 1024 + 5] {
                    relu_of::<f32>(&STAGED, &mut sim, numel);
                    relu_of::<i8>(&STAGED, &mut sim, numel);
                    relu_of::<bf16>(&STAGED, &mut sim, numel);
                    relu_of::<i64>(&STAGED, &mut sim, numel);
                }
            }
        }
    }
}
