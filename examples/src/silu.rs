//! The ends of the range: what a formula gives where a step of it overflows.
//!
//! Of -100 the exponential is infinite, and the quotient -0, which is as near as f32 comes. Of -inf it is -inf / inf:
//! NaN, as torch has it. Had the formula been written `x * e / (1 + e)` with e = exp(x), large numbers would be NaN.
//!
//! ```
//! use neuron_device::op;
//! use neuron_examples::silu;
//! use neuron_host_sim::{HostTensor, Simulator, args};
//! let mut sim = Simulator::new()?;
//! let x = HostTensor::from_slice(&[4], &[-100.0_f32, -1.0, 0.0, 100.0])?;
//! let report = sim.launch(op!(silu::silu), &args![&x])?;
//! assert_eq!(report.output().to_host().to_vec::<f32>()?, [-0.0, -0.26894143, 0.0, 100.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use neuron_device::prelude::*;

use crate::elementwise::map;

/// `torch.nn.functional.silu(x)`, also called swish: `x` times its logistic function.
///
/// `x` has a float dtype and any sizes, `out` the same.
#[custom_op]
pub fn silu(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    match_dtype!(x, f32 | f16 | bf16 as T => map(q7, x, out, |x: T| {
        let x: f32 = x.cast();
        (x / (1.0 + math::exp(-x))).cast::<T>()
    }))
}
