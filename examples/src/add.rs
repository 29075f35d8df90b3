//! Several steps, rounded once: [`Number::Compute`] is f32 for a float and the type itself for an integer.
//!
//! ```
//! use neuron_device::{bf16, op};
//! use neuron_examples::add;
//! use neuron_host_sim::{HostTensor, Simulator, args};
//! let mut sim = Simulator::new()?;
//! let x = HostTensor::from_slice(&[2], &[1_u8, 200])?;
//! let report = sim.launch(op!(add::sub), &args![&x, &x, 2])?;
//! assert_eq!(report.output().to_host().to_vec::<u8>()?, [255, 56]);
//! // 3 * 1.0078125 is no bf16: rounded before the sum, it would take the last bit of the result with it.
//! let [x, y] = [-3.0, 1.0078125].map(|v| HostTensor::scalar(bf16::from_f32(v)));
//! let report = sim.launch(op!(add::add), &args![&x, &y, 3])?;
//! assert_eq!(report.output().to_host().to_vec::<bf16>()?, [bf16::from_f32(0.0234375)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use neuron_device::prelude::*;

use crate::elementwise::{expect_whole, zip};

/// `torch.add(x, y, alpha=alpha)`: `x + alpha * y`. Integers wrap.
///
/// `x`, `y` and `out` have the same dtype, any of the eight, and the same sizes. `alpha` is rounded to that dtype, as
/// torch does. In f32 torch may round once where this rounds the product and the sum: that depends on its machine.
///
/// # Errors
/// `alpha` is a float and `x` is not.
#[custom_op]
pub fn add(q7: &Q7, x: &Tensor, y: &Tensor, alpha: Scalar, out: &mut Tensor) -> Result<()> {
    expect_whole(alpha, "alpha", x)?;
    match_dtype!(x, f32 | f16 | bf16 | i8 | u8 | i16 | i32 | i64 as T => weighted(q7, x, y, alpha.to::<T>(), out))
}

/// `torch.sub(x, y, alpha=alpha)`: `x - alpha * y`; otherwise as [`add`].
///
/// # Errors
/// `alpha` is a float and `x` is not.
#[custom_op]
pub fn sub(q7: &Q7, x: &Tensor, y: &Tensor, alpha: Scalar, out: &mut Tensor) -> Result<()> {
    expect_whole(alpha, "alpha", x)?;
    match_dtype!(x, f32 | f16 | bf16 | i8 | u8 | i16 | i32 | i64 as T => weighted(q7, x, y, alpha.to::<T>().wrapping_neg(), out))
}

fn weighted<T: Number>(q7: &Q7, x: &Tensor, y: &Tensor, weight: T, out: &mut Tensor) -> Result<()> {
    let weight: T::Compute = weight.cast();
    zip(q7, x, y, out, |a: T, b: T| {
        let (a, b): (T::Compute, T::Compute) = (a.cast(), b.cast());
        a.wrapping_add(weight.wrapping_mul(b)).cast::<T>()
    })
}
