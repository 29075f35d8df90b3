//! Views: other layouts over the same storage, of all its elements or of some. Each follows torch, but refuses where
//! torch would clamp.

use super::{Layout, LayoutError, MAX_RANK};

impl Layout {
    /// The same elements with two dimensions exchanged.
    ///
    /// # Errors
    /// A dimension that does not exist.
    pub fn transpose(&self, a: usize, b: usize) -> Result<Self, LayoutError> {
        self.check_dim(a)?;
        self.check_dim(b)?;
        let mut layout = *self;
        layout.sizes.swap(a, b);
        layout.strides.swap(a, b);
        layout.contiguous = layout.lies_in_a_row();
        Ok(layout)
    }

    /// The same elements with the dimensions in another order: dimension `i` of the view is `dims[i]` of this.
    ///
    /// # Errors
    /// A dimension that does not exist, is left out, or is named twice.
    ///
    /// ```
    /// use neuron_device::Layout;
    /// let turned = Layout::contiguous(&[2, 3, 4])?.permute(&[2, 0, 1])?;
    /// assert_eq!((turned.sizes(), turned.strides()), (&[4, 2, 3][..], &[1, 12, 4][..]));
    /// # Ok::<(), neuron_device::LayoutError>(())
    /// ```
    pub fn permute(&self, dims: &[usize]) -> Result<Self, LayoutError> {
        if dims.len() != self.rank() {
            return Err(LayoutError::PermuteCount { dims: dims.len(), rank: self.rank() });
        }
        for (place, &dim) in dims.iter().enumerate() {
            self.check_dim(dim)?;
            if dims[..place].contains(&dim) {
                return Err(LayoutError::PermuteTwice(dim));
            }
        }
        Self::of_dims(dims.iter().map(|&dim| (self.sizes[dim], self.strides[dim])), self.offset)
    }

    /// Every `step`-th index of `start..end` of one dimension.
    ///
    /// # Errors
    /// A dimension that does not exist; a range that leaves it or runs backwards; step 0; in an empty result,
    /// an offset beyond 64 bits.
    ///
    /// ```
    /// use neuron_device::Layout;
    /// let odd = Layout::contiguous(&[2, 6])?.slice(1, 1, 6, 2)?;
    /// assert_eq!((odd.sizes(), odd.strides(), odd.offset()), (&[2, 3][..], &[6, 2][..], 1));
    /// # Ok::<(), neuron_device::LayoutError>(())
    /// ```
    pub fn slice(&self, dim: usize, start: u32, end: u32, step: u32) -> Result<Self, LayoutError> {
        self.check_dim(dim)?;
        let size = self.sizes[dim];
        if start > end || end > size || step == 0 {
            return Err(LayoutError::BadSlice { start, end, step, size });
        }
        let offset = self.offset_at(dim, start)?;
        let sliced = self.dims().enumerate().map(|(at, (size, stride))| {
            if at != dim {
                return (size, stride);
            }
            // A dimension of size 1 may carry any stride, so its product may overflow without mattering.
            ((end - start).div_ceil(step), stride.saturating_mul(u64::from(step)))
        });
        Self::of_dims(sliced, offset)
    }

    /// The `len` indices of one dimension from `start` on.
    ///
    /// # Errors
    /// A dimension that does not exist; indices that leave it; in an empty result, an offset beyond 64 bits.
    ///
    /// ```
    /// use neuron_device::Layout;
    /// let rows = Layout::contiguous(&[5, 3])?.narrow(0, 2, 2)?;
    /// assert_eq!((rows.sizes(), rows.offset()), (&[2, 3][..], 6));
    /// # Ok::<(), neuron_device::LayoutError>(())
    /// ```
    pub fn narrow(&self, dim: usize, start: u32, len: u32) -> Result<Self, LayoutError> {
        self.check_dim(dim)?;
        let size = self.sizes[dim];
        let end = start.checked_add(len).filter(|&end| end <= size);
        let end = end.ok_or(LayoutError::BadNarrow { start, len, size })?;
        self.slice(dim, start, end, 1)
    }

    /// One index of one dimension, which the view does not have any more.
    ///
    /// # Errors
    /// A dimension or an index that does not exist; in an empty result, an offset beyond 64 bits.
    ///
    /// ```
    /// use neuron_device::Layout;
    /// let column = Layout::contiguous(&[2, 3])?.select(1, 2)?;
    /// assert_eq!((column.sizes(), column.strides(), column.offset()), (&[2][..], &[3][..], 2));
    /// # Ok::<(), neuron_device::LayoutError>(())
    /// ```
    pub fn select(&self, dim: usize, index: u32) -> Result<Self, LayoutError> {
        self.check_dim(dim)?;
        let size = self.sizes[dim];
        if index >= size {
            return Err(LayoutError::NoSuchIndex { dim, index, size });
        }
        self.retaining(self.offset_at(dim, index)?, |at, _| at != dim)
    }

    /// The same elements repeated, with stride 0: a dimension of size 1 takes the size given, and new dimensions go
    /// in front. `sizes` names them all.
    ///
    /// # Errors
    /// Fewer dimensions than there are, or more than 8; another size for a dimension that is not of size 1; more
    /// elements than 64 bits count.
    ///
    /// ```
    /// use neuron_device::Layout;
    /// let rows = Layout::contiguous(&[3, 1])?.expand(&[2, 3, 4])?;
    /// assert_eq!((rows.sizes(), rows.strides(), rows.extent()), (&[2, 3, 4][..], &[0, 1, 0][..], 3));
    /// # Ok::<(), neuron_device::LayoutError>(())
    /// ```
    pub fn expand(&self, sizes: &[u32]) -> Result<Self, LayoutError> {
        if sizes.len() > MAX_RANK {
            return Err(LayoutError::TooManyDims(sizes.len()));
        }
        let Some(new) = sizes.len().checked_sub(self.rank()) else {
            return Err(LayoutError::ExpandRank { wanted: sizes.len(), rank: self.rank() });
        };
        for (dim, (&from, &to)) in self.sizes().iter().zip(&sizes[new..]).enumerate() {
            if from != to && from != 1 {
                return Err(LayoutError::ExpandSize { dim, from, to });
            }
        }
        let mut strides = [0; MAX_RANK];
        for (dim, (size, stride)) in self.dims().enumerate() {
            let repeats = size != sizes[new + dim];
            strides[new + dim] = if repeats { 0 } else { stride };
        }
        // As torch does: a new dimension of size 1 has the stride that one of more elements would have.
        for dim in (0..new.min(sizes.len().saturating_sub(1))).rev().filter(|&dim| sizes[dim] == 1) {
            strides[dim] = strides[dim + 1].saturating_mul(u64::from(sizes[dim + 1]));
        }
        Self::strided(sizes, &strides[..sizes.len()], self.offset)
    }

    /// Size and stride of each dimension.
    pub(super) fn dims(&self) -> impl DoubleEndedIterator<Item = (u32, u64)> {
        self.sizes().iter().copied().zip(self.strides().iter().copied())
    }

    /// A layout of these dimensions, each a size and a stride.
    pub(super) fn of_dims(dims: impl Iterator<Item = (u32, u64)>, offset: u64) -> Result<Self, LayoutError> {
        let (mut sizes, mut strides, mut rank) = ([0; MAX_RANK], [0; MAX_RANK], 0);
        for dim in dims {
            if rank == MAX_RANK {
                return Err(LayoutError::TooManyDims(rank + 1));
            }
            (sizes[rank], strides[rank]) = dim;
            rank += 1;
        }
        Self::strided(&sizes[..rank], &strides[..rank], offset)
    }

    /// The dimensions of which `keep` says yes, by place and size.
    pub(super) fn retaining(
        &self,
        offset: u64,
        keep: impl Fn(usize, u32) -> bool,
    ) -> Result<Self, LayoutError> {
        let kept = self.dims().enumerate().filter(|&(at, (size, _))| keep(at, size));
        Self::of_dims(kept.map(|(_, dim)| dim), offset)
    }

    /// Elements from the start of the storage to index `index` of a dimension.
    fn offset_at(&self, dim: usize, index: u32) -> Result<u64, LayoutError> {
        let ahead = u64::from(index).checked_mul(self.strides[dim]).ok_or(LayoutError::TooLarge)?;
        self.offset.checked_add(ahead).ok_or(LayoutError::TooLarge)
    }

    pub(super) fn check_dim(&self, dim: usize) -> Result<(), LayoutError> {
        if dim < self.rank() { Ok(()) } else { Err(LayoutError::NoSuchDim { dim, rank: self.rank() }) }
    }
}

#[cfg(test)]
mod tests;
