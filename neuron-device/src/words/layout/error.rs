//! Why a layout was refused.

use core::fmt;

use super::MAX_RANK;

/// Why a layout was refused.
///
/// ```
/// use neuron_device::{Layout, LayoutError};
/// let error = Layout::strided_signed(&[3], &[-1], 2).unwrap_err();
/// assert_eq!(error, LayoutError::NegativeStride { dim: 0, stride: -1 });
/// assert!(error.to_string().starts_with("stride -1 of dimension 0 is negative: "));
/// assert_eq!(Layout::contiguous(&[1; 9]), Err(LayoutError::TooManyDims(9)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayoutError {
    /// More than 8 dimensions: this many.
    TooManyDims(usize),
    /// Sizes and strides differ in number.
    RankMismatch {
        /// How many sizes were given.
        sizes: usize,
        /// How many strides were given.
        strides: usize,
    },
    /// A stride below zero: torch has none, and neither does the machine.
    NegativeStride {
        /// The dimension.
        dim: usize,
        /// Its stride, in elements.
        stride: i64,
    },
    /// The number of elements, a stride, or the offset of the last element does not fit 64 bits.
    TooLarge,
    /// A dimension that does not exist.
    NoSuchDim {
        /// The dimension asked for.
        dim: usize,
        /// How many there are.
        rank: usize,
    },
    /// A slice that leaves its dimension, runs backwards or has step 0.
    BadSlice {
        /// First index.
        start: u32,
        /// One past the last index.
        end: u32,
        /// Distance between indices.
        step: u32,
        /// Size of the dimension sliced.
        size: u32,
    },
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TooManyDims(rank) => write!(f, "{rank} dimensions: a tensor has at most {MAX_RANK}"),
            Self::RankMismatch { sizes, strides } => {
                write!(f, "{sizes} sizes but {strides} strides: give one stride a dimension")
            }
            Self::NegativeStride { dim, stride } => write!(
                f,
                "stride {stride} of dimension {dim} is negative: torch and the machine have none; copy the tensor \
                 into a layout of its own first"
            ),
            Self::TooLarge => {
                f.write_str("the element count or the last element's offset does not fit 64 bits")
            }
            Self::NoSuchDim { dim, rank } => {
                write!(f, "dimension {dim} does not exist: the tensor has {rank} dimensions")
            }
            Self::BadSlice { start, end, step, size } => write!(
                f,
                "slice {start}..{end} with step {step} of a dimension of size {size}: the range must run forwards \
                 inside the dimension and the step must be at least 1"
            ),
        }
    }
}

impl core::error::Error for LayoutError {}
