//! What the cores wrote, page by page.

use std::borrow::Cow;
use std::ops::Range;

use crate::bitmap::{ALL, Bits, PAGE};
use crate::core::Log;

/// Looks at pages of the cores' bitmaps, keeping the one looked at last.
pub(super) struct Pages<'l> {
    logs: &'l [&'l Log],
    written: &'l WrittenPages,
    page: Option<u64>,
    /// Of that page, the bytes that some core wrote; `None` if none is.
    bits: Option<Cow<'l, Bits>>,
}

/// The pages any core wrote to, in rising order.
pub(super) struct WrittenPages(Vec<u64>);

impl WrittenPages {
    pub(super) fn of(logs: &[&Log]) -> Self {
        let mut pages: Vec<u64> = logs.iter().flat_map(|log| log.shadow.written_pages()).collect();
        pages.sort_unstable();
        pages.dedup();
        Self(pages)
    }

    /// Is one of them among these addresses?
    pub(super) fn any_in(&self, at: Range<u64>) -> bool {
        self.from(at.start / PAGE).is_some_and(|page| page * PAGE < at.end)
    }

    /// The first that is not below `page`.
    fn from(&self, page: u64) -> Option<u64> {
        self.0.get(self.0.partition_point(|&written| written < page)).copied()
    }
}

impl<'l> Pages<'l> {
    pub(super) fn new(logs: &'l [&'l Log], written: &'l WrittenPages) -> Self {
        Self { logs, written, page: None, bits: None }
    }

    /// Look at this page; did any core write to it?
    pub(super) fn turn_to(&mut self, page: u64) -> bool {
        if self.page != Some(page) {
            self.page = Some(page);
            self.bits = None;
            for more in self.logs.iter().filter_map(|log| log.shadow.written(page)) {
                match &mut self.bits {
                    None => self.bits = Some(more),
                    Some(bits) => {
                        bits.to_mut().iter_mut().zip(more.iter()).for_each(|(word, more)| *word |= more);
                    }
                }
            }
        }
        self.bits.is_some()
    }

    /// Was all of the page written, at once?
    pub(super) fn is_whole(&self) -> bool {
        self.bits.as_ref().is_some_and(|bits| std::ptr::eq(&**bits, &ALL))
    }

    /// The first page behind this one that any core wrote to.
    pub(super) fn next(&self, page: u64) -> Option<u64> {
        self.written.from(page + 1)
    }

    /// Of a word of the page: bytes that some core wrote.
    pub(super) fn word(&self, word: usize) -> u64 {
        self.bits.as_ref().map_or(0, |bits| bits[word])
    }
}
