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
    /// A narrowed range that leaves its dimension.
    BadNarrow {
        /// First index.
        start: u32,
        /// How many indices.
        len: u32,
        /// Size of the dimension narrowed.
        size: u32,
    },
    /// An index beyond its dimension.
    NoSuchIndex {
        /// The dimension.
        dim: usize,
        /// The index asked for.
        index: u32,
        /// Size of the dimension.
        size: u32,
    },
    /// A permutation of another number of dimensions than there are.
    PermuteCount {
        /// How many it names.
        dims: usize,
        /// How many there are.
        rank: usize,
    },
    /// A permutation that names this dimension twice.
    PermuteTwice(usize),
    /// An expansion to fewer dimensions than there are.
    ExpandRank {
        /// How many were asked for.
        wanted: usize,
        /// How many there are.
        rank: usize,
    },
    /// An expansion of a dimension whose size is not 1.
    ExpandSize {
        /// The dimension, as it was before.
        dim: usize,
        /// Its size.
        from: u32,
        /// The size asked for.
        to: u32,
    },
    /// A reshape to another number of elements.
    ReshapeCount {
        /// How many there are.
        from: u64,
        /// How many the sizes asked for have.
        to: u64,
    },
    /// A reshape of elements that do not lie one after the other.
    NotContiguous,
    /// A new dimension where none can be.
    NoSuchPlace {
        /// The place asked for.
        dim: usize,
        /// How many dimensions there are.
        rank: usize,
    },
    /// Dimensions to flatten whose first comes after the last.
    BadFlatten {
        /// The first.
        first: usize,
        /// The last.
        last: usize,
    },
    /// A dimension of more elements than 32 bits count: this many, or the most that 64 bits count.
    DimTooLarge(u64),
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
                write!(f, "dimension {dim} does not exist: the tensor has {rank} dimensions, counted from 0")
            }
            Self::BadSlice { start, end, step, size } => write!(
                f,
                "slice {start}..{end} with step {step} of a dimension of size {size}: the range must run forwards \
                 inside the dimension and the step must be at least 1"
            ),
            Self::BadNarrow { start, len, size } => write!(
                f,
                "{len} indices from {start} on leave a dimension of size {size}: start and length must add up to \
                 {size} at most"
            ),
            Self::NoSuchIndex { dim, index, size: 0 } => {
                write!(f, "index {index} of dimension {dim} does not exist: the dimension is empty")
            }
            Self::NoSuchIndex { dim, index, size } => write!(
                f,
                "index {index} of dimension {dim} does not exist: its size is {size}, so the last index is {}",
                size - 1
            ),
            Self::PermuteCount { dims, rank } => write!(
                f,
                "a permutation of {dims} dimensions, but the tensor has {rank}: name each of them once"
            ),
            Self::PermuteTwice(dim) => {
                write!(f, "dimension {dim} is named twice in a permutation: name each dimension once")
            }
            Self::ExpandRank { wanted, rank } => write!(
                f,
                "{rank} dimensions cannot expand to {wanted}: give the size of every dimension, those of new ones \
                 in front; `select` or `squeeze` takes dimensions away"
            ),
            Self::ExpandSize { dim, from, to } => write!(
                f,
                "dimension {dim} of size {from} cannot expand to {to}: only a dimension of size 1 repeats, so give \
                 {from} or select one index first"
            ),
            Self::ReshapeCount { from, to } => write!(
                f,
                "sizes of {to} elements for a tensor of {from}: a reshape keeps the number of elements"
            ),
            Self::NotContiguous => f.write_str(
                "the elements do not lie one after the other: only a contiguous tensor is reshaped or flattened \
                 without a copy, so copy it into one of its own first",
            ),
            Self::NoSuchPlace { dim, rank } => write!(
                f,
                "a new dimension cannot be number {dim} of a tensor of {rank} dimensions: the last place is {rank}"
            ),
            Self::BadFlatten { first, last } => write!(
                f,
                "dimensions {first} to {last} to flatten: the first must not come after the last, exchange them"
            ),
            Self::DimTooLarge(size) => write!(
                f,
                "a dimension of {size} elements does not fit: sizes are 32-bit, so keep it in more dimensions"
            ),
        }
    }
}

impl core::error::Error for LayoutError {}
