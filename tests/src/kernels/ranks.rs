//! Ops through accessors of a fixed rank, and through views a kernel makes itself.

use neuron_device::prelude::*;

/// The examples' ReLU over a tensor of rank 1, through `accessor` instead of `elements`.
#[custom_op]
pub fn relu_ranked(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let src = x.accessor::<f32, 1>(q7)?;
    let dst = out.accessor_mut::<f32, 1>(q7)?;
    for i in q7.partition(src.size(0)) {
        let v = src.get([i]);
        dst.set([i], if v < 0.0 { 0.0 } else { v });
    }
    Ok(())
}

/// The sum of each row of a tensor of rank 2.
#[custom_op(shape = one_a_row)]
pub fn row_sum(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let src = x.accessor::<f32, 2>(q7)?;
    let dst = out.accessor_mut::<f32, 1>(q7)?;
    for row in q7.partition(src.size(0)) {
        let mut sum = 0.0;
        for column in 0..src.size(1) {
            sum += src.get([row, column]);
        }
        dst.set([row], sum);
    }
    Ok(())
}

fn one_a_row(inputs: &[TensorSpec]) -> Result<TensorSpec> {
    match inputs[0].sizes() {
        [rows, _] => TensorSpec::new(inputs[0].dtype(), &[*rows]),
        _ => Err(Error::message("must have 2 dimensions").about("x")),
    }
}

/// `x` plus its index, over rank 3: both tensors are turned over in the kernel, and the outermost dimension shared out.
#[custom_op]
pub fn turned(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (from, mut to) = (x.transpose(0, 2)?, out.transpose(0, 2)?);
    let src = from.accessor::<i32, 3>(q7)?;
    let dst = to.accessor_mut::<i32, 3>(q7)?;
    for k in q7.partition(src.size(0)) {
        for j in 0..src.size(1) {
            for i in 0..src.size(2) {
                let index = 10_000 * i + 100 * j + k;
                dst.set([k, j, i], src.get([k, j, i]).wrapping_add(index as i32));
            }
        }
    }
    Ok(())
}

/// The even columns doubled, the odd ones negated, each through a slice of both tensors, of rank 2.
#[custom_op]
pub fn comb(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    for first in 0..x.size(1).min(2) {
        let from = x.slice(1, first, x.size(1), 2)?;
        let mut to = out.slice(1, first, x.size(1), 2)?;
        let (src, dst) = (from.elements::<f32>(q7)?, to.elements_mut::<f32>(q7)?);
        let factor = if first == 0 { 2.0 } else { -1.0 };
        for i in q7.partition_flat(src.numel()) {
            dst.set(i, factor * src.get(i));
        }
    }
    Ok(())
}

/// Sums along each row of a tensor of rank 2, reading back what was written.
#[custom_op]
pub fn prefix_sum(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let src = x.accessor::<f32, 2>(q7)?;
    let sums = out.accessor_mut::<f32, 2>(q7)?;
    for row in q7.partition(src.size(0)) {
        for column in 0..src.size(1) {
            let before = if column == 0 { 0.0 } else { sums.get([row, column - 1]) };
            sums.set([row, column], before + src.get([row, column]));
        }
    }
    Ok(())
}
