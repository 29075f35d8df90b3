//! Mathematics with the same bits on every machine: the host's cores, simulated ones and a 32-bit one.
//!
//! ```
//! use neuron_device::prelude::*;
//!
//! /// The logistic function, of whichever float type.
//! fn sigmoid<T: Float>(x: T) -> T {
//!     let e = math::exp(-x.cast::<f32>());
//!     (1.0 / (1.0 + e)).cast()
//! }
//! assert_eq!(sigmoid(0.0_f32), 0.5);
//! assert_eq!(sigmoid(f16::from_f32(2.0)), f16::from_f32(0.881));
//! ```
//!
//! The functions are those of one release of the crate `libm`, in software, over f32; f16 and bf16 go by way of f32, in
//! which the function is taken, and are rounded once more at the end. In f32 [`sqrt`], [`floor`], [`ceil`], [`round`]
//! and [`fma`] are correctly rounded; measured over every 257th number, [`rsqrt`] is off by at most 1.5 units in the
//! last place, [`tanh`] by 2.2, the others by less than 1 ([`pow`] was not measured). torch has other approximations:
//! compare with a tolerance. Which NaN a function gives differs by processor; that it is one does not.
//!
//! What the standard library offers (`f32::exp`, `f32::mul_add`, …) and what `num_traits::Float` does depend on the
//! platform and on other crates' features, and `f32::max` drops NaNs. The file `examples/clippy.toml` stops them;
//! beside the `Cargo.toml` of your kernels it does the same there.

mod compare;
mod exponential;
pub(crate) mod float;
pub(crate) mod integer;
pub(crate) mod number;
mod rounding;
#[cfg(test)]
mod tests;
mod trigonometry;

pub use self::compare::{fmax, fmin, max, min};
pub use self::exponential::{erf, exp, expm1, log, log2, log10, pow, rsqrt, sqrt};
pub use self::rounding::{ceil, floor, fma, round};
pub use self::trigonometry::{cos, sin, tan, tanh};
