//! Options and names.

use neuron_device::prelude::*;

#[custom_op(inplace, name = relu, shape = "like_x", crate = "neuron_device")]
fn options(_q7: &Q7, x: &Tensor) -> Result<Tensor> {
    Ok(x.clone())
}

#[custom_op(name = "relu", name = "gelu")]
fn again(_q7: &Q7, x: &Tensor) -> Result<Tensor> {
    Ok(x.clone())
}

#[custom_op(name = "")]
fn empty(_q7: &Q7, x: &Tensor) -> Result<Tensor> {
    Ok(x.clone())
}

#[custom_op(name = "my relu")]
fn space(_q7: &Q7, x: &Tensor) -> Result<Tensor> {
    Ok(x.clone())
}

#[custom_op]
fn rectified_linear_unit_with_slope(_q7: &Q7, x: &Tensor) -> Result<Tensor> {
    Ok(x.clone())
}

#[custom_op(in_place)]
fn returning(_q7: &Q7, x: &Tensor) -> Result<Tensor> {
    Ok(x.clone())
}

#[custom_op(in_place = true)]
fn with_a_value(_q7: &Q7, _x: &Tensor, _out: &mut Tensor) -> Result<()> {
    Ok(())
}

#[custom_op(stack_size = 8 * 1024)]
fn computed(_q7: &Q7, x: &Tensor) -> Result<Tensor> {
    Ok(x.clone())
}

#[custom_op(stack_size = 5_000_000)]
fn too_deep(_q7: &Q7, x: &Tensor) -> Result<Tensor> {
    Ok(x.clone())
}

fn main() {}
