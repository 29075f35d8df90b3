//! An op that takes values beside a tensor.

use neuron_device::prelude::*;

/// `weight * x + bias` in 64 bits, wrapping; `weight` may have any dtype and is cut to a whole number.
#[custom_op]
pub fn weigh(q7: &Q7, x: &Tensor, bias: i64, weight: Scalar, out: &mut Tensor) -> Result<()> {
    let weight = weight.to::<i64>();
    let (src, dst) = (x.elements::<i64>(q7)?, out.elements_mut::<i64>(q7)?);
    for i in q7.partition_flat(src.numel()) {
        dst.set(i, src.get(i).wrapping_mul(weight).wrapping_add(bias));
    }
    Ok(())
}
