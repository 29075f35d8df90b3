//! A scalar argument that keeps its own type.

use core::fmt;

use half::{bf16, f16};

use super::dtype::Dtype;
use super::element::Element;

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

#[cfg(test)]
mod tests;
