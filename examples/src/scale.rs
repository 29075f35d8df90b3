//! Returning a tensor instead of writing to a destination.

use neuron_device::prelude::*;

/// `factor * x`, element by element, over f32.
///
/// The result is made on this core's own scratch, where each core writes its share only. What a core wrote is copied
/// to the launch's output when it returns, and nothing else: so eight cores fill one output. A core remembers up to
/// eight separate pieces; a share in one piece, as here, is one.
#[custom_op]
pub fn scale(q7: &Q7, x: &Tensor, factor: f32) -> Result<Tensor> {
    let mut result = q7.empty_like(x)?;
    let src = x.elements::<f32>(q7)?;
    let dst = result.elements_mut::<f32>(q7)?;
    for i in q7.partition_flat(x.numel()) {
        dst.set(i, factor * src.get(i));
    }
    Ok(result)
}
