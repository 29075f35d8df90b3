//! Mistakes that are seldom made, some of which the compiler has words for as well.

use neuron_device::prelude::*;

#[custom_op]
const fn constant(_q7: &Q7, _x: &Tensor) -> Result<Tensor> {
    loop {}
}

#[custom_op]
fn two_cores(_q7: &Q7, x: &Tensor, _other: &Q7) -> Result<Tensor> {
    Ok(x.clone())
}

#[custom_op]
fn conditional(_q7: &Q7, x: &Tensor, #[cfg(debug_assertions)] _level: i32) -> Result<Tensor> {
    Ok(x.clone())
}

#[custom_op]
fn pointers(_q7: &Q7, x: &Tensor, _at: *const f32, _twice: &&Tensor) -> Result<Tensor> {
    Ok(x.clone())
}

#[custom_op]
fn second_result(_q7: &Q7, _x: &Tensor, _count: &mut i32) -> Result<()> {
    Ok(())
}

#[custom_op]
fn inferred(_q7: &Q7, x: &Tensor, _any: _) -> Result<Tensor> {
    Ok(x.clone())
}

#[custom_op]
fn declared(_q7: &Q7, x: &Tensor) -> Result<Tensor>;

neuron_library!(crate = "neuron_device"; QUOTED: "quoted" = [constant]);

fn main() {
    let _ = QUOTED;
}
