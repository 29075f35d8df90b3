//! One line: with a helper for the walk, a kernel is its formula.
//!
//! ```
//! use neuron_device::op;
//! use neuron_examples::mul;
//! use neuron_host_sim::{HostTensor, Simulator, args};
//! let mut sim = Simulator::new()?;
//! let x = HostTensor::from_slice(&[2, 1], &[300_i16, -2])?;
//! let report = sim.launch(op!(mul::mul), &args![&x, &x])?;
//! assert_eq!(report.output().to_host().to_vec::<i16>()?, [24464, 4]);
//! // A smaller tensor is expanded by who launches; no element is copied for it.
//! let row = HostTensor::from_slice(&[1, 3], &[1_i16, 2, 3])?.expand(&[2, 3])?;
//! let report = sim.launch(op!(mul::mul), &args![&x.expand(&[2, 3])?, &row])?;
//! assert_eq!(report.output().to_host().to_vec::<i16>()?, [300, 600, 900, -2, -4, -6]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use neuron_device::prelude::*;

use crate::elementwise::zip;

/// `torch.mul(x, y)`: `x * y`. Integers wrap, in every build.
///
/// `x`, `y` and `out` have the same dtype, any of the eight, and the same sizes.
#[custom_op]
pub fn mul(q7: &Q7, x: &Tensor, y: &Tensor, out: &mut Tensor) -> Result<()> {
    match_dtype!(x, f32 | f16 | bf16 | i8 | u8 | i16 | i32 | i64 as T => zip(q7, x, y, out, T::wrapping_mul))
}
