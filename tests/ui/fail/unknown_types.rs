//! Types that the macro does not know by name: the sealed traits tell, at the type.

use neuron_device::prelude::*;

struct Mine;

#[custom_op]
fn argument(_q7: &Q7, x: &Tensor, _mine: Mine, _lent: &Mine) -> Result<Tensor> {
    Ok(x.clone())
}

#[custom_op]
fn core(_q7: &Mine, x: &Tensor) -> Result<Tensor> {
    Ok(x.clone())
}

#[custom_op]
fn destination(_q7: &Q7, _x: &Tensor, _out: &mut Mine) -> Result<()> {
    Ok(())
}

#[custom_op]
fn in_place(_q7: &Q7, _x: &Tensor, _out: &mut Tensor) -> Result<Mine> {
    Ok(Mine)
}

#[custom_op]
fn returning(_q7: &Q7, x: &Tensor) -> Result<Tensor, Mine> {
    let _ = x;
    Err(Mine)
}

#[custom_op(shape = count)]
fn shape(_q7: &Q7, x: &Tensor) -> Result<Tensor> {
    Ok(x.clone())
}

fn count(inputs: &[TensorSpec]) -> usize {
    inputs.len()
}

fn main() {}
