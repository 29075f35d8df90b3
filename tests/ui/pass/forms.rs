//! Every accepted form of an op, without a warning.

#![deny(warnings, missing_docs)]
#![forbid(unsafe_code)]

use neuron_device::prelude::*;

/// In place, the destination last.
#[custom_op]
pub fn last(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    for i in q7.partition_flat(x.numel()) {
        dst.set(i, src.get(i));
    }
    Ok(())
}

/// In place, the destination first, and every kind of argument.
#[custom_op(name = "first_of_all")]
pub fn first(_q7: &Q7, _out: &mut Tensor, _x: &Tensor, _a: Scalar, _b: i32, _c: f32, mut _d: i64) -> Result<()> {
    _d += 1;
    Ok(())
}

/// Over its own argument.
#[custom_op(in_place)]
pub fn over(_q7: &Q7, _x: &Tensor, _out: &mut Tensor) -> Result<()> {
    Ok(())
}

/// Returning.
#[custom_op(shape = like_first)]
pub fn returning(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    q7.empty_like(x)
}

fn like_first(inputs: &[TensorSpec]) -> Result<TensorSpec> {
    inputs.first().copied().ok_or(Error::message("no input"))
}

neuron_library!(pub OPS: "ops" = [last, first, over, returning]);

fn main() {
    assert_eq!(OPS.ops()[1].name(), op!(first).name());
}
