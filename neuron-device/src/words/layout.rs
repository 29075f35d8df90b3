//! Where the elements of a tensor lie: sizes, strides and offset, all counted in elements.

mod error;
mod forward;
mod reshape;
mod stretch;
mod views;

use core::fmt;

pub use self::error::LayoutError;
pub(crate) use self::stretch::Stretch;

/// The most dimensions a tensor may have (`docs/machine.md`, section 9).
///
/// ```
/// use neuron_device::{Layout, MAX_RANK};
/// let layout = Layout::contiguous(&[2; MAX_RANK])?;
/// assert_eq!((layout.rank(), layout.numel()), (8, 256));
/// assert!(layout.unsqueeze(0).is_err());
/// # Ok::<(), neuron_device::LayoutError>(())
/// ```
pub const MAX_RANK: usize = 8;

/// Sizes, strides and storage offset of a tensor, in elements. Strides are never negative; 0 repeats an element.
///
/// ```
/// use neuron_device::Layout;
/// let rows = Layout::contiguous(&[2, 3])?;
/// assert_eq!((rows.numel(), rows.strides()), (6, &[3, 1][..]));
/// let columns = rows.transpose(0, 1)?;
/// assert_eq!((columns.sizes(), columns.strides()), (&[3, 2][..], &[1, 3][..]));
/// assert!(rows.is_contiguous() && !columns.is_contiguous());
/// assert_eq!(columns.offset_of_flat(1), 3);
/// # Ok::<(), neuron_device::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    rank: u8,
    /// Found out once: every copy asks.
    contiguous: bool,
    sizes: [u32; MAX_RANK],
    strides: [u64; MAX_RANK],
    offset: u64,
    numel: u64,
    extent: u64,
}

impl Layout {
    /// The row-major layout of these sizes, at offset 0.
    ///
    /// # Errors
    /// More than 8 dimensions, or more elements than 64 bits count.
    pub fn contiguous(sizes: &[u32]) -> Result<Self, LayoutError> {
        if sizes.len() > MAX_RANK {
            return Err(LayoutError::TooManyDims(sizes.len()));
        }
        let mut strides = [0; MAX_RANK];
        let mut stride: u64 = 1;
        for (dim, &size) in sizes.iter().enumerate().rev() {
            strides[dim] = stride;
            // As torch does: an empty dimension leaves the strides of the outer ones as if its size were 1. What does
            // not fit is refused below, unless the tensor is empty, and then no stride matters.
            stride = stride.saturating_mul(u64::from(size.max(1)));
        }
        Self::strided(sizes, &strides[..sizes.len()], 0)
    }

    /// A layout with these strides, in elements, its first element `offset` elements into the storage.
    ///
    /// # Errors
    /// More than 8 dimensions, sizes and strides of different number, or a number of elements or an extent
    /// beyond 64 bits.
    pub fn strided(sizes: &[u32], strides: &[u64], offset: u64) -> Result<Self, LayoutError> {
        let rank = sizes.len();
        if rank > MAX_RANK {
            return Err(LayoutError::TooManyDims(rank));
        }
        if strides.len() != rank {
            return Err(LayoutError::RankMismatch { sizes: rank, strides: strides.len() });
        }
        let empty = sizes.contains(&0);
        let mut numel: u64 = 1;
        let mut last = offset;
        for (&size, &stride) in sizes.iter().zip(strides) {
            if !empty {
                numel = numel.checked_mul(u64::from(size)).ok_or(LayoutError::TooLarge)?;
                let reach = u64::from(size - 1).checked_mul(stride).ok_or(LayoutError::TooLarge)?;
                last = last.checked_add(reach).ok_or(LayoutError::TooLarge)?;
            }
        }
        let extent = if empty { 0 } else { last.checked_add(1).ok_or(LayoutError::TooLarge)? };
        let mut layout = Self {
            rank: rank as u8,
            contiguous: false,
            sizes: [0; MAX_RANK],
            strides: [0; MAX_RANK],
            offset,
            numel: if empty { 0 } else { numel },
            extent,
        };
        layout.sizes[..rank].copy_from_slice(sizes);
        layout.strides[..rank].copy_from_slice(strides);
        layout.contiguous = layout.lies_in_a_row();
        Ok(layout)
    }

    /// As [`strided`](Self::strided), from signed strides.
    ///
    /// # Errors
    /// A negative stride, and those of `strided`.
    pub fn strided_signed(sizes: &[u32], strides: &[i64], offset: u64) -> Result<Self, LayoutError> {
        if strides.len() > MAX_RANK {
            return Err(LayoutError::TooManyDims(strides.len()));
        }
        let mut unsigned = [0; MAX_RANK];
        for (dim, &stride) in strides.iter().enumerate() {
            unsigned[dim] = u64::try_from(stride).map_err(|_| LayoutError::NegativeStride { dim, stride })?;
        }
        Self::strided(sizes, &unsigned[..strides.len()], offset)
    }

    /// How many dimensions there are, 0 to 8.
    pub const fn rank(&self) -> usize {
        self.rank as usize
    }

    /// The size of each dimension, in elements.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes[..self.rank()]
    }

    /// The stride of each dimension, in elements.
    pub fn strides(&self) -> &[u64] {
        &self.strides[..self.rank()]
    }

    /// Elements from the start of the storage to element 0.
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// How many elements there are: the product of the sizes, 1 for a tensor without dimensions.
    pub const fn numel(&self) -> u64 {
        self.numel
    }

    /// Elements of storage the layout needs: one past the highest it reaches, computed from the strides; 0 if empty.
    pub const fn extent(&self) -> u64 {
        self.extent
    }

    /// Do the elements lie one after the other in row-major order? torch's rule: strides of dimensions of size 1 do
    /// not matter, and an empty tensor is contiguous.
    pub const fn is_contiguous(&self) -> bool {
        self.contiguous
    }

    fn lies_in_a_row(&self) -> bool {
        let mut expected = 1;
        self.numel == 0
            || self.sizes().iter().zip(self.strides()).rev().all(|(&size, &stride)| {
                let fits = size == 1 || stride == expected;
                expected *= u64::from(size);
                fits
            })
    }

    /// May two elements be one place in storage? Never answers no wrongly, and so yes wherever a stride of 0 repeats
    /// one; answers no for all that views of a contiguous layout make without [`expand`](Self::expand). It answers yes
    /// for a few layouts given by [`strided`](Self::strided) whose elements interleave without meeting.
    ///
    /// ```
    /// use neuron_device::Layout;
    /// assert!(Layout::strided(&[4], &[0], 0)?.overlaps_itself());
    /// assert!(!Layout::strided(&[2, 2], &[2, 3], 0)?.overlaps_itself()); // offsets 0, 3, 2, 5
    /// assert!(Layout::strided(&[3, 2], &[2, 3], 0)?.overlaps_itself()); // 0, 3, 2, 5, 4, 7: a wrong yes
    /// # Ok::<(), neuron_device::LayoutError>(())
    /// ```
    pub fn overlaps_itself(&self) -> bool {
        let mut dims = [(0, 0); MAX_RANK];
        let mut count = 0;
        for (&size, &stride) in self.sizes().iter().zip(self.strides()).filter(|&(&size, _)| size > 1) {
            dims[count] = (stride, u64::from(size));
            count += 1;
        }
        let dims = &mut dims[..count];
        dims.sort_unstable();
        let mut reach: u64 = 0;
        self.numel > 0
            && dims.iter().any(|&(stride, size)| {
                let meets = stride <= reach;
                reach = reach.saturating_add(stride.saturating_mul(size - 1));
                meets
            })
    }

    /// Storage offset of the element with this row-major index, in elements. Beyond `numel` the answer is the
    /// offset the index would have if the first dimension went on, modulo 2^64.
    pub fn offset_of_flat(&self, index: u64) -> u64 {
        let mut rest = index;
        let mut offset = self.offset;
        for dim in (1..self.rank()).rev() {
            let size = u64::from(self.sizes[dim].max(1));
            offset = offset.wrapping_add((rest % size).wrapping_mul(self.strides[dim]));
            rest /= size;
        }
        let outermost = if self.rank == 0 { 1 } else { self.strides[0] };
        offset.wrapping_add(rest.wrapping_mul(outermost))
    }
}

impl fmt::Debug for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.sizes())?;
        if !self.is_contiguous() {
            write!(f, " strides {:?}", self.strides())?;
        }
        if self.offset != 0 {
            write!(f, " offset {}", self.offset)?;
        }
        Ok(())
    }
}

#[cfg(test)]
pub(crate) mod tests;
