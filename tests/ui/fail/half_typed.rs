//! A body that is not finished is the compiler's business: the function is there, and so is its entry.

use neuron_device::prelude::*;

#[custom_op]
fn relu(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let src = x.elements::<f32>(q7)?;
    let = out.;
    Ok(())
}

fn main() {
    let _ = (relu, op!(relu));
}
