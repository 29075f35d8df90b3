//! Views of the same elements, in the same order, under other sizes. Each follows torch, but refuses where torch would
//! copy.

use core::iter;

use super::{Layout, LayoutError};

impl Layout {
    /// The same elements, in the same row-major order, under other sizes: of a contiguous layout, or to the sizes
    /// it has. What torch calls `view`, and `reshape` when that does not copy.
    ///
    /// # Errors
    /// Another number of elements; a layout that is not contiguous; more than 8 dimensions.
    ///
    /// ```
    /// use neuron_device::{Layout, LayoutError};
    /// let x = Layout::contiguous(&[2, 6])?;
    /// assert_eq!(x.narrow(0, 1, 1)?.reshape(&[3, 2])?, Layout::strided(&[3, 2], &[2, 1], 6)?);
    /// assert_eq!(x.transpose(0, 1)?.reshape(&[12]), Err(LayoutError::NotContiguous));
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[doc(alias = "view")]
    pub fn reshape(&self, sizes: &[u32]) -> Result<Self, LayoutError> {
        if sizes == self.sizes() {
            return Ok(*self);
        }
        let row_major = Self::contiguous(sizes)?;
        if row_major.numel != self.numel {
            return Err(LayoutError::ReshapeCount { from: self.numel, to: row_major.numel });
        }
        if !self.is_contiguous() {
            return Err(LayoutError::NotContiguous);
        }
        Self::strided(sizes, row_major.strides(), self.offset)
    }

    /// The same elements without the dimensions of size 1.
    ///
    /// ```
    /// use neuron_device::Layout;
    /// let x = Layout::contiguous(&[1, 3, 1])?;
    /// assert_eq!(x.squeeze(), Layout::contiguous(&[3])?);
    /// # Ok::<(), neuron_device::LayoutError>(())
    /// ```
    #[must_use = "a view is a new layout"]
    pub fn squeeze(&self) -> Self {
        let squeezed = self.retaining(self.offset, |_, size| size != 1);
        squeezed.expect("no dimension of size 1 has a part in what a layout reaches")
    }

    /// The same elements without this dimension if its size is 1, and as they are if not.
    ///
    /// # Errors
    /// A dimension that does not exist.
    ///
    /// ```
    /// use neuron_device::Layout;
    /// let x = Layout::contiguous(&[1, 3, 1])?;
    /// assert_eq!(x.squeeze_dim(0)?.sizes(), &[3, 1]);
    /// assert_eq!(x.squeeze_dim(1)?, x);
    /// # Ok::<(), neuron_device::LayoutError>(())
    /// ```
    pub fn squeeze_dim(&self, dim: usize) -> Result<Self, LayoutError> {
        self.check_dim(dim)?;
        self.retaining(self.offset, |at, size| at != dim || size != 1)
    }

    /// The same elements with a new dimension of size 1 at place `dim`, where `rank()` is behind the last.
    ///
    /// # Errors
    /// A place beyond the last, or a ninth dimension.
    ///
    /// ```
    /// use neuron_device::Layout;
    /// let x = Layout::contiguous(&[2, 3])?;
    /// assert_eq!(x.unsqueeze(1)?.sizes(), &[2, 1, 3]);
    /// assert_eq!(x.unsqueeze(2)?.sizes(), &[2, 3, 1]);
    /// # Ok::<(), neuron_device::LayoutError>(())
    /// ```
    pub fn unsqueeze(&self, dim: usize) -> Result<Self, LayoutError> {
        if dim > self.rank() {
            return Err(LayoutError::NoSuchPlace { dim, rank: self.rank() });
        }
        // As torch does; what the stride of a dimension of size 1 is does not matter.
        let behind = self.dims().nth(dim);
        let stride = behind.map_or(1, |(size, stride)| stride.saturating_mul(u64::from(size)));
        let (before, after) = (self.dims().take(dim), self.dims().skip(dim));
        Self::of_dims(before.chain(iter::once((1, stride))).chain(after), self.offset)
    }

    /// The same elements in one dimension, under the rules of [`reshape`](Self::reshape).
    ///
    /// # Errors
    /// A layout that is not contiguous, unless it has one dimension; more elements than 32 bits count.
    ///
    /// ```
    /// use neuron_device::Layout;
    /// assert_eq!(Layout::contiguous(&[2, 3])?.flatten()?.sizes(), &[6]);
    /// assert_eq!(Layout::contiguous(&[])?.flatten()?.sizes(), &[1]);
    /// # Ok::<(), neuron_device::LayoutError>(())
    /// ```
    pub fn flatten(&self) -> Result<Self, LayoutError> {
        self.flatten_dims(0, self.rank().saturating_sub(1))
    }

    /// The same elements with the dimensions `first` to `last`, both included, made one, under the rules of
    /// [`reshape`](Self::reshape). A layout without dimensions counts as one of size 1.
    ///
    /// # Errors
    /// A dimension that does not exist; `first` after `last`; a layout that is not contiguous, unless `first` is
    /// `last`; a dimension of more elements than 32 bits count.
    ///
    /// ```
    /// use neuron_device::Layout;
    /// let x = Layout::contiguous(&[2, 3, 4])?;
    /// assert_eq!(x.flatten_dims(1, 2)?.sizes(), &[2, 12]);
    /// # Ok::<(), neuron_device::LayoutError>(())
    /// ```
    pub fn flatten_dims(&self, first: usize, last: usize) -> Result<Self, LayoutError> {
        if self.rank == 0 {
            return self.unsqueeze(0)?.flatten_dims(first, last);
        }
        self.check_dim(first)?;
        self.check_dim(last)?;
        if first > last {
            return Err(LayoutError::BadFlatten { first, last });
        }
        let merged = &self.sizes[first..=last];
        let numel = merged.iter().fold(1, |numel: u64, &size| numel.saturating_mul(u64::from(size)));
        let mut sizes = self.sizes;
        sizes[first] = u32::try_from(numel).map_err(|_| LayoutError::DimTooLarge(numel))?;
        sizes.copy_within(last + 1..self.rank(), first + 1);
        self.reshape(&sizes[..self.rank() - (last - first)])
    }
}
