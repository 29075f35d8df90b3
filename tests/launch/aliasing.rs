//! Arguments and outputs in one storage: refused, unless the op says `in_place`.

use neuron_device::prelude::*;
use neuron_examples::{relu, vector_add};
use neuron_host_sim::{HostTensor, LaunchError, args};

use crate::{ramp, simulator};

/// `x + 1 * (one / two)`, over `x` if the launch wants it so.
#[custom_op(in_place)]
fn addcdiv(q7: &Q7, x: &Tensor, one: &Tensor, two: &Tensor, out: &mut Tensor) -> Result<()> {
    let (xs, ones, twos) = (x.elements::<f32>(q7)?, one.elements::<f32>(q7)?, two.elements::<f32>(q7)?);
    let dst = out.elements_mut::<f32>(q7)?;
    q7.partition_flat(dst.numel())
        .into_iter()
        .for_each(|i| dst.set(i, xs.get(i) + ones.get(i) / twos.get(i)));
    Ok(())
}

/// `x + y` of integers.
#[custom_op]
fn add(q7: &Q7, x: &Tensor, y: &Tensor, out: &mut Tensor) -> Result<()> {
    let (xs, ys, dst) = (x.elements::<i64>(q7)?, y.elements::<i64>(q7)?, out.elements_mut::<i64>(q7)?);
    q7.partition_flat(dst.numel()).into_iter().for_each(|i| dst.set(i, xs.get(i) + ys.get(i)));
    Ok(())
}

/// `a @ x`, like `x`.
#[custom_op]
fn times(q7: &Q7, x: &Tensor, a: &Tensor, out: &mut Tensor) -> Result<()> {
    let (xs, rows, dst) = (x.elements::<f32>(q7)?, a.accessor::<f32, 2>(q7)?, out.elements_mut::<f32>(q7)?);
    for i in q7.partition(rows.size(0)) {
        let products = (0..rows.size(1)).map(|j| rows.get([i, j]) * xs.get(u64::from(j)));
        dst.set(u64::from(i), products.sum());
    }
    Ok(())
}

/// L02: an op that works in place, over a transposed view.
#[test]
fn l02_in_place_over_a_transposed_view() {
    let mut sim = simulator();
    let base =
        sim.upload(&HostTensor::from_slice(&[2, 3], &[1f32, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap()).unwrap();
    let x = base.transpose(0, 1).unwrap();
    let constant = |value: f32| HostTensor::scalar(value).expand(&[3, 2]).unwrap();
    let arguments = (constant(1.0), constant(2.0));
    let report = sim.launch_into(op!(addcdiv), &args![&x, &arguments.0, &arguments.1], &x).unwrap();
    report.assert_clean();
    assert_eq!(x.to_host().to_vec::<f32>().unwrap(), [1.5, 4.5, 2.5, 5.5, 3.5, 6.5]);
    assert_eq!(base.to_host().to_vec::<f32>().unwrap(), [1.5, 2.5, 3.5, 4.5, 5.5, 6.5]);
}

/// L16: `a += a.t()` would read what was written already. Apart from `a` it is right.
#[test]
fn l16_a_transposed_argument_over_the_output_is_refused() {
    let mut sim = simulator();
    let a = sim.upload(&HostTensor::from_slice(&[2, 2], &[0i64, 1, 2, 3]).unwrap()).unwrap();
    let turned = a.transpose(0, 1).unwrap();
    let report = sim.launch(op!(add), &args![&a, &turned]).unwrap();
    report.assert_clean();
    assert_eq!(report.output().to_host().to_vec::<i64>().unwrap(), [0, 3, 3, 6]);
    let other = sim.upload(&HostTensor::from_slice(&[2, 2], &[0i64; 4]).unwrap()).unwrap();
    let error = sim.launch_into(op!(add), &args![&other, &turned], &a).unwrap_err();
    let expected =
        LaunchError::OutputAliases { op: "add", argument: "y", argument_at: 0..4, output_at: 0..4 };
    assert_eq!(error, expected);
    assert_eq!(a.to_host().to_vec::<i64>().unwrap(), [0, 1, 2, 3], "nothing ran");
}

/// L17: the output of a product is its own argument.
#[test]
fn l17_the_output_is_an_argument_of_a_reduction() {
    let mut sim = simulator();
    let a = HostTensor::from_slice(&[3, 3], &[1f32; 9]).unwrap();
    let x = sim.upload(&HostTensor::from_slice(&[3], &[1f32; 3]).unwrap()).unwrap();
    let error = sim.launch_into(op!(times), &args![&x, &a], &x).unwrap_err();
    assert!(matches!(error, LaunchError::OutputAliases { argument: "x", .. }), "{error}");
    let out = sim.zeros(Dtype::F32, &[3]).unwrap();
    sim.launch_into(op!(times), &args![&x, &a], &out).unwrap().assert_clean();
    assert_eq!(out.to_host().to_vec::<f32>().unwrap(), [3.0; 3]);
}

/// The refusal names the argument and both ranges, and says the ways out.
#[test]
fn overlapping_ranges_are_named() {
    let mut sim = simulator();
    let base = sim.upload(&ramp(&[10])).unwrap();
    let (low, high) = (base.narrow(0, 0, 4).unwrap(), base.narrow(0, 3, 4).unwrap());
    let error = sim.launch_into(op!(relu::relu), &args![&low], &high).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`x` of op `relu` lies in elements 0 to 3 of its storage, and the output in 3 to 6 of the same: give an \
         output apart from it, or, if the core that writes an element is the only one to read it, and reads it \
         first, say so with #[custom_op(in_place)]"
    );
}

/// What only shares the storage, or only the numbers, is not refused.
#[test]
fn parts_of_one_storage_apart_from_each_other() {
    let mut sim = simulator();
    let base = sim.upload(&ramp(&[10])).unwrap();
    let part = |start: u32, len: u32| base.narrow(0, start, len).unwrap();
    sim.launch_into(op!(relu::relu), &args![&part(0, 5)], &part(5, 5)).unwrap().assert_clean();
    assert_eq!(base.to_host().to_vec::<f32>().unwrap(), [0.0, 1.0, 2.0, 3.0, 4.0, 0.0, 1.0, 2.0, 3.0, 4.0]);
    let other = sim.upload(&ramp(&[5])).unwrap();
    sim.launch_into(op!(relu::relu), &args![&part(0, 5)], &other).unwrap().assert_clean();
    // Nothing lies in an empty range, wherever it begins.
    sim.launch_into(op!(relu::relu), &args![&part(3, 0)], &part(4, 0)).unwrap().assert_clean();
    // Arguments may be one another.
    let report = sim.launch(op!(vector_add::vector_add), &args![&part(0, 5), &part(0, 5), 1.0f32]).unwrap();
    report.assert_clean();
}
