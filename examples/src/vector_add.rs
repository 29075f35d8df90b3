//! Several inputs and a value.

use neuron_device::prelude::*;

/// `x + alpha * y`, element by element, over f32 tensors of the same sizes.
///
/// Arguments come in the order of the signature; the destination is none and may stand anywhere. An error ends this
/// core's work; every core sees the same sizes, so all of them return it.
#[custom_op]
pub fn vector_add(q7: &Q7, x: &Tensor, y: &Tensor, alpha: f32, out: &mut Tensor) -> Result<()> {
    y.expect_sizes(x.sizes())?;
    let xs = x.elements::<f32>(q7)?;
    let ys = y.elements::<f32>(q7)?;
    let dst = out.elements_mut::<f32>(q7)?;
    for i in q7.partition_flat(x.numel()) {
        dst.set(i, xs.get(i) + alpha * ys.get(i));
    }
    Ok(())
}
