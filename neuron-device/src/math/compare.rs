//! The larger and the smaller of two, with NaN where torch has it.

use super::float::Float;

/// The larger of two; NaN if one of them is, as `torch.maximum` has it. `f32::max` gives the other one then.
///
/// Of zeros it is +0 if one of them is, so the order of the two does not matter; torch's answer depends on it.
///
/// ```
/// use neuron_device::math;
/// assert_eq!(math::max(1.0_f32, 2.0), 2.0);
/// assert!(math::max(f32::NAN, 1.0).is_nan() && math::max(1.0, f32::NAN).is_nan());
/// assert_eq!([3.0_f32, 7.0, 5.0].into_iter().fold(f32::NEG_INFINITY, math::max), 7.0);
/// ```
#[inline]
pub fn max<T: Float>(x: T, y: T) -> T {
    let (a, b): (f32, f32) = (x.cast(), y.cast());
    if a > b || a.is_nan() || (a == b && a.is_sign_positive()) { x } else { y }
}

/// The smaller of two; NaN if one of them is, as `torch.minimum` has it. `f32::min` gives the other one then.
///
/// Of zeros it is -0 if one of them is, so the order of the two does not matter; torch's answer depends on it.
///
/// ```
/// use neuron_device::{bf16, math};
/// assert_eq!(math::min(bf16::ONE, bf16::ZERO), bf16::ZERO);
/// assert!(math::min(bf16::NAN, bf16::ONE).is_nan() && math::min(bf16::ONE, bf16::NAN).is_nan());
/// ```
#[inline]
pub fn min<T: Float>(x: T, y: T) -> T {
    let (a, b): (f32, f32) = (x.cast(), y.cast());
    if a < b || a.is_nan() || (a == b && a.is_sign_negative()) { x } else { y }
}

/// The larger of two; if one of them is NaN the other, as `torch.fmax` has it.
///
/// ```
/// use neuron_device::math;
/// assert_eq!((math::fmax(f32::NAN, 1.0), math::fmax(1.0, f32::NAN)), (1.0, 1.0));
/// assert!(math::fmax(f32::NAN, f32::NAN).is_nan());
/// ```
#[inline]
pub fn fmax<T: Float>(x: T, y: T) -> T {
    match (x.cast::<f32>().is_nan(), y.cast::<f32>().is_nan()) {
        (false, false) => max(x, y),
        (true, _) => y,
        (_, true) => x,
    }
}

/// The smaller of two; if one of them is NaN the other, as `torch.fmin` has it.
///
/// ```
/// use neuron_device::math;
/// assert_eq!((math::fmin(f32::NAN, 1.0), math::fmin(1.0, f32::NAN)), (1.0, 1.0));
/// ```
#[inline]
pub fn fmin<T: Float>(x: T, y: T) -> T {
    match (x.cast::<f32>().is_nan(), y.cast::<f32>().is_nan()) {
        (false, false) => min(x, y),
        (true, _) => y,
        (_, true) => x,
    }
}
