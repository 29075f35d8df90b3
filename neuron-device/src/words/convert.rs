//! [`Convert`]: each of the 8 element types as each of the 8.

use half::{bf16, f16};

/// The conversions beneath [`Element::cast`](super::element::Element::cast), which documents them. As only the 8 types
/// have it, it seals `Element` too.
///
/// Functions and not methods: a method would be one of every `T: Element`, and in the way of those a kernel's author
/// gives their own traits.
pub trait Convert: Copy {
    /// `value` as this type.
    fn convert_from<S: Convert>(value: S) -> Self;

    /// As `i8`.
    fn into_i8(value: Self) -> i8;
    /// As `u8`.
    fn into_u8(value: Self) -> u8;
    /// As `i16`.
    fn into_i16(value: Self) -> i16;
    /// As `i32`.
    fn into_i32(value: Self) -> i32;
    /// As `i64`.
    fn into_i64(value: Self) -> i64;
    /// As [`f16`].
    fn into_f16(value: Self) -> f16;
    /// As [`bf16`].
    fn into_bf16(value: Self) -> bf16;
    /// As `f32`.
    fn into_f32(value: Self) -> f32;
}

/// For each type: its own function, its value as what `as` converts, and as the two types `as` does not know.
macro_rules! conversions {
    ($($type:ty: $own:ident, |$value:ident| $plain:expr, $f16:expr, $bf16:expr;)*) => {$(
        impl Convert for $type {
            #[inline]
            fn convert_from<S: Convert>(value: S) -> Self {
                S::$own(value)
            }

            conversions! { @plain $type, $value, $plain;
                into_i8 i8, into_u8 u8, into_i16 i16, into_i32 i32, into_i64 i64, into_f32 f32 }

            #[inline]
            fn into_f16($value: $type) -> f16 {
                $f16
            }

            #[inline]
            fn into_bf16($value: $type) -> bf16 {
                $bf16
            }
        }
    )*};
    // `as` is what is wanted: it wraps from integer to integer, rounds to nearest even from integer to float, and
    // truncates and saturates from float to integer.
    (@plain $type:ty, $value:ident, $plain:expr; $($into:ident $target:ty),*) => {$(
        #[inline]
        #[allow(clippy::unnecessary_cast)]
        fn $into($value: $type) -> $target {
            $plain as $target
        }
    )*};
}

conversions! {
    i8: into_i8, |value| value, f16::from_f32(value as f32), bf16::from_f32(value as f32);
    u8: into_u8, |value| value, f16::from_f32(value as f32), bf16::from_f32(value as f32);
    i16: into_i16, |value| value, f16::from_f32(value as f32), bf16::from_f32(value as f32);
    i32: into_i32, |value| value, f16::from_f32(value as f32), bf16::from_f32(value as f32);
    i64: into_i64, |value| value, f16::from_f32(value as f32), bf16::from_f32(value as f32);
    f32: into_f32, |value| value, f16::from_f32(value), bf16::from_f32(value);
    f16: into_f16, |value| f16::to_f32(value), value, bf16::from_f32(f16::to_f32(value));
    bf16: into_bf16, |value| bf16::to_f32(value), f16::from_f32(bf16::to_f32(value)), value;
}

#[cfg(test)]
pub(crate) mod tests;
