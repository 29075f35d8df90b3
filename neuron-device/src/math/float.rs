//! [`Float`]: the element types mathematics is made for.

use half::{bf16, f16};

use super::number::Number;
use crate::words::element::Element;

/// An element type that is a float: f32, f16, bf16, and no others.
///
/// Take f32 for what lies between an f16 or bf16 read and one written: [`cast`](crate::Element::cast) there is exact,
/// and back it rounds once.
///
/// ```
/// use neuron_device::prelude::*;
/// /// The length of a vector, summed in f32.
/// fn length<T: Float>(vector: &[T]) -> T {
///     let square = |x: &T| x.cast::<f32>() * x.cast::<f32>();
///     math::sqrt(vector.iter().map(square).sum::<f32>()).cast()
/// }
/// assert_eq!(length(&[3.0_f32, 4.0]), 5.0);
/// // Summed in bf16 the ones would stop at 256, whose root is 16.
/// assert_eq!(length(&[bf16::ONE; 1024]), bf16::from_f32(32.0));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a float type of a tensor",
    label = "not one of f32, f16, bf16",
    note = "`.cast::<f32>()` makes one of any element"
)]
pub trait Float: Number {}

// Nobody else can implement it: it takes `Element`, which is sealed, and the other element types are not theirs.
impl Float for f32 {}
impl Float for f16 {}
impl Float for bf16 {}

/// `function` of `x`, by way of f32.
#[inline]
pub(super) fn by_f32<T: Float>(x: T, function: impl Fn(f32) -> f32) -> T {
    function(x.cast()).cast()
}
