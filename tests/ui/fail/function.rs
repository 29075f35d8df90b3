//! What an op's function cannot be. Its body stays, so nothing else is wrong here.

use neuron_device::prelude::*;

#[custom_op]
async fn asynchronous(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    q7.empty_like(x)
}

#[custom_op]
unsafe extern "C" fn foreign(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    q7.empty_like(x)
}

#[custom_op]
fn generic<'a, T, const N: usize>(q7: &Q7, x: &'a Tensor) -> Result<Tensor>
where
    T: Copy,
{
    q7.empty_like(x)
}

struct Model;

impl Model {
    #[custom_op]
    fn method(&self, q7: &Q7, x: &Tensor) -> Result<Tensor> {
        q7.empty_like(x)
    }
}

#[custom_op]
#[custom_op]
fn twice(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    q7.empty_like(x)
}

#[custom_op]
struct NoFunction;

// The entries of broken ops are there.
neuron_library!(OPS: "ops" = [asynchronous, foreign, generic]);

fn main() {
    let _ = (OPS.ops(), op!(asynchronous), Model, NoFunction);
}
