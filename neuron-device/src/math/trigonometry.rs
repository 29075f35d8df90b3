//! Sine and its relatives. libm computes them in f64, which the cores do not have (`docs/machine.md`, "f64"): they cost many
//! calls into software.

use super::float::{Float, by_f32};

/// The sine of `x` radians, reduced exactly however large `x` is. Of an infinity it is NaN.
///
/// ```
/// use neuron_device::math;
/// assert_eq!(math::sin(core::f32::consts::FRAC_PI_2), 1.0);
/// assert_eq!(math::sin(1e30_f32), -0.791_163_44);
/// ```
#[inline]
pub fn sin<T: Float>(x: T) -> T {
    by_f32(x, libm::sinf)
}

/// The cosine of `x` radians, reduced exactly however large `x` is. Of an infinity it is NaN.
///
/// ```
/// use neuron_device::{f16, math};
/// assert_eq!(math::cos(f16::from_f32(0.0)), f16::from_f32(1.0));
/// ```
#[inline]
pub fn cos<T: Float>(x: T) -> T {
    by_f32(x, libm::cosf)
}

/// The tangent of `x` radians, reduced exactly however large `x` is. Of an infinity it is NaN.
///
/// ```
/// use neuron_device::math;
/// assert_eq!(math::tan(core::f32::consts::FRAC_PI_4), 1.0);
/// ```
#[inline]
pub fn tan<T: Float>(x: T) -> T {
    by_f32(x, libm::tanf)
}

/// The hyperbolic tangent, from -1 at -inf to 1 at inf; `tanh(-0)` is -0.
///
/// ```
/// use neuron_device::math;
/// assert_eq!((math::tanh(0.0_f32), math::tanh(20.0_f32)), (0.0, 1.0));
/// ```
#[inline]
pub fn tanh<T: Float>(x: T) -> T {
    by_f32(x, libm::tanhf)
}
