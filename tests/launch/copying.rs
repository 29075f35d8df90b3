//! Values put into tensors that are in HBM already.

use neuron_device::prelude::*;
use neuron_host_sim::{HostTensor, TensorError, args};
use proptest::prelude::*;

use crate::views::chain::Viewed;
use crate::views::{any_base, any_seeds};
use crate::{ramp, simulator};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// A view that is written holds the values, and nothing else changed: what was there is 100, 101, … and what is
    /// written is negative.
    #[test]
    fn a_view_is_written_and_nothing_beside_it(base in any_base(), to in any_seeds(), from in any_seeds()) {
        let mut sim = simulator();
        let storage = sim.upload(&base).unwrap();
        let view = storage.chained(&to, false);
        let values: Vec<i32> = (1..=view.numel() as i32).map(|value| -value).collect();
        // The source lies otherwise than row by row where it has as many dimensions.
        let source = HostTensor::from_slice(view.sizes(), &values).unwrap();
        let turned = source.chained(&from, false);
        let back = if turned.sizes() == source.sizes() { turned } else { source };
        view.copy_from(&back).unwrap();
        prop_assert_eq!(view.to_host().to_bytes(), back.to_bytes());
        let all = storage.to_host().to_vec::<i32>().unwrap();
        let was = base.to_vec::<i32>().unwrap();
        let changed = all.iter().zip(&was).filter(|(now, was)| now != was).count();
        prop_assert_eq!(changed as u64, view.numel());
    }
}

#[test]
fn a_column_is_written_from_a_transposed_and_from_a_repeated_tensor() {
    let mut sim = simulator();
    let all = sim.upload(&ramp(&[3, 4])).unwrap();
    let columns = all.slice(1, 1, 4, 2).unwrap();
    columns.copy_from(&ramp(&[2, 3]).transpose(0, 1).unwrap()).unwrap();
    let expected = [0.0, 0.0, 2.0, 3.0, 4.0, 1.0, 6.0, 4.0, 8.0, 2.0, 10.0, 5.0];
    assert_eq!(all.to_host().to_vec::<f32>().unwrap(), expected);
    all.select(0, 1).unwrap().copy_from(&HostTensor::scalar(-1f32).expand(&[4]).unwrap()).unwrap();
    assert_eq!(all.select(0, 1).unwrap().to_host().to_vec::<f32>().unwrap(), [-1.0; 4]);
}

/// Every element type, bit for bit, to elements with gaps.
#[test]
fn every_dtype_is_written_bit_for_bit() {
    let mut sim = simulator();
    for dtype in Dtype::ALL {
        let bytes: Vec<u8> = (0..10 * dtype.size()).map(|byte| 0xF0 ^ byte as u8).collect();
        let source = HostTensor::from_bytes(dtype, &[2, 5], &bytes).unwrap();
        let view = sim.zeros(dtype, &[2, 20]).unwrap().slice(1, 3, 18, 3).unwrap();
        view.copy_from(&source).unwrap();
        assert_eq!(view.to_host().to_bytes(), bytes, "{dtype}");
    }
}

/// Cores see what was written between two launches.
#[test]
fn the_next_launch_reads_what_was_written() {
    let mut sim = simulator();
    let x = sim.upload(&ramp(&[5000])).unwrap();
    let relu = op!(neuron_examples::relu::relu);
    sim.launch(relu, &args![&x]).unwrap().assert_clean();
    x.select(0, 4999).unwrap().copy_from(&HostTensor::scalar(0.5f32)).unwrap();
    let report = sim.launch(relu, &args![&x]).unwrap();
    assert_eq!(report.output().to_host().to_vec::<f32>().unwrap()[4998..], [4998.0, 0.5]);
}

/// Each refusal, word for word; nothing is written.
#[test]
fn copies_that_cannot_be() {
    let mut sim = simulator();
    let x = sim.upload(&ramp(&[2, 3])).unwrap();
    let table = [
        (x.copy_from(&HostTensor::zeros(Dtype::I32, &[2, 3]).unwrap()), "the tensor has dtype i32, not f32"),
        (
            x.copy_from(&HostTensor::scalar(9f32)),
            "a tensor of sizes [] cannot be copied to one of [2, 3]: give it the same sizes, with `expand` where one repeats",
        ),
        (
            x.as_strided(&[3, 2], &[0, 1], 0).unwrap().copy_from(&ramp(&[3, 2])),
            "a tensor of strides [0, 1] cannot be written: several of its elements are one place in memory; write the tensor it is a view of",
        ),
    ];
    for (result, expected) in table {
        assert_eq!(result.unwrap_err().to_string(), expected);
    }
    assert!(matches!(x.copy_from(&ramp(&[3, 2])), Err(TensorError::Sizes { .. })));
    assert_eq!(x.to_host().to_bytes(), ramp(&[2, 3]).to_bytes());
    // Nothing of nothing is written, wherever it would lie.
    let empty = x.slice(1, 3, 3, 1).unwrap();
    empty.copy_from(&ramp(&[2, 0])).unwrap();
}

/// A tensor may be written after its simulator is gone, as it may be read.
#[test]
fn a_tensor_outlives_its_simulator() {
    let x = simulator().upload(&ramp(&[4])).unwrap();
    x.copy_from(&HostTensor::scalar(2f32).expand(&[4]).unwrap()).unwrap();
    assert_eq!(x.to_host().to_vec::<f32>().unwrap(), [2.0; 4]);
}
