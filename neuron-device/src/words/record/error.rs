//! Why a record was refused.

use core::fmt;

use super::{INLINE_4D, INLINE_8D, LOCATION_HBM, LOCATION_SBUF, OUT_OF_LINE};
use crate::words::addr::HbmAddr;
use crate::words::dtype::NotCrossing;
use crate::words::error::Sizes;
use crate::words::layout::LayoutError;
use crate::words::sbuf::SbufAddresses;

/// Why a record was refused, or could not be written.
///
/// ```
/// use neuron_device::{ArgRecord, Dtype, HbmAddr, Layout, NotCrossing, RecordError, WireDtype};
/// let record = ArgRecord::new(HbmAddr::new(64), Dtype::I32, &Layout::contiguous(&[4])?)?;
/// let mut bytes = *record.as_bytes();
/// bytes[2] = WireDtype::Fp32r as u8;
/// let error = ArgRecord::from_bytes(&bytes).parse().unwrap_err();
/// assert_eq!(error, RecordError::Dtype(NotCrossing(11)));
/// assert!(error.to_string().starts_with("dtype FP32R (11) at byte 2 does not cross to a core: "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordError {
    /// The tensor is neither in HBM nor in SBUF; the code at byte 0.
    Location(u8),
    /// A shape form that is not inline; the code at byte 1.
    ShapeType(u8),
    /// A dtype that does not cross, or does not exist; the code at byte 2.
    Dtype(NotCrossing),
    /// No dimension: the record cannot express rank 0.
    RankZero,
    /// A size after the 0 that ends the dimensions.
    AfterTheLast {
        /// Its byte.
        byte: u8,
        /// The size.
        size: u32,
    },
    /// More than 4 dimensions, and one of them above 65535.
    Dims(Sizes),
    /// More elements than the record's 32-bit count holds.
    TooManyElements(u64),
    /// The count does not equal the product of the dimensions.
    Count {
        /// Its byte: 32 in HBM, 28 in SBUF.
        byte: u8,
        /// The record's count.
        stated: u32,
        /// The product of its dimensions.
        product: u64,
    },
    /// The address is not a multiple of the element size.
    Misaligned {
        /// The address, or offset, as the record has it.
        addr: u64,
        /// The element size in bytes.
        align: u64,
    },
    /// The extension repeats another size than the record holds, or says that there are fewer dimensions.
    Extension {
        /// The first dimension they differ in.
        dim: u8,
        /// Dimensions by the extension.
        rank: u8,
        /// Its size by the record.
        record: u32,
        /// Its size by the extension.
        extension: u32,
    },
    /// The view reaches beyond its storage.
    Extent {
        /// Elements the view reaches.
        extent: u64,
        /// Elements there are.
        storage: u64,
    },
    /// The sizes multiply to more than 64 bits count.
    Product(Sizes),
    /// A layout that does not exist: what the view extension makes of the record's sizes.
    Layout(LayoutError),
    /// Storage that begins here runs past the end of the 64-bit address space.
    AddressSpace(HbmAddr),
    /// The storage is not, or not all, in SBUF.
    NotSbuf {
        /// What the record's address is.
        addresses: SbufAddresses,
        /// The record's address.
        word: u32,
        /// Bytes it has; `u64::MAX` if more than 64 bits hold.
        bytes: u64,
    },
    /// A tensor in SBUF over no partition.
    NoPartitions,
    /// The partitions of a tensor in SBUF do not hold all its elements.
    Blocks {
        /// Elements a partition holds.
        block: u32,
        /// Partitions.
        partitions: u8,
        /// Elements of the tensor.
        elems: u32,
    },
}

impl From<LayoutError> for RecordError {
    fn from(error: LayoutError) -> Self {
        Self::Layout(error)
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Location(0) => f.write_str("location INVALID (0) at byte 0 is no place for a tensor"),
            Self::Location(code) => write!(
                f,
                "location {code} at byte 0 is neither HBM ({LOCATION_HBM}) nor SBUF ({LOCATION_SBUF}), and a core reaches \
                 nothing else: PSUM is no memory of an op"
            ),
            Self::ShapeType(code) => {
                let name = if code == OUT_OF_LINE { "OUT_OF_LINE, on which the machine aborts," } else { "" };
                let gap = if name.is_empty() { "" } else { " " };
                write!(
                    f,
                    "shape_type {code}{gap}{name} at byte 1 is neither INLINE_8D ({INLINE_8D}) nor INLINE_4D ({INLINE_4D})"
                )
            }
            Self::Dtype(refused) => refused.describe(f, " at byte 2"),
            Self::RankZero => f.write_str(
                "the first size, at byte 8, is 0: it has no dimensions, and a record cannot express rank 0",
            ),
            Self::AfterTheLast { byte, size } => {
                write!(f, "size {size} at byte {byte} follows a size of 0, which ends the dimensions")
            }
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
            Self::Count { byte, stated, product } => {
                write!(f, "num_elem {stated} at byte {byte} is not the product of the dimensions, {product}")
            }
            Self::Misaligned { addr, align } => {
                write!(f, "address {addr:#x} at byte 24 is not a multiple of the element size, {align} bytes")
            }
            Self::Extension { dim, rank, record, extension } => write!(
                f,
                "size {record} of dimension {dim} is not the one its view extension of rank {rank} repeats, {extension}"
            ),
            Self::Extent { extent, storage } => {
                write!(f, "the view reaches {extent} elements into a storage of {storage}")
            }
            Self::Product(sizes) => {
                write!(f, "sizes {sizes:?} from byte 8 on multiply to more elements than 64 bits count")
            }
            Self::Layout(error) => error.fmt(f),
            Self::AddressSpace(addr) => {
                write!(f, "the storage at {addr}, byte 24, runs past the 64-bit address space")
            }
            Self::NotSbuf { addresses, word, bytes } => addresses.refusal(word, bytes, f),
            Self::NoPartitions => f.write_str("num_partitions 0 at byte 32 leaves no place for an element"),
            Self::Blocks { block, partitions, elems } => write!(
                f,
                "num_elem_per_block {block} at byte 36, times num_partitions {partitions}, is too small for {elems} elements"
            ),
        }
    }
}

impl core::error::Error for RecordError {}
