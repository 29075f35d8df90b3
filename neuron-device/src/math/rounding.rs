//! Rounding to whole numbers, and rounding once.

use super::float::{Float, by_f32};
use crate::words::element::Element;

/// The largest whole number not above `x`. Infinities and NaN stay.
///
/// ```
/// use neuron_device::math;
/// assert_eq!((math::floor(2.7_f32), math::floor(-2.1_f32)), (2.0, -3.0));
/// ```
#[inline]
pub fn floor<T: Float>(x: T) -> T {
    by_f32(x, libm::floorf)
}

/// The smallest whole number not below `x`; `ceil(-0.5)` is -0. Infinities and NaN stay.
///
/// ```
/// use neuron_device::math;
/// assert_eq!((math::ceil(2.1_f32), math::ceil(-2.7_f32)), (3.0, -2.0));
/// assert!(math::ceil(-0.5_f32).is_sign_negative());
/// ```
#[inline]
pub fn ceil<T: Float>(x: T) -> T {
    by_f32(x, libm::ceilf)
}

/// The nearest whole number, halves to the even one, as `torch.round` does and `f32::round` does not. The sign stays,
/// also of what becomes a zero.
///
/// ```
/// use neuron_device::math;
/// let halves = [0.5_f32, 1.5, 2.5, -0.5, -1.5];
/// assert_eq!(halves.map(math::round), [0.0, 2.0, 2.0, -0.0, -2.0]);
/// ```
#[inline]
pub fn round<T: Float>(x: T) -> T {
    by_f32(x, libm::roundevenf)
}

/// `x * y + z`, rounded once in f32, so that a product that cancels keeps its low bits. It runs in software and is
/// slower than `x * y + z`.
///
/// ```
/// use neuron_device::math;
/// let e = f32::EPSILON;
/// assert_eq!(math::fma(1.0 + e, 1.0 - e, -1.0), -e * e);
/// assert_eq!((1.0 + e) * (1.0 - e) - 1.0, 0.0);
/// ```
#[inline]
pub fn fma<T: Float>(x: T, y: T, z: T) -> T {
    libm::fmaf(x.cast(), y.cast(), z.cast()).cast()
}
