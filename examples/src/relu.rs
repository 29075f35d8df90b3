//! The smallest kernel: each core takes its share of the elements, reads, writes.

use neuron_device::prelude::*;

/// Rectified linear unit over any dtype, shape and layout; NaN and -0 stay, as in PyTorch.
///
/// `x` and `out` have the same dtype and sizes. `elements` takes any rank: the index counts through the tensor in
/// row-major order, whatever its strides. `match_dtype!` compiles the block once for each type it lists.
#[custom_op]
pub fn relu(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    match_dtype!(x, f32 | f16 | bf16 | i8 | u8 | i16 | i32 | i64 as T => {
        let src = x.elements::<T>(q7)?;
        let dst = out.elements_mut::<T>(q7)?;
        let zero = T::ZERO;
        for i in q7.partition_flat(x.numel()) {
            let v = src.get(i);
            dst.set(i, if v < zero { zero } else { v });
        }
        Ok(())
    })
}
