//! The elements of a layout in the order they lie in memory.

use neuron_device::Layout;

/// A layout with its dimensions ordered by stride, the largest first, so that walking it turns each page once; and the
/// way back to an element's own index.
#[derive(Debug)]
pub(super) struct MemoryOrder<'a> {
    layout: &'a Layout,
    /// The dimensions with more elements than one, by falling stride.
    dims: Vec<usize>,
    /// The layout of these dimensions alone.
    ordered: Layout,
}

impl<'a> MemoryOrder<'a> {
    pub(super) fn new(layout: &'a Layout) -> Self {
        let (sizes, strides) = (layout.sizes(), layout.strides());
        let mut dims: Vec<usize> = (0..layout.rank()).filter(|&dim| sizes[dim] != 1).collect();
        dims.sort_by_key(|&dim| std::cmp::Reverse(strides[dim]));
        let of_dims = |dim: &usize| (sizes[*dim], strides[*dim]);
        let (sizes, strides): (Vec<_>, Vec<_>) = dims.iter().map(of_dims).unzip();
        let ordered = Layout::strided(&sizes, &strides, layout.offset());
        Self {
            layout,
            dims,
            ordered: ordered.expect("the same dimensions in another order fit where they did"),
        }
    }

    /// Call with the position, storage offset and number of elements of each row of elements that lie one after the
    /// other.
    pub(super) fn for_each_row(&self, mut row: impl FnMut(u64, u64, u64)) {
        let layout = &self.ordered;
        let len = match (layout.sizes().last(), layout.strides().last()) {
            _ if layout.is_contiguous() => layout.numel(),
            (Some(&size), Some(1)) => u64::from(size),
            _ => 1,
        };
        let mut position = 0;
        while position < layout.numel() {
            row(position, layout.offset_of_flat(position), len);
            position += len;
        }
    }

    /// The flat logical index of the element at this position in memory.
    pub(super) fn index(&self, position: u64) -> u64 {
        let mut at = [0; neuron_device::MAX_RANK];
        let mut rest = position;
        for (&dim, &size) in self.dims.iter().zip(self.ordered.sizes()).rev() {
            at[dim] = rest % u64::from(size);
            rest /= u64::from(size);
        }
        self.layout.sizes().iter().zip(at).fold(0, |index, (&size, at)| index * u64::from(size) + at)
    }
}

#[cfg(test)]
mod tests;
