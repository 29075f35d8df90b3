//! An error that depends on the data, and an output whose dtype depends on the input's.
//!
//! A float may be divided by 0, an integer may not: Rust would panic. The core that meets such an element returns an
//! error, which names the argument; the others, which cannot know, go on. The report tells how each core ended.
//!
//! ```
//! use neuron_device::op;
//! use neuron_examples::div;
//! use neuron_host_sim::{HostTensor, Simulator, args};
//! let mut sim = Simulator::new()?;
//! let x = HostTensor::from_slice(&[3], &[-7, 7, -1])?;
//! let y = HostTensor::from_slice(&[3], &[2, -2, 2])?;
//! let report = sim.launch(op!(div::div), &args![&x, &y])?;
//! assert_eq!(report.output().to_host().to_vec::<f32>()?, [-3.5, -3.5, -0.5]);
//! let report = sim.launch(op!(div::floor_divide), &args![&x, &y])?;
//! assert_eq!(report.output().to_host().to_vec::<i32>()?, [-4, -4, -1]);
//! let report = sim.launch(op!(div::trunc_divide), &args![&x, &y])?;
//! assert_eq!(report.output().to_host().to_vec::<i32>()?, [-3, -3, 0]);
//! let zero = HostTensor::from_slice(&[3], &[0; 3])?;
//! let report = sim.launch(op!(div::floor_divide), &args![&x, &zero])?;
//! assert!(report.to_string().contains("`y`: holds 0"), "{report}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use neuron_device::prelude::*;

use crate::elementwise::{try_zip, zip};

/// `torch.div(x, y)`: the quotient, infinite or NaN by 0.
///
/// `x` and `y` have the same dtype, any of the eight, and the same sizes. `out` has the sizes, and the dtype too if it is
/// a float's; of integers it is f32, in which they are divided.
#[custom_op(shape = quotients)]
pub fn div(q7: &Q7, x: &Tensor, y: &Tensor, out: &mut Tensor) -> Result<()> {
    if x.dtype().is_float() {
        match_dtype!(x, f32 | f16 | bf16 as T => zip(q7, x, y, out, |a: T, b: T| ratio(a, b).cast::<T>()))
    } else {
        match_dtype!(x, i8 | u8 | i16 | i32 | i64 as T => zip(q7, x, y, out, ratio::<T>))
    }
}

fn quotients(inputs: &[TensorSpec]) -> Result<TensorSpec> {
    let x = inputs[0];
    TensorSpec::new(if x.dtype().is_float() { x.dtype() } else { Dtype::F32 }, x.sizes())
}

fn ratio<T: Element>(a: T, b: T) -> f32 {
    a.cast::<f32>() / b.cast::<f32>()
}

/// `torch.div(x, y, rounding_mode="floor")`, also `torch.floor_divide(x, y)`: the quotient rounded down, as Python's
/// `//`. The smallest integer by -1 is itself.
///
/// `x`, `y` and `out` have the same dtype, any of the eight, and the same sizes.
///
/// # Errors
/// `y` holds integers, and one of them is 0.
#[custom_op]
pub fn floor_divide(q7: &Q7, x: &Tensor, y: &Tensor, out: &mut Tensor) -> Result<()> {
    match_dtype!(x, f32 | f16 | bf16 | i8 | u8 | i16 | i32 | i64 as T => divide(q7, x, y, out, T::floor_divide))
}

/// `torch.div(x, y, rounding_mode="trunc")`: the quotient rounded towards 0, as Rust's `/` of integers. Otherwise as
/// [`floor_divide`].
///
/// # Errors
/// `y` holds integers, and one of them is 0.
#[custom_op]
pub fn trunc_divide(q7: &Q7, x: &Tensor, y: &Tensor, out: &mut Tensor) -> Result<()> {
    match_dtype!(x, f32 | f16 | bf16 | i8 | u8 | i16 | i32 | i64 as T => divide(q7, x, y, out, T::trunc_divide))
}

fn divide<T: Number>(
    q7: &Q7,
    x: &Tensor,
    y: &Tensor,
    out: &mut Tensor,
    rounded: impl Fn(T, T) -> T,
) -> Result<()> {
    try_zip(q7, x, y, out, |a, b| {
        if b == T::ZERO && !T::DTYPE.is_float() {
            return Err(Error::message(
                "holds 0, by which no integer is divided: replace it, or cast to f32",
            )
            .about("y"));
        }
        Ok(rounded(a, b))
    })
}
