//! The larger and the smaller of two, integers too, with NaN where torch has it.

use super::number::Number;

/// The larger of two; NaN if one of them is, as `torch.maximum` has it. `f32::max` gives the other one then.
///
/// Of zeros it is +0 if one of them is, so the order of the two does not matter; torch's answer depends on it.
///
/// ```
/// use neuron_device::math;
/// assert_eq!(math::max(1.0_f32, 2.0), 2.0);
/// assert!(math::max(f32::NAN, 1.0).is_nan() && math::max(1.0, f32::NAN).is_nan());
/// assert_eq!([3.0_f32, 7.0, 5.0].into_iter().fold(f32::NEG_INFINITY, math::max), 7.0);
/// assert_eq!(math::max(i64::MAX - 1, i64::MAX), i64::MAX);
/// ```
#[inline]
pub fn max<T: Number>(x: T, y: T) -> T {
    if x > y || is_nan(x) || (x == y && !is_minus(x)) { x } else { y }
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
pub fn min<T: Number>(x: T, y: T) -> T {
    if x < y || is_nan(x) || (x == y && is_minus(x)) { x } else { y }
}

/// The larger of two; if one of them is NaN the other, as `torch.fmax` has it.
///
/// ```
/// use neuron_device::math;
/// assert_eq!((math::fmax(f32::NAN, 1.0), math::fmax(1.0, f32::NAN)), (1.0, 1.0));
/// assert!(math::fmax(f32::NAN, f32::NAN).is_nan());
/// ```
#[inline]
pub fn fmax<T: Number>(x: T, y: T) -> T {
    match (is_nan(x), is_nan(y)) {
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
pub fn fmin<T: Number>(x: T, y: T) -> T {
    match (is_nan(x), is_nan(y)) {
        (false, false) => min(x, y),
        (true, _) => y,
        (_, true) => x,
    }
}

/// No integer is. The cast keeps what is asked here, of every type.
#[inline]
fn is_nan<T: Number>(x: T) -> bool {
    x.cast::<f32>().is_nan()
}

/// Has it the sign -, which a zero of a float may have too?
#[inline]
fn is_minus<T: Number>(x: T) -> bool {
    x.cast::<f32>().is_sign_negative()
}
