//! A scalar argument that keeps its own type.

use core::fmt;

use half::{bf16, f16};

use super::dtype::Dtype;
use super::element::Element;
use super::error::{Error, ErrorKind, Result};

macro_rules! scalars {
    ($($variant:ident($type:ty);)*) => {
        /// One value of one of the 8 element types: what a kernel argument of type `Scalar` holds.
        ///
        /// ```
        /// use neuron_device::{Dtype, Scalar};
        /// let s = Scalar::from(2.5f32);
        /// assert_eq!(s.dtype(), Dtype::F32);
        /// assert_eq!(s.get::<f32>(), Some(2.5));
        /// assert_eq!(s.get::<i32>(), None);
        /// ```
        ///
        /// `f64` does not cross to a core:
        ///
        /// ```compile_fail
        /// let s = neuron_device::Scalar::from(2.5f64);
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum Scalar { $(#[doc = concat!("A value of type `", stringify!($type), "`.")] $variant($type)),* }

        impl Scalar {
            /// The value's type.
            pub const fn dtype(self) -> Dtype {
                match self { $(Self::$variant(_) => Dtype::$variant),* }
            }

            /// The value, if it has type `T`; no value is converted, which is what [`to`](Self::to) does.
            pub fn get<T: Element>(self) -> Option<T> {
                if T::DTYPE != self.dtype() {
                    return None;
                }
                match self { $(Self::$variant(value) => Some(bytemuck::cast(value))),* }
            }

            /// The value as a `T`, rounded or wrapped as [`Element::cast`] says: what a kernel does with a value it
            /// is given for a tensor of another dtype.
            ///
            /// ```
            /// use neuron_device::{Scalar, bf16};
            /// let alpha = Scalar::from(3.14f32);
            /// assert_eq!(alpha.to::<bf16>(), bf16::from_bits(0x4049));
            /// assert_eq!((alpha.to::<f32>(), alpha.to::<i64>()), (3.14, 3));
            /// ```
            pub fn to<T: Element>(self) -> T {
                match self { $(Self::$variant(value) => value.cast()),* }
            }

            /// The value as a `T`, if a `T` is near: what [`to`](Self::to) gives, but for a value beyond the smallest or
            /// the largest `T`, and for a NaN or an infinity where `T` is an integer. A fraction is cut, and digits a
            /// float has no room for are rounded. It is torch's rule for a `Scalar` but where that is odd: there -1 is 255
            /// as `u8`, and -0.5 no `u8`.
            ///
            /// # Errors
            /// No `T` is near; the error names value, both types, and the caller's line.
            ///
            /// ```
            /// use neuron_device::{Scalar, f16};
            /// assert_eq!(Scalar::from(300i32).checked_to::<i16>().unwrap(), 300);
            /// assert_eq!(Scalar::from(-2.9f32).checked_to::<i8>().unwrap(), -2);
            /// let error = Scalar::from(300i32).checked_to::<u8>().unwrap_err().about("alpha");
            /// assert!(error.to_string().starts_with("`alpha` is 300 of type i32, which no u8 is near: "));
            /// assert!(Scalar::from(f32::NAN).checked_to::<i64>().is_err());
            /// assert!(Scalar::from(f32::INFINITY).checked_to::<f16>().is_ok());
            /// assert!(Scalar::from(70_000i64).checked_to::<f16>().is_err());
            /// ```
            #[track_caller]
            pub fn checked_to<T: Element + Into<Self>>(self) -> Result<T> {
                let value = self.to::<T>();
                if self.is_near(value.into()) {
                    Ok(value)
                } else {
                    Err(Error::new(ErrorKind::DoesNotFit { value: self, wanted: T::DTYPE }))
                }
            }

            /// The value's bytes, little-endian as in HBM, then zeros; and how many bytes the value takes: 1,
            /// 2, 4 or 8.
            pub fn to_bytes(self) -> ([u8; 8], usize) {
                let mut bytes = [0; 8];
                match self { $(Self::$variant(value) => {
                    let raw = bytemuck::bytes_of(&value);
                    bytes[..raw.len()].copy_from_slice(raw);
                    (bytes, raw.len())
                })* }
            }
        }

        $(impl From<$type> for Scalar {
            fn from(value: $type) -> Self {
                Self::$variant(value)
            }
        })*

        impl fmt::Display for Scalar {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self { $(Self::$variant(value) => write!(f, "{value}")),* }
            }
        }
    };
}

impl Scalar {
    /// Is `other`, to which this was converted, a neighbour of it, and not what is left of a value too large?
    fn is_near(self, other: Self) -> bool {
        match (self.whole(), other.whole()) {
            (Whole::Integer(value), Whole::Integer(other)) => value == other,
            (Whole::Integer(_), Whole::Float(other)) => other.is_finite(),
            (Whole::Float(value), Whole::Float(other)) => !value.is_finite() || other.is_finite(),
            // 2 to the power of 63 is the first f32 beyond i64; smaller integers are exact in an i64, and so is their cut.
            (Whole::Float(value), Whole::Integer(other)) => {
                (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&value)
                    && value as i64 == other
            }
        }
    }

    /// The value in the widest type of its sort, which all the others go into without loss.
    fn whole(self) -> Whole {
        match self {
            Self::I8(value) => Whole::Integer(value.into()),
            Self::U8(value) => Whole::Integer(value.into()),
            Self::I16(value) => Whole::Integer(value.into()),
            Self::I32(value) => Whole::Integer(value.into()),
            Self::I64(value) => Whole::Integer(value),
            Self::BF16(value) => Whole::Float(value.to_f32()),
            Self::F16(value) => Whole::Float(value.to_f32()),
            Self::F32(value) => Whole::Float(value),
        }
    }
}

/// A value, as one of two types.
enum Whole {
    Integer(i64),
    Float(f32),
}

scalars! {
    I8(i8);
    U8(u8);
    I16(i16);
    BF16(bf16);
    F16(f16);
    I32(i32);
    F32(f32);
    I64(i64);
}

impl Scalar {
    /// The value as one of `dtype`, if torch would fill a tensor of it with this value: what is rounded or loses a fraction
    /// fits, what is out of range does not, but for a negative integer that u8 wraps.
    pub(crate) fn filling(self, dtype: Dtype) -> Option<Self> {
        let fits = match (self, dtype) {
            (Self::F32(value), _) => float_fits(value, dtype),
            (Self::F16(value), _) => float_fits(value.to_f32(), dtype),
            (Self::BF16(value), _) => float_fits(value.to_f32(), dtype),
            (_, Dtype::F16) => self.to::<i64>().unsigned_abs() <= 65_504,
            (_, Dtype::BF16 | Dtype::F32) => true,
            (_, Dtype::U8) => (-255..=255).contains(&self.to::<i64>()),
            (_, Dtype::I8) => i8::try_from(self.to::<i64>()).is_ok(),
            (_, Dtype::I16) => i16::try_from(self.to::<i64>()).is_ok(),
            (_, Dtype::I32) => i32::try_from(self.to::<i64>()).is_ok(),
            (_, Dtype::I64) => true,
        };
        fits.then(|| match dtype {
            Dtype::I8 => Self::I8(self.to()),
            Dtype::U8 => Self::U8(self.to()),
            Dtype::I16 => Self::I16(self.to()),
            Dtype::BF16 => Self::BF16(self.to()),
            Dtype::F16 => Self::F16(self.to()),
            Dtype::I32 => Self::I32(self.to()),
            Dtype::F32 => Self::F32(self.to()),
            Dtype::I64 => Self::I64(self.to()),
        })
    }
}

fn float_fits(value: f32, dtype: Dtype) -> bool {
    // The least value of each, and the first that is too large.
    let (least, beyond) = match dtype {
        Dtype::F32 => return true,
        Dtype::F16 => return !value.is_finite() || value.abs() <= f16::MAX.to_f32(),
        Dtype::BF16 => return !value.is_finite() || value.abs() <= bf16::MAX.to_f32(),
        Dtype::U8 => (0.0, 256.0),
        Dtype::I8 => (-128.0, 128.0),
        Dtype::I16 => (-32_768.0, 32_768.0),
        Dtype::I32 => (-2_147_483_648.0, 2_147_483_648.0),
        Dtype::I64 => (-9_223_372_036_854_775_808.0, 9_223_372_036_854_775_808.0),
    };
    (least..beyond).contains(&value)
}

#[cfg(test)]
mod tests;
