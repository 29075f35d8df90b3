//! What an op's result cannot be.

use neuron_device::prelude::*;

#[custom_op]
fn nothing(_q7: &Q7, _x: &Tensor) {}

#[custom_op]
fn no_destination(_q7: &Q7, _x: &Tensor) -> Result<()> {
    Ok(())
}

#[custom_op]
fn cannot_fail(_q7: &Q7, _x: &Tensor, _out: &mut Tensor) {}

#[custom_op]
fn two_destinations(_q7: &Q7, _x: &Tensor, _low: &mut Tensor, _high: &mut Tensor) -> Result<()> {
    Ok(())
}

#[custom_op]
fn both(_q7: &Q7, x: &Tensor, _out: &mut Tensor) -> Result<Tensor> {
    Ok(x.clone())
}

#[custom_op]
fn slice(_q7: &Q7, _x: &Tensor, _out: &mut [f32]) -> Result<()> {
    Ok(())
}

#[custom_op]
fn shapeless(_q7: &Q7, _value: f32, _out: &mut Tensor) -> Result<()> {
    Ok(())
}

#[custom_op]
fn bare(_q7: &Q7, x: &Tensor) -> Tensor {
    x.clone()
}

#[custom_op]
fn option(_q7: &Q7, x: &Tensor) -> Option<Tensor> {
    Some(x.clone())
}

#[custom_op]
fn several(_q7: &Q7, x: &Tensor) -> Result<(Tensor, Tensor)> {
    Ok((x.clone(), x.clone()))
}

#[custom_op]
fn number(_q7: &Q7, _x: &Tensor) -> Result<f32> {
    Ok(0.0)
}

fn main() {}
