//! [`Integer`]: the element types whose bits are what they are for.

use core::ops::{BitAnd, BitOr, BitXor, Not};

use super::number::Number;

/// An element type that is an integer: i8, u8, i16, i32, i64, and no others. It has `&`, `|`, `^` and `!`.
///
/// ```
/// use neuron_device::Integer;
/// /// The bits in which two differ.
/// fn difference<T: Integer>(x: T, y: T) -> T { (x | y) & !(x & y) }
/// assert_eq!((difference(0b1100_u8, 0b1010), difference(-1_i64, 0)), (0b0110, -1));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an integer type of a tensor",
    label = "not one of i8, u8, i16, i32, i64",
    note = "`.cast::<i64>()` makes one of any element"
)]
pub trait Integer:
    Number + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// The bits moved up by `by`, zeros behind them; 0 if that is all of them. Rust's `<<` panics then in a debug build.
    ///
    /// ```
    /// use neuron_device::Integer;
    /// fn times_8<T: Integer>(x: T) -> T { x.unbounded_shl(3) }
    /// assert_eq!((times_8(5_i16), times_8(0xFF_u8), 1_i8.unbounded_shl(8)), (40, 0xF8, 0));
    /// ```
    #[must_use]
    fn unbounded_shl(self, by: u32) -> Self;

    /// The bits moved down by `by`, copies of the sign behind them, or zeros in a u8; nothing but those if that is all of
    /// them. So it divides by a power of 2 and rounds down. Rust's `>>` panics then in a debug build.
    ///
    /// ```
    /// use neuron_device::Integer;
    /// fn eighth<T: Integer>(x: T) -> T { x.unbounded_shr(3) }
    /// assert_eq!((eighth(-1_i16), eighth(0xFF_u8), (-5_i32).unbounded_shr(99)), (-1, 0x1F, -1));
    /// ```
    #[must_use]
    fn unbounded_shr(self, by: u32) -> Self;
}

macro_rules! integers {
    ($($type:ty),*) => {$(
        impl Integer for $type {
            #[inline]
            fn unbounded_shl(self, by: u32) -> Self {
                <$type>::unbounded_shl(self, by)
            }

            #[inline]
            fn unbounded_shr(self, by: u32) -> Self {
                <$type>::unbounded_shr(self, by)
            }
        }
    )*};
}

// Nobody else can implement it: it takes `Element`, which is sealed, and no float has the operators.
integers!(i8, u8, i16, i32, i64);

#[cfg(test)]
mod tests;
