//! What an op's parameters cannot be. Every mistake is told in one build.

use neuron_device::prelude::*;

#[custom_op]
fn core_missing(x: &Tensor, _n: usize) -> Result<Tensor> {
    Ok(x.clone())
}

#[custom_op]
fn core_last(x: &Tensor, q7: &Q7) -> Result<Tensor> {
    q7.empty_like(x)
}

#[custom_op]
fn core_exclusive(q7: &mut Q7, x: &Tensor) -> Result<Tensor> {
    q7.empty_like(x)
}

#[custom_op]
fn patterns(q7: &Q7, x: &Tensor, _: f32, (low, high): (f32, f32)) -> Result<Tensor> {
    let _ = (low, high);
    q7.empty_like(x)
}

#[custom_op]
fn scalars(q7: &Q7, x: &Tensor, n: usize, eps: f64, flag: bool, byte: u8, alpha: &f32) -> Result<Tensor> {
    let _ = (n, eps, flag, byte, alpha);
    q7.empty_like(x)
}

#[custom_op]
fn others(q7: &Q7, x: Tensor, weights: &[f32], mode: &str, bias: Option<&Tensor>) -> Result<Tensor> {
    let _ = (weights, mode, bias);
    q7.empty_like(&x)
}

#[custom_op]
fn behaviour(q7: &Q7, x: &Tensor, map: impl Fn(f32) -> f32, again: &'static Tensor) -> Result<Tensor> {
    let _ = (map(0.0), again);
    q7.empty_like(x)
}

#[custom_op]
fn eleven(
    q7: &Q7,
    x: &Tensor,
    a: f32,
    b: f32,
    c: f32,
    d: f32,
    e: f32,
    f: f32,
    g: f32,
    h: f32,
    i: f32,
    j: f32,
) -> Result<Tensor> {
    let _ = (a, b, c, d, e, f, g, h, i, j);
    q7.empty_like(x)
}

fn main() {}
