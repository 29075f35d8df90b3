//! Why a record was refused.

use core::fmt;

use super::{INLINE_4D, INLINE_8D, LOCATION_HBM};
use crate::words::addr::HbmAddr;
use crate::words::dtype::WireDtype;
use crate::words::error::Sizes;
use crate::words::layout::LayoutError;

/// Why a record was refused, or could not be written.
///
/// ```
/// use neuron_device::{ArgRecord, Dtype, HbmAddr, Layout, RecordError, WireDtype};
/// let record = ArgRecord::new(HbmAddr::new(64), Dtype::I32, &Layout::contiguous(&[4])?)?;
/// let mut bytes = *record.as_bytes();
/// bytes[2] = WireDtype::Fp32r as u8;
/// let error = ArgRecord::from_bytes(&bytes).parse().unwrap_err();
/// assert_eq!(error, RecordError::Dtype(11));
/// assert_eq!(error.to_string(), "dtype FP32R at byte 2 does not cross to a core");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordError {
    /// The tensor is not in HBM; the code at byte 0.
    Location(u8),
    /// A shape form that is not inline; the code at byte 1.
    ShapeType(u8),
    /// A dtype that does not cross, or does not exist; the code at byte 2.
    Dtype(u8),
    /// No dimension: the record cannot express rank 0.
    RankZero,
    /// More than 4 dimensions, and one of them above 65535.
    Dims(Sizes),
    /// More elements than the record's 32-bit count holds.
    TooManyElements(u64),
    /// The count does not equal the product of the dimensions.
    Count {
        /// The record's count.
        stated: u32,
        /// The product of its dimensions.
        product: u64,
    },
    /// The address is not a multiple of the element size.
    Misaligned {
        /// The address.
        addr: HbmAddr,
        /// The element size in bytes.
        align: u64,
    },
    /// The extension repeats other sizes than the record holds.
    Extension,
    /// The view reaches beyond its storage.
    Extent {
        /// Elements the view reaches.
        extent: u64,
        /// Elements there are.
        storage: u64,
    },
    /// A layout that does not exist.
    Layout(LayoutError),
    /// Storage that begins here runs past the end of the 64-bit address space.
    AddressSpace(HbmAddr),
}

impl From<LayoutError> for RecordError {
    fn from(error: LayoutError) -> Self {
        Self::Layout(error)
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Location(code) => write!(f, "location {code} at byte 0 is not HBM ({LOCATION_HBM})"),
            Self::ShapeType(code) => write!(
                f,
                "shape_type {code} at byte 1 is neither INLINE_8D ({INLINE_8D}) nor INLINE_4D ({INLINE_4D})"
            ),
            Self::Dtype(code) => match WireDtype::from_code(code) {
                Some(wire) => write!(f, "dtype {} at byte 2 does not cross to a core", wire.name()),
                None => write!(f, "dtype code {code} at byte 2 does not exist"),
            },
            Self::RankZero => f.write_str("it has no dimensions, and a record cannot express rank 0"),
            Self::Dims(sizes) => write!(
                f,
                "sizes {sizes:?} do not fit: at most 8 dimensions of at most 65535, or at most 4 of at most 4294967295"
            ),
            Self::TooManyElements(numel) => {
                write!(
                    f,
                    "{numel} elements do not fit: a record counts elements in 32 bits, up to {}",
                    u32::MAX
                )
            }
            Self::Count { stated, product } => {
                write!(f, "num_elem {stated} at byte 32 is not the product of the dimensions, {product}")
            }
            Self::Misaligned { addr, align } => {
                write!(f, "address {addr} at byte 24 is not a multiple of the element size, {align} bytes")
            }
            Self::Extension => f.write_str("its view extension repeats other sizes than the record holds"),
            Self::Extent { extent, storage } => {
                write!(f, "the view reaches {extent} elements into a storage of {storage}")
            }
            Self::Layout(error) => error.fmt(f),
            Self::AddressSpace(addr) => write!(f, "the storage at {addr} runs past the 64-bit address space"),
        }
    }
}

impl core::error::Error for RecordError {}
