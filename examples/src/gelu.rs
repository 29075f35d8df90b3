//! A formula: functions come from `math`, and f32 is what to compute in, whatever the tensor holds.
//!
//! `cast` to f32 is exact, and the one `cast` back rounds once. The standard library's functions differ from machine to
//! machine; clippy stops them here.
//!
//! ```
//! use neuron_device::op;
//! use neuron_examples::gelu;
//! use neuron_host_sim::{HostTensor, Simulator, args};
//! let mut sim = Simulator::new()?;
//! let x = HostTensor::from_slice(&[3], &[-1.0_f32, 0.0, 2.0])?;
//! let report = sim.launch(op!(gelu::gelu), &args![&x])?;
//! assert_eq!(report.output().to_host().to_vec::<f32>()?, [-0.15865526, 0.0, 1.9544997]);
//! let report = sim.launch(op!(gelu::gelu_tanh), &args![&x])?;
//! assert_eq!(report.output().to_host().to_vec::<f32>()?, [-0.158808, 0.0, 1.9545977]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use core::f32::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, SQRT_2};

use neuron_device::prelude::*;

use crate::elementwise::map;

/// `torch.nn.functional.gelu(x)`: `x` times the probability that a normal variable is below it.
///
/// `x` has a float dtype and any sizes, `out` the same.
#[custom_op]
pub fn gelu(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    weigh(q7, x, out, |x| math::erf(x * FRAC_1_SQRT_2))
}

/// `torch.nn.functional.gelu(x, approximate="tanh")`: as [`gelu`], without the error function.
///
/// `x` has a float dtype and any sizes, `out` the same.
#[custom_op]
pub fn gelu_tanh(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    const FRAC_SQRT_2_SQRT_PI: f32 = FRAC_2_SQRT_PI / SQRT_2;
    weigh(q7, x, out, |x| math::tanh(FRAC_SQRT_2_SQRT_PI * (x + 0.044715 * x * x * x)))
}

/// `x * (1 + rise) / 2`, where `rise` goes from -1 to 1.
fn weigh(q7: &Q7, x: &Tensor, out: &mut Tensor, rise: fn(f32) -> f32) -> Result<()> {
    match_dtype!(x, f32 | f16 | bf16 as T => map(q7, x, out, |x: T| {
        let x: f32 = x.cast();
        (0.5 * x * (1.0 + rise(x))).cast::<T>()
    }))
}
