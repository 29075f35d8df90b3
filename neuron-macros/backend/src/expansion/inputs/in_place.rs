use neuron_device::prelude::*;

/// Rectified linear unit.
#[custom_op]
#[inline]
pub fn relu(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let src = x.elements::<f32>(q7)?;
    let dst = out.elements_mut::<f32>(q7)?;
    for i in q7.partition_flat(x.numel()) {
        let v = src.get(i);
        dst.set(i, if v < 0.0 { 0.0 } else { v });
    }
    Ok(())
}
