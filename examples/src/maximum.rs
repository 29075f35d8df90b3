//! NaN is kept: the functions of `math` do so, where Rust's own `max` and `min` drop it.
//!
//! ```
//! use neuron_device::op;
//! use neuron_examples::maximum;
//! use neuron_host_sim::{HostTensor, Simulator, args};
//! let mut sim = Simulator::new()?;
//! let x = HostTensor::from_slice(&[3], &[f32::NAN, 1.0, -2.0])?;
//! let y = HostTensor::from_slice(&[3], &[1.0_f32, f32::NAN, 3.0])?;
//! let report = sim.launch(op!(maximum::maximum), &args![&x, &y])?;
//! let larger = report.output().to_host().to_vec::<f32>()?;
//! assert!(larger[0].is_nan() && larger[1].is_nan() && larger[2] == 3.0);
//! let report = sim.launch(op!(maximum::minimum), &args![&x, &y])?;
//! assert_eq!(report.output().to_host().to_vec::<f32>()?[2], -2.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use neuron_device::prelude::*;

use crate::elementwise::zip;

/// `torch.maximum(x, y)`: the larger of two; NaN if one of them is. +0 is above -0, where torch takes either.
///
/// `x`, `y` and `out` have the same dtype, any of the eight, and the same sizes.
#[custom_op]
pub fn maximum(q7: &Q7, x: &Tensor, y: &Tensor, out: &mut Tensor) -> Result<()> {
    match_dtype!(x, f32 | f16 | bf16 | i8 | u8 | i16 | i32 | i64 as T => zip(q7, x, y, out, math::max::<T>))
}

/// `torch.minimum(x, y)`: the smaller of two; otherwise as [`maximum`].
#[custom_op]
pub fn minimum(q7: &Q7, x: &Tensor, y: &Tensor, out: &mut Tensor) -> Result<()> {
    match_dtype!(x, f32 | f16 | bf16 | i8 | u8 | i16 | i32 | i64 as T => zip(q7, x, y, out, math::min::<T>))
}
