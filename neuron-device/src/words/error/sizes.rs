//! [`Sizes`] and [`Strided`]: shapes, small enough to be in an error.

use core::fmt;

use crate::words::layout::MAX_RANK;

/// The sizes of a tensor, kept by value in an error or a fault, which outlives the tensor.
///
/// ```
/// use neuron_device::Sizes;
/// let sizes = Sizes::new(&[2, 3]);
/// assert_eq!(sizes.as_slice(), &[2, 3]);
/// assert_eq!(format!("has sizes {sizes:?}"), "has sizes [2, 3]");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    rank: u8,
    sizes: [u32; MAX_RANK],
}

impl Sizes {
    /// A copy of `sizes`; those beyond the eighth, which no tensor has, are left out.
    pub fn new(sizes: &[u32]) -> Self {
        let rank = sizes.len().min(MAX_RANK);
        let mut copy = [0; MAX_RANK];
        copy[..rank].copy_from_slice(&sizes[..rank]);
        Self { rank: rank as u8, sizes: copy }
    }

    /// The size of each dimension, in elements.
    pub fn as_slice(&self) -> &[u32] {
        &self.sizes[..usize::from(self.rank)]
    }
}

impl fmt::Debug for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.as_slice())
    }
}

/// Sizes and strides of a tensor, in elements, kept by value in an error.
///
/// ```
/// use neuron_device::Strided;
/// let view = Strided::new(&[2, 3], &[1, 2]);
/// assert_eq!(view.sizes(), [2, 3]);
/// assert!(view.strides().eq([1, 2]));
/// assert_eq!(format!("its {view:?}"), "its sizes are [2, 3], its strides [1, 2]");
/// let far = Strided::new(&[2, 1], &[5 << 32, u64::MAX]);
/// assert!(far.strides().eq([5 << 32, (1 << 40) - 1]));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Strided {
    rank: u8,
    // Strides of 40 bits: every `Error` is as large as this is.
    high: [u8; MAX_RANK],
    low: [u32; MAX_RANK],
    sizes: [u32; MAX_RANK],
}

impl Strided {
    /// A copy of `sizes` and `strides`, one a dimension; those beyond the eighth, which no tensor has, are left out. A stride
    /// of 2^40 or more, which only a dimension of one element can have in memory there is, is kept as 2^40 - 1.
    pub fn new(sizes: &[u32], strides: &[u64]) -> Self {
        let rank = sizes.len().min(strides.len()).min(MAX_RANK);
        let nothing = [0; MAX_RANK];
        let mut copy = Self { rank: rank as u8, high: [0; MAX_RANK], low: nothing, sizes: nothing };
        for (at, (&size, &stride)) in sizes.iter().zip(strides).take(rank).enumerate() {
            let stride = stride.min((1 << 40) - 1);
            (copy.sizes[at], copy.high[at], copy.low[at]) = (size, (stride >> 32) as u8, stride as u32);
        }
        copy
    }

    /// The size of each dimension, in elements.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes[..usize::from(self.rank)]
    }

    /// The stride of each dimension, in elements.
    pub fn strides(&self) -> impl Iterator<Item = u64> + Clone + '_ {
        let both = self.high.iter().zip(&self.low).take(self.rank.into());
        both.map(|(&high, &low)| u64::from(high) << 32 | u64::from(low))
    }
}

impl fmt::Debug for Strided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sizes are {:?}, its strides ", self.sizes())?;
        f.debug_list().entries(self.strides()).finish()
    }
}
