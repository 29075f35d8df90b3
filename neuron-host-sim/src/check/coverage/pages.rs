//! What the cores wrote, page by page.

use std::ops::Range;

use crate::core::Log;
use crate::shadow::{Bits, PAGE, mask};

/// Looks at pages of the cores' bitmaps, keeping the one looked at last.
pub(super) struct Pages<'l> {
    logs: &'l [&'l Log],
    written: &'l WrittenPages,
    page: Option<u64>,
    /// The cores that wrote to the page, with their bits.
    writers: Vec<(usize, Bits)>,
}

/// The pages any core wrote to, in rising order.
pub(super) struct WrittenPages(Vec<u64>);

impl WrittenPages {
    pub(super) fn of(logs: &[&Log]) -> Self {
        let mut pages: Vec<u64> = logs.iter().flat_map(|log| log.writes.pages()).collect();
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
        Self { logs, written, page: None, writers: Vec::new() }
    }

    /// Look at this page; did any core write to it?
    pub(super) fn turn_to(&mut self, page: u64) -> bool {
        if self.page != Some(page) {
            self.page = Some(page);
            self.writers.clear();
            let logs = self.logs.iter().enumerate();
            self.writers.extend(logs.filter_map(|(core, log)| Some((core, log.writes.page(page)?))));
        }
        !self.writers.is_empty()
    }

    /// The first page behind this one that any core wrote to.
    pub(super) fn next(&self, page: u64) -> Option<u64> {
        self.written.from(page + 1)
    }

    /// Of a word of the page: bytes that some core wrote, and bytes that several did.
    pub(super) fn word(&self, word: usize) -> (u64, u64) {
        self.writers
            .iter()
            .fold((0, 0), |(once, again), (_, bits)| (once | bits[word], again | once & bits[word]))
    }

    /// The cores that wrote any byte of an element on the page.
    pub(super) fn writers_of(&self, at: &Range<u64>) -> Vec<usize> {
        let (word, bytes) = ((at.start % PAGE / 64) as usize, mask(at.start % 64, (at.end - 1) % 64 + 1));
        self.writers.iter().filter(|(_, bits)| bits[word] & bytes != 0).map(|(core, _)| *core).collect()
    }
}
