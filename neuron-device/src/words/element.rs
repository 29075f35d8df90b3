//! The Rust types a tensor's elements may have.

use bytemuck::Pod;
use half::{bf16, f16};

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
pub trait Element: Pod + PartialEq + core::fmt::Debug + sealed::Sealed {
    /// The tensor dtype this type reads and writes.
    const DTYPE: Dtype;

    /// What a read that faulted yields: a signalling NaN for floats, a pattern of `0xA5` bytes for integers, so
    /// that a value that should never have been read is easy to recognise.
    const POISON: Self;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! elements {
    ($($type:ty: $dtype:ident, $poison:expr;)*) => {$(
        impl sealed::Sealed for $type {}
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
