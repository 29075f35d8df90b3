//! Ops that make a core's windows change.

use neuron_device::prelude::*;

/// `((a - b) * c + d) / e`: six tensors in turn, for three registers, and more readers than a core keeps counts of.
#[custom_op]
pub fn blend(
    q7: &Q7,
    a: &Tensor,
    b: &Tensor,
    c: &Tensor,
    d: &Tensor,
    e: &Tensor,
    out: &mut Tensor,
) -> Result<()> {
    let (a, b, c) = (a.elements::<f32>(q7)?, b.elements::<f32>(q7)?, c.elements::<f32>(q7)?);
    let (d, e) = (d.elements::<f32>(q7)?, e.elements::<f32>(q7)?);
    let dst = out.elements_mut::<f32>(q7)?;
    for i in q7.partition_flat(dst.numel()) {
        dst.set(i, ((a.get(i) - b.get(i)) * c.get(i) + d.get(i)) / e.get(i));
    }
    Ok(())
}

/// `x` minus its first element, from the end of the share to its start: one reader walks backwards, one stays.
#[custom_op]
pub fn backwards(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, first) = (x.elements::<i32>(q7)?, x.elements::<i32>(q7)?);
    let dst = out.elements_mut::<i32>(q7)?;
    for i in q7.partition_flat(src.numel()).into_iter().rev() {
        dst.set(i, src.get(i).wrapping_sub(first.get(0)));
    }
    Ok(())
}
