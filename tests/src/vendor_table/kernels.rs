//! The vendor's kernels by accessors, as its tutorials have them: an element that is wanted twice is read twice.
//!
//! The tutorial's own backward kernel is taken to be `x > 0 ? grad : 0`. Nobody has published how often the vendor's
//! compiler reads what the source reads twice: twice is the assumption here.

use neuron_device::prelude::*;

/// `out[i] = x[i] > 0 ? x[i] : 0`: the comparison reads, and where it holds, the result reads again.
#[custom_op]
pub(super) fn relu(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let src = x.accessor::<f32, 1>(q7)?;
    let dst = out.accessor_mut::<f32, 1>(q7)?;
    for i in q7.partition(src.size(0)) {
        dst.set([i], if src.get([i]) > 0.0 { src.get([i]) } else { 0.0 });
    }
    Ok(())
}

/// The same over a batch of a layer.
#[custom_op]
pub(super) fn forward(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let src = x.accessor::<f32, 2>(q7)?;
    let dst = out.accessor_mut::<f32, 2>(q7)?;
    for i in q7.partition(src.size(0)) {
        for j in 0..src.size(1) {
            dst.set([i, j], if src.get([i, j]) > 0.0 { src.get([i, j]) } else { 0.0 });
        }
    }
    Ok(())
}

/// The gradient of [`forward`]: `x > 0 ? grad : 0`.
#[custom_op]
pub(super) fn backward(q7: &Q7, grad: &Tensor, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let above = grad.accessor::<f32, 2>(q7)?;
    let src = x.accessor::<f32, 2>(q7)?;
    let dst = out.accessor_mut::<f32, 2>(q7)?;
    for i in q7.partition(src.size(0)) {
        for j in 0..src.size(1) {
            dst.set([i, j], if src.get([i, j]) > 0.0 { above.get([i, j]) } else { 0.0 });
        }
    }
    Ok(())
}
