//! Where in a tensor somebody who goes through it by flat index is.

use core::cell::Cell;

use crate::words::layout::{Layout, Stretch};

/// The stretch the last index was in, and of which layout: the next one is mostly in it too.
///
/// Those who share a place know the layout apart by where it is, so one who begins with a layout clears the place first:
/// another may have been there. From then on that layout stays where it is, as it is borrowed.
#[derive(Debug)]
pub(crate) struct Place {
    /// Compared, never followed.
    layout: Cell<*const Layout>,
    stretch: Cell<Stretch>,
}

impl Place {
    pub(super) const fn new() -> Self {
        Self { layout: Cell::new(core::ptr::null()), stretch: Cell::new(Stretch::NONE) }
    }

    /// Nowhere, until the next index.
    pub(super) fn clear(&self) {
        self.layout.set(core::ptr::null());
    }

    /// Is it in this layout?
    #[inline(always)]
    pub(super) fn is_in(&self, layout: &Layout) -> bool {
        core::ptr::eq(self.layout.get(), layout)
    }

    /// The stretch the last index was in.
    pub(super) const fn stretch(&self) -> Stretch {
        self.stretch.get()
    }

    /// Go to the element with this index: its storage offset, in elements; `None` if there is no such element.
    pub(super) fn go(&self, layout: &Layout, index: u64) -> Option<u64> {
        if self.is_in(layout)
            && let Some(offset) = self.stretch.get().offset_of(index)
        {
            return Some(offset);
        }
        let stretch = layout.stretch_at(index)?;
        self.layout.set(layout);
        self.stretch.set(stretch);
        stretch.offset_of(index)
    }
}

#[cfg(test)]
mod tests;
