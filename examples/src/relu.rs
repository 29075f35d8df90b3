//! The smallest kernel: each core takes its share of the elements, reads, writes.

use neuron_device::prelude::*;

/// Rectified linear unit over any shape and layout; NaN and -0 stay, as in PyTorch.
///
/// `x` and `out` are f32 of the same sizes. `elements` takes any rank: the index counts through the tensor in row-major
/// order, whatever its strides.
#[custom_op]
pub fn relu(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let src = x.elements::<f32>(q7)?;
    let dst = out.elements_mut::<f32>(q7)?;
    for i in q7.partition_flat(x.numel()) {
        let v = src.get(i);
        dst.set(i, if v < 0.0 { 0.0 } else { v });
    }
    Ok(())
}
