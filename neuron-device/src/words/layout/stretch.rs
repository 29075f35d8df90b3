//! Runs of elements that lie evenly, so that going through a layout in order divides once a run, not once an element.

use super::Layout;

/// Row-major indices whose elements lie evenly: `first`, and those behind it, `len` in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stretch {
    first: u64,
    len: u64,
    /// Storage offset of the first one, in elements.
    start: u64,
    /// From one to the next, in elements.
    stride: u64,
}

impl Stretch {
    /// Of no index.
    pub(crate) const NONE: Self = Self { first: 0, len: 0, start: 0, stride: 0 };

    /// One past its last index.
    pub(crate) const fn end(&self) -> u64 {
        self.first + self.len
    }

    /// From one element to the next, in elements.
    pub(crate) const fn stride(&self) -> u64 {
        self.stride
    }

    /// Storage offset of the element with this index, in elements; `None` if it is not of the stretch.
    #[inline(always)]
    pub(crate) fn offset_of(&self, index: u64) -> Option<u64> {
        let behind = index.wrapping_sub(self.first);
        if behind < self.len { Some(self.start.wrapping_add(behind.wrapping_mul(self.stride))) } else { None }
    }
}

impl Layout {
    /// The longest stretch of whole dimensions that the element with this index is in; `None` if there is no such
    /// element.
    pub(crate) fn stretch_at(&self, index: u64) -> Option<Stretch> {
        if index >= self.numel() {
            return None;
        }
        let (mut len, mut stride, mut outer) = (1_u64, 0_u64, self.rank());
        for (size, distance) in self.dims().rev().map(|(size, distance)| (u64::from(size), distance)) {
            if len > 1 && size > 1 && stride.checked_mul(len) != Some(distance) {
                break;
            }
            if size > 1 {
                stride = if len == 1 { distance } else { stride };
                len *= size;
            }
            outer -= 1;
        }
        let number = if outer == 0 { 0 } else { index / len };
        let (mut rest, mut start) = (number, self.offset());
        for dim in (0..outer).rev() {
            let size = u64::from(self.sizes()[dim]);
            let at = if dim == 0 { rest } else { rest % size };
            start += at * self.strides()[dim];
            rest /= size;
        }
        Some(Stretch { first: number * len, len, start, stride })
    }
}

#[cfg(test)]
mod tests;
