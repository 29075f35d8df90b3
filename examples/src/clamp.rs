//! Values for a tensor of any dtype: a [`Scalar`] keeps its own type until the kernel knows the tensor's.
//!
//! ```
//! use neuron_device::op;
//! use neuron_examples::clamp;
//! use neuron_host_sim::{HostTensor, Simulator, args};
//! let mut sim = Simulator::new()?;
//! let x = HostTensor::from_slice(&[3], &[3_u8, 100, 255])?;
//! let report = sim.launch(op!(clamp::clamp), &args![&x, 5, 1000])?;
//! assert_eq!(report.output().to_host().to_vec::<u8>()?, [5, 100, 255]);
//! let x = HostTensor::from_slice(&[3], &[f32::NAN, -0.5, 7.0])?;
//! let report = sim.launch(op!(clamp::clamp), &args![&x, 0, 1.5_f32])?;
//! let clamped = report.output().to_host().to_vec::<f32>()?;
//! assert!(clamped[0].is_nan() && clamped[1..] == [0.0, 1.5]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use neuron_device::prelude::*;

use crate::elementwise::{expect_whole, map};

/// `torch.clamp(x, min, max)`: what is below `min` becomes `min`, then what is above `max` becomes `max`.
///
/// `x` has any dtype and sizes, `out` the same. NaN stays, and a bound that is NaN makes everything NaN. A bound that an
/// integer dtype does not reach is its nearest end.
///
/// # Errors
/// A bound is a float and `x` is not, for which torch would give a tensor of floats.
#[custom_op]
pub fn clamp(q7: &Q7, x: &Tensor, min: Scalar, max: Scalar, out: &mut Tensor) -> Result<()> {
    expect_whole(min, "min", x)?;
    expect_whole(max, "max", x)?;
    match_dtype!(x, f32 | f16 | bf16 | i8 | u8 | i16 | i32 | i64 as T => {
        let (min, max) = (nearest(min), nearest(max));
        map(q7, x, out, |x: T| math::min(math::max(x, min), max))
    })
}

/// The number of `T` nearest to `value`. An integer that `T` does not reach would wrap; a float goes to the end.
fn nearest<T: Number>(value: Scalar) -> T {
    let same: T = value.to();
    if T::DTYPE.is_float() || same.cast::<i64>() == value.to::<i64>() {
        same
    } else {
        value.to::<f32>().cast()
    }
}
