//! The elements of a layout in the order they lie in memory.

use std::ops::Range;

use neuron_device::Layout;

use crate::rows::row_elements;

/// So many rows are looked at one by one rather than asked about.
const FEW: u64 = 64;

/// A layout with its dimensions ordered by stride, the largest first, so that walking it turns each page once; and the
/// way back to an element's own index. A position counts elements in this order.
#[derive(Debug)]
pub(super) struct MemoryOrder<'a> {
    layout: &'a Layout,
    /// The dimensions with more elements than one, by falling stride.
    dims: Vec<usize>,
    /// The layout of these dimensions alone.
    ordered: Layout,
    row: u64,
}

/// Elements at neighbouring positions.
#[derive(Debug, PartialEq)]
pub(super) enum Part {
    /// Elements that lie one after the other, from position `first`, `offset` elements into the storage.
    Row { first: u64, offset: u64, elements: u64 },
    /// Elements between which nothing was written.
    Blank(Range<u64>),
}

impl<'a> MemoryOrder<'a> {
    /// For a layout whose elements are all apart.
    pub(super) fn new(layout: &'a Layout) -> Self {
        let (sizes, strides) = (layout.sizes(), layout.strides());
        let mut dims: Vec<usize> = (0..layout.rank()).filter(|&dim| sizes[dim] != 1).collect();
        dims.sort_by_key(|&dim| std::cmp::Reverse(strides[dim]));
        let of_dims = |dim: &usize| (sizes[*dim], strides[*dim]);
        let (sizes, strides): (Vec<_>, Vec<_>) = dims.iter().map(of_dims).unzip();
        let ordered = Layout::strided(&sizes, &strides, layout.offset())
            .expect("the same dimensions in another order fit where they did");
        Self { layout, dims, row: row_elements(&ordered), ordered }
    }

    /// Call with all elements, part by part; `written` says whether anything between two storage offsets was written.
    /// What it costs depends on what was written, not on how many elements there are.
    pub(super) fn for_each_part(&self, written: &dyn Fn(Range<u64>) -> bool, part: &mut dyn FnMut(Part)) {
        self.visit(0..self.ordered.numel() / self.row, written, part);
    }

    fn visit(&self, rows: Range<u64>, written: &dyn Fn(Range<u64>) -> bool, part: &mut dyn FnMut(Part)) {
        let offset = |row: u64| self.ordered.offset_of_flat(row * self.row);
        if rows.is_empty() {
            return;
        }
        // Strides fall and elements are apart, so that offsets rise with positions.
        if !written(offset(rows.start)..offset(rows.end - 1) + self.row) {
            part(Part::Blank(rows.start * self.row..rows.end * self.row));
        } else if rows.end - rows.start <= FEW {
            for row in rows {
                part(Part::Row { first: row * self.row, offset: offset(row), elements: self.row });
            }
        } else {
            let middle = rows.start.midpoint(rows.end);
            self.visit(rows.start..middle, written, part);
            self.visit(middle..rows.end, written, part);
        }
    }

    /// The flat logical index of the element at this position.
    pub(super) fn index(&self, position: u64) -> u64 {
        let mut at = [0; neuron_device::MAX_RANK];
        let mut rest = position;
        for (&dim, &size) in self.dims.iter().zip(self.ordered.sizes()).rev() {
            at[dim] = rest % u64::from(size);
            rest /= u64::from(size);
        }
        self.layout.sizes().iter().zip(at).fold(0, |index, (&size, at)| index * u64::from(size) + at)
    }

    /// The lowest flat logical index of the elements at these positions, of which there is at least one.
    pub(super) fn lowest_index(&self, positions: Range<u64>) -> u64 {
        // Where an outer coordinate rises, those inside it begin at 0 again: no element after that place, up to the
        // next such place further out, has a lower index.
        let mut block = 1;
        let mut lowest = self.index(positions.start);
        for &size in self.ordered.sizes().iter().rev() {
            block *= u64::from(size);
            match positions.start.checked_next_multiple_of(block) {
                Some(begin) if begin < positions.end => lowest = lowest.min(self.index(begin)),
                _ => break,
            }
        }
        lowest
    }
}

#[cfg(test)]
mod tests;
