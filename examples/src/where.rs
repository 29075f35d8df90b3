//! Tensors of different dtypes in one kernel, of which some are read only here and there.
//!
//! ```
//! use neuron_device::op;
//! use neuron_examples::{compare, r#where};
//! use neuron_host_sim::{HostTensor, Simulator, args};
//! let mut sim = Simulator::new()?;
//! let x = HostTensor::from_slice(&[3], &[f32::NAN, -1.5, 2.0])?;
//! let zero = HostTensor::scalar(0.0_f32).expand(&[3])?;
//! let positive = sim.launch(op!(compare::gt), &args![&x, &zero])?.output().clone();
//! let report = sim.launch(op!(r#where::r#where), &args![&positive, &x, &zero])?;
//! assert_eq!(report.output().to_host().to_vec::<f32>()?, [0.0, 0.0, 2.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use neuron_device::prelude::*;

/// `torch.where(condition, x, y)`: `x` where the condition is not 0, otherwise `y`, bit for bit.
///
/// `condition` has dtype u8, torch's bool, as the ops of [`compare`](crate::compare) write it. `x`, `y` and `out` have
/// the same dtype, any of the eight; all have the same sizes.
#[custom_op(shape = like_x)]
pub fn r#where(q7: &Q7, condition: &Tensor, x: &Tensor, y: &Tensor, out: &mut Tensor) -> Result<()> {
    condition.expect_dtype(Dtype::U8)?;
    y.expect_dtype(x.dtype())?;
    x.expect_sizes(condition.sizes())?;
    y.expect_sizes(condition.sizes())?;
    out.expect_sizes(condition.sizes())?;
    match_dtype!(x, f32 | f16 | bf16 | i8 | u8 | i16 | i32 | i64 as T => {
        let condition = condition.elements::<u8>(q7)?;
        let (xs, ys, dst) = (x.elements::<T>(q7)?, y.elements::<T>(q7)?, out.elements_mut::<T>(q7)?);
        for i in q7.partition_flat(condition.numel()) {
            dst.set(i, if condition.get(i) != 0 { xs.get(i) } else { ys.get(i) });
        }
        Ok(())
    })
}

/// Without it the output would be like the first tensor, the condition.
fn like_x(inputs: &[TensorSpec]) -> Result<TensorSpec> {
    Ok(inputs[1])
}
