//! Powers, roots, logarithms, and the error function.

use super::float::{Float, by_f32};
use crate::words::element::Element;

/// e to the power of `x`.
///
/// `exp(-inf)` is 0; beyond the type's range the result is infinite.
///
/// ```
/// use neuron_device::math;
/// assert_eq!(math::exp(0.0_f32), 1.0);
/// assert_eq!(math::exp(1.0_f32), core::f32::consts::E);
/// assert_eq!((math::exp(f32::NEG_INFINITY), math::exp(100.0_f32)), (0.0, f32::INFINITY));
/// ```
#[inline]
pub fn exp<T: Float>(x: T) -> T {
    by_f32(x, libm::expf)
}

/// `exp(x) - 1`, exact where `x` is small and the difference would cancel; `expm1(-0)` is -0.
///
/// ```
/// use neuron_device::math;
/// assert_eq!(math::expm1(1e-10_f32), 1e-10);
/// assert_eq!(math::expm1(f32::NEG_INFINITY), -1.0);
/// ```
#[inline]
pub fn expm1<T: Float>(x: T) -> T {
    by_f32(x, libm::expm1f)
}

/// The natural logarithm. Of either zero it is -inf, of a negative number NaN.
///
/// ```
/// use neuron_device::math;
/// assert_eq!(math::log(1.0_f32), 0.0);
/// assert_eq!(math::log(-0.0_f32), f32::NEG_INFINITY);
/// assert!(math::log(-1.0_f32).is_nan());
/// ```
#[inline]
pub fn log<T: Float>(x: T) -> T {
    by_f32(x, libm::logf)
}

/// The logarithm to base 2; exact for powers of 2. Of either zero it is -inf, of a negative number NaN.
///
/// ```
/// use neuron_device::{f16, math};
/// assert_eq!(math::log2(f16::from_f32(1024.0)), f16::from_f32(10.0));
/// ```
#[inline]
pub fn log2<T: Float>(x: T) -> T {
    by_f32(x, libm::log2f)
}

/// The logarithm to base 10. Of either zero it is -inf, of a negative number NaN.
///
/// ```
/// use neuron_device::math;
/// assert_eq!(math::log10(1000.0_f32), 3.0);
/// ```
#[inline]
pub fn log10<T: Float>(x: T) -> T {
    by_f32(x, libm::log10f)
}

/// `x` to the power of `y`. As in C and torch, `pow(x, 0)` and `pow(1, y)` are 1 even for NaN, and a negative `x`
/// gives NaN unless `y` is a whole number.
///
/// ```
/// use neuron_device::math;
/// assert_eq!(math::pow(-2.0_f32, 3.0), -8.0);
/// assert_eq!(math::pow(f32::NAN, 0.0), 1.0);
/// assert!(math::pow(-2.0_f32, 0.5).is_nan());
/// ```
#[inline]
pub fn pow<T: Float>(x: T, y: T) -> T {
    libm::powf(x.cast(), y.cast()).cast()
}

/// The square root, correctly rounded in f32. Of -0 it is -0, of a negative number NaN.
///
/// ```
/// use neuron_device::{bf16, math};
/// assert_eq!(math::sqrt(bf16::from_f32(9.0)), bf16::from_f32(3.0));
/// assert!(math::sqrt(-1.0_f32).is_nan());
/// ```
#[inline]
pub fn sqrt<T: Float>(x: T) -> T {
    by_f32(x, libm::sqrtf)
}

/// 1 divided by the square root, each rounded in f32. Of 0 it is inf, of -0 it is -inf, of a negative number NaN.
///
/// ```
/// use neuron_device::math;
/// assert_eq!(math::rsqrt(4.0_f32), 0.5);
/// assert_eq!(math::rsqrt(-0.0_f32), f32::NEG_INFINITY);
/// ```
#[inline]
pub fn rsqrt<T: Float>(x: T) -> T {
    by_f32(x, |x| 1.0 / libm::sqrtf(x))
}

/// The error function, from -1 at -inf to 1 at inf; `erf(-0)` is -0.
///
/// ```
/// use neuron_device::math;
/// assert_eq!(math::erf(f32::INFINITY), 1.0);
/// assert_eq!(math::erf(0.5_f32), 0.520_499_9);
/// ```
#[inline]
pub fn erf<T: Float>(x: T) -> T {
    by_f32(x, libm::erff)
}
