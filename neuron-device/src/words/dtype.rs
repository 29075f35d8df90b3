//! Element types: the 16 codes of the wire and the 8 that cross to a kernel.
//!
//! Source: `docs/machine.md`, section 9.

use core::fmt;

macro_rules! wire_dtypes {
    (@crosses $dtype:ident) => { Ok(Dtype::$dtype) };
    (@crosses $why:literal) => { Err($why) };
    ($($(#[$doc:meta])* $variant:ident = $code:literal, $name:literal, $crosses:tt;)*) => {
        /// A dtype code as the instruction set spells it (`docs/machine.md`, section 9). Exactly 8 of the 16
        /// cross to a kernel.
        ///
        /// ```
        /// use neuron_device::{Dtype, WireDtype};
        /// assert_eq!(WireDtype::from_code(10), Some(WireDtype::Fp32));
        /// assert_eq!(WireDtype::Fp32.crosses(), Some(Dtype::F32));
        /// assert_eq!(WireDtype::Fp32r.crosses(), None);
        /// assert_eq!(WireDtype::from_code(16), None);
        /// assert_eq!(WireDtype::ALL.iter().filter(|code| code.crosses().is_some()).count(), 8);
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum WireDtype { $($(#[$doc])* $variant = $code),* }

        impl WireDtype {
            /// All 16, in code order.
            pub const ALL: [Self; 16] = [$(Self::$variant),*];

            /// The dtype with this code; `None` above 15.
            pub const fn from_code(code: u8) -> Option<Self> {
                match code { $($code => Some(Self::$variant),)* _ => None }
            }

            /// The name the instruction set gives it.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            /// The element type a kernel sees; `None` if this dtype is refused at marshal time.
            pub const fn crosses(self) -> Option<Dtype> {
                match self.verdict() {
                    Ok(dtype) => Some(dtype),
                    Err(_) => None,
                }
            }

            /// Why this dtype is refused at marshal time, and what to pass instead; `None` if it is not.
            ///
            /// ```
            /// use neuron_device::WireDtype;
            /// assert_eq!(WireDtype::Fp32.refusal(), None);
            /// let why = "a kernel sees no unsigned 16-bit elements: convert to i32";
            /// assert_eq!(WireDtype::Uint16.refusal(), Some(why));
            /// ```
            pub const fn refusal(self) -> Option<&'static str> {
                match self.verdict() {
                    Ok(_) => None,
                    Err(why) => Some(why),
                }
            }

            /// The gate at marshal time: what a tensor with this code is to a kernel.
            ///
            /// ```
            /// use neuron_device::{Dtype, WireDtype};
            /// assert_eq!(WireDtype::gate(10), Ok(Dtype::F32));
            /// let refused = WireDtype::gate(11).unwrap_err();
            /// assert!(refused.to_string().starts_with("dtype FP32R (11) does not cross to a core: "));
            /// assert_eq!(WireDtype::gate(16).unwrap_err().to_string(), "dtype code 16 does not exist: they end at 15");
            /// ```
            pub const fn gate(code: u8) -> Result<Dtype, NotCrossing> {
                match Self::from_code(code) {
                    Some(wire) => match wire.verdict() {
                        Ok(dtype) => Ok(dtype),
                        Err(_) => Err(NotCrossing(code)),
                    },
                    None => Err(NotCrossing(code)),
                }
            }

            const fn verdict(self) -> Result<Dtype, &'static str> {
                match self { $(Self::$variant => wire_dtypes!(@crosses $crosses)),* }
            }
        }
    };
}

wire_dtypes! {
    /// Not a dtype.
    Invalid = 0, "INVALID", "it stands for no dtype at all: set the tensor's";
    /// Refused: a kernel sees no unsigned 64-bit tensor.
    Uint64 = 1, "UINT64", "a kernel sees no unsigned 64-bit elements: convert to i64";
    /// Crosses as [`Dtype::I8`].
    Int8 = 2, "INT8", I8;
    /// Crosses as [`Dtype::U8`].
    Uint8 = 3, "UINT8", U8;
    /// Crosses as [`Dtype::I16`].
    Int16 = 4, "INT16", I16;
    /// Refused.
    Uint16 = 5, "UINT16", "a kernel sees no unsigned 16-bit elements: convert to i32";
    /// Crosses as [`Dtype::BF16`].
    Bfloat16 = 6, "BFLOAT16", BF16;
    /// Crosses as [`Dtype::F16`].
    Fp16 = 7, "FP16", F16;
    /// Crosses as [`Dtype::I32`].
    Int32 = 8, "INT32", I32;
    /// Refused.
    Uint32 = 9, "UINT32", "a kernel sees no unsigned 32-bit elements: convert to i64";
    /// Crosses as [`Dtype::F32`].
    Fp32 = 10, "FP32", F32;
    /// Refused, although it is 32-bit floating point too.
    Fp32r = 11, "FP32R", "torch has no such type, and FP32 is another: convert to f32";
    /// Crosses as [`Dtype::I64`].
    Int64 = 12, "INT64", I64;
    /// Refused.
    Fp8Exp3 = 13, "FP8_EXP3", "a kernel sees no 8-bit floating point: convert to bf16 or f16";
    /// Refused.
    Fp8Exp4 = 14, "FP8_EXP4", "a kernel sees no 8-bit floating point: convert to bf16 or f16";
    /// Refused.
    Fp8Exp5 = 15, "FP8_EXP5", "a kernel sees no 8-bit floating point: convert to bf16 or f16";
}

/// A dtype code that does not cross to a core: its text has name, code and reason.
///
/// ```
/// use neuron_device::NotCrossing;
/// let text = "dtype UINT64 (1) does not cross to a core: a kernel sees no unsigned 64-bit elements: convert to i64";
/// assert_eq!(NotCrossing(1).to_string(), text);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotCrossing(pub u8);

impl NotCrossing {
    /// As text, with the place of the code after it.
    pub(super) fn describe(self, f: &mut fmt::Formatter<'_>, place: &str) -> fmt::Result {
        let Self(code) = self;
        match WireDtype::from_code(code) {
            Some(wire) => {
                write!(f, "dtype {} ({code}){place} does not cross to a core", wire.name())?;
                wire.refusal().map_or(Ok(()), |why| write!(f, ": {why}"))
            }
            None => write!(f, "dtype code {code}{place} does not exist: they end at 15"),
        }
    }
}

impl fmt::Display for NotCrossing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.describe(f, "")
    }
}

impl core::error::Error for NotCrossing {}

macro_rules! dtypes {
    ($($(#[$doc:meta])* $variant:ident: $name:literal, $bytes:literal, $wire:ident, $torch:literal, $torch_name:literal;)*) => {
        /// The type of a tensor's elements: one of the 8 that cross (`docs/machine.md`, section 9).
        ///
        /// ```
        /// use neuron_device::Dtype;
        /// assert_eq!((Dtype::BF16.name(), Dtype::BF16.size()), ("bf16", 2));
        /// assert_eq!((Dtype::F32.wire().name(), Dtype::F32.torch_scalar_type()), ("FP32", 6));
        /// assert!(Dtype::ALL.iter().all(|dtype| dtype.wire().crosses() == Some(*dtype)));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Dtype { $($(#[$doc])* $variant),* }

        impl Dtype {
            /// All 8, in wire-code order.
            pub const ALL: [Self; 8] = [$(Self::$variant),*];

            /// The name Rust gives it: `"f32"`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            /// Bytes an element takes.
            pub const fn size(self) -> u64 {
                match self { $(Self::$variant => $bytes),* }
            }

            /// Is it f32, f16 or bf16? The others are integers.
            ///
            /// ```
            /// use neuron_device::Dtype;
            /// assert!(Dtype::BF16.is_float() && !Dtype::I64.is_float());
            /// ```
            pub const fn is_float(self) -> bool {
                matches!(self, Self::F32 | Self::F16 | Self::BF16)
            }

            /// Its code on the wire.
            pub const fn wire(self) -> WireDtype {
                match self { $(Self::$variant => WireDtype::$wire),* }
            }

            /// The number of torch's `ScalarType` it becomes (`docs/machine.md`, section 9).
            pub const fn torch_scalar_type(self) -> i8 {
                match self { $(Self::$variant => $torch),* }
            }

            /// The dtype that becomes this number of torch's `ScalarType`; `None` for the types of torch that do not
            /// cross.
            ///
            /// ```
            /// use neuron_device::Dtype;
            /// assert_eq!(Dtype::from_torch_scalar_type(15), Some(Dtype::BF16));
            /// assert_eq!(Dtype::from_torch_scalar_type(7), None); // Double
            /// ```
            pub const fn from_torch_scalar_type(number: i8) -> Option<Self> {
                match number { $($torch => Some(Self::$variant),)* _ => None }
            }

            /// What torch calls it: `"Float"`.
            pub const fn torch_name(self) -> &'static str {
                match self { $(Self::$variant => $torch_name),* }
            }
        }
    };
}

dtypes! {
    /// 8-bit signed integer (torch Char).
    I8: "i8", 1, Int8, 1, "Char";
    /// 8-bit unsigned integer (torch Byte).
    U8: "u8", 1, Uint8, 0, "Byte";
    /// 16-bit signed integer (torch Short).
    I16: "i16", 2, Int16, 2, "Short";
    /// bfloat16 (torch BFloat16).
    BF16: "bf16", 2, Bfloat16, 15, "BFloat16";
    /// IEEE half precision (torch Half).
    F16: "f16", 2, Fp16, 5, "Half";
    /// 32-bit signed integer (torch Int).
    I32: "i32", 4, Int32, 3, "Int";
    /// IEEE single precision (torch Float).
    F32: "f32", 4, Fp32, 6, "Float";
    /// 64-bit signed integer (torch Long).
    I64: "i64", 8, Int64, 4, "Long";
}

impl fmt::Display for Dtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests;
