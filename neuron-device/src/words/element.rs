//! The Rust types a tensor's elements may have.

use bytemuck::Pod;
use half::{bf16, f16};

use super::convert::Convert;
use super::dtype::Dtype;

/// A Rust type that can be an element of a tensor: the 8 of [`Dtype`], and no others (the trait is sealed).
/// It takes as many bytes as [`Dtype::size`] says.
///
/// ```
/// use neuron_device::{Dtype, Element};
/// /// Bytes that `numel` elements take.
/// fn bytes_of<T: Element>(numel: u64) -> u64 {
///     numel * T::DTYPE.size()
/// }
/// assert_eq!(bytes_of::<i16>(100), 200);
/// assert!(f32::POISON.is_nan());
/// assert_eq!(u8::POISON, 0xA5);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an element type of a tensor",
    label = "not one of i8, u8, i16, i32, i64, f16, bf16, f32",
    note = "exactly these 8 types cross to a GPSIMD core; f64, usize and the unsigned types above u8 do not"
)]
pub trait Element: Pod + PartialEq + core::fmt::Debug + Convert {
    /// The tensor dtype this type reads and writes.
    const DTYPE: Dtype;

    /// What a read that faulted yields: a signalling NaN for floats, a pattern of `0xA5` bytes for integers, so
    /// that a value that should never have been read is easy to recognise.
    const POISON: Self;

    /// The value as another element type, rounded as torch's `Tensor.to` does.
    ///
    /// | from | to | result |
    /// |---|---|---|
    /// | a type | itself | every bit kept |
    /// | integer | integer | the low bits, in two's complement: it wraps |
    /// | integer | f32 | nearest, ties to even |
    /// | integer | f16, bf16 | by way of f32, so rounded twice, as torch does |
    /// | f16, bf16 | f32 | exact |
    /// | f32, f16, bf16 | a narrower one, or f16 and bf16 into each other | nearest, ties to even; beyond the range an infinity; a NaN stays a NaN |
    /// | float | integer | towards 0, where the integer type has the result |
    ///
    /// **Undefined by torch**: a float that is NaN, infinite or beyond the integer's range. CPUs and GPUs differ
    /// there, and from release to release. Here it is Rust's answer, the same on every machine: the nearest end of the
    /// range, and 0 for NaN. Do not compare it with another's.
    ///
    /// ```
    /// use neuron_device::{Element, bf16, f16};
    /// // A tie: to the even neighbour.
    /// assert_eq!((1.0 + 1.0_f32 / 256.0).cast::<bf16>(), bf16::from_f32(1.0));
    /// assert_eq!(70000_i32.cast::<f16>(), f16::INFINITY);
    /// assert_eq!((300_i32.cast::<u8>(), (-2.75_f32).cast::<i32>()), (44, -2));
    /// assert_eq!((f32::NAN.cast::<i32>(), 1e10_f32.cast::<i32>()), (0, i32::MAX));
    ///
    /// /// The mean of two elements of any type, as f32.
    /// fn mean<T: Element>(a: T, b: T) -> f32 {
    ///     (a.cast::<f32>() + b.cast::<f32>()) / 2.0
    /// }
    /// assert_eq!(mean(3_u8, 4), 3.5);
    /// ```
    #[inline]
    #[must_use]
    fn cast<T: Element>(self) -> T {
        T::convert_from(self)
    }
}

macro_rules! elements {
    ($($type:ty: $dtype:ident, $poison:expr;)*) => {$(
        impl Element for $type {
            const DTYPE: Dtype = Dtype::$dtype;
            const POISON: Self = $poison;
        }
        const _: () = assert!(size_of::<$type>() as u64 == Dtype::$dtype.size());
    )*};
}

elements! {
    i8: I8, 0xA5_u8 as i8;
    u8: U8, 0xA5;
    i16: I16, 0xA5A5_u16 as i16;
    i32: I32, 0xA5A5_A5A5_u32 as i32;
    i64: I64, 0xA5A5_A5A5_A5A5_A5A5_u64 as i64;
    f16: F16, f16::from_bits(0x7DA5);
    bf16: BF16, bf16::from_bits(0x7FA5);
    f32: F32, f32::from_bits(0x7FA5_A5A5);
}

#[cfg(test)]
mod tests;
