//! Which bytes a core wrote, and from which lines: a bitmap per line of source.

use std::collections::BTreeMap;
use std::ops::Range;

use neuron_device::{Run, Site};

/// Bytes one page of the bitmap covers, a page of the host's memory too.
pub(crate) const PAGE: u64 = 4096;
const WORDS: usize = (PAGE / 64) as usize;

/// A bit a byte.
pub(crate) type Bits = [u64; WORDS];

/// Bytes written from one line.
#[derive(Debug)]
struct Line {
    site: Site,
    pages: BTreeMap<u64, Box<Bits>>,
}

/// Bytes written by one core in one launch. A line of source has its own bitmap, and a kernel has few lines that
/// write: so each byte's line is known without keeping one a byte.
#[derive(Debug, Default)]
pub(crate) struct Shadow {
    lines: Vec<Line>,
}

impl Shadow {
    /// The core wrote these.
    pub(crate) fn note(&mut self, run: &Run) {
        let at = self.lines.iter().position(|line| *line.site == *run.site).unwrap_or_else(|| {
            self.lines.push(Line { site: run.site, pages: BTreeMap::new() });
            self.lines.len() - 1
        });
        let pages = &mut self.lines[at].pages;
        let start = run.start.get();
        if run.step == run.bytes as i64 {
            set(pages, start, start + run.count * run.bytes);
        } else {
            for access in 0..run.count {
                let first = start.wrapping_add_signed(run.step.wrapping_mul(access as i64));
                set(pages, first, first + run.bytes);
            }
        }
    }

    /// Every page a bit is set in, in rising order, each once.
    pub(crate) fn pages(&self) -> Vec<u64> {
        let mut pages: Vec<u64> = self.lines.iter().flat_map(|line| line.pages.keys().copied()).collect();
        pages.sort_unstable();
        pages.dedup();
        pages
    }

    /// The bytes of this page that were written, from any line; `None` if none was.
    pub(crate) fn page(&self, page: u64) -> Option<Bits> {
        let mut pages = self.lines.iter().filter_map(|line| line.pages.get(&page));
        let mut bits = **pages.next()?;
        for more in pages {
            for (word, more) in bits.iter_mut().zip(more.iter()) {
                *word |= more;
            }
        }
        Some(bits)
    }

    /// Every line that wrote anything.
    pub(crate) fn all_sites(&self) -> impl Iterator<Item = Site> {
        self.lines.iter().map(|line| line.site)
    }

    /// The lines that wrote to `start..end`, in the order they first wrote anything.
    pub(crate) fn sites(&self, start: u64, end: u64) -> impl Iterator<Item = Site> {
        self.lines
            .iter()
            .filter(move |line| (start..end).any(|byte| is_set(&line.pages, byte)))
            .map(|line| line.site)
    }
}

/// A mask of bits `from..to` of a word; `to` may be 64.
pub(crate) fn mask(from: u64, to: u64) -> u64 {
    (u64::MAX << from) & (u64::MAX >> (64 - to))
}

/// The runs of set bits of a page, as ranges of bytes in it.
pub(crate) fn runs(bits: &Bits) -> impl Iterator<Item = Range<u64>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = find(bits, at, true)?;
        at = find(bits, start, false).unwrap_or(PAGE);
        Some(start..at)
    })
}

/// The first bit from `from` on that is set, or clear.
fn find(bits: &Bits, from: u64, set: bool) -> Option<u64> {
    let mut skip = u64::MAX.checked_shl((from % 64) as u32).unwrap_or(0);
    for (at, word) in bits.iter().enumerate().skip((from / 64) as usize) {
        let wanted = if set { *word } else { !*word } & skip;
        if wanted != 0 {
            return Some(at as u64 * 64 + u64::from(wanted.trailing_zeros()));
        }
        skip = u64::MAX;
    }
    None
}

fn set(pages: &mut BTreeMap<u64, Box<Bits>>, start: u64, end: u64) {
    let mut at = start;
    while at < end {
        let page = at / PAGE;
        let page_end = ((page + 1) * PAGE).min(end);
        let bits = pages.entry(page).or_insert_with(|| Box::new([0; WORDS]));
        while at < page_end {
            let word_end = (at / 64 * 64 + 64).min(page_end);
            bits[(at % PAGE / 64) as usize] |= mask(at % 64, word_end - at / 64 * 64);
            at = word_end;
        }
    }
}

fn is_set(pages: &BTreeMap<u64, Box<Bits>>, byte: u64) -> bool {
    pages.get(&(byte / PAGE)).is_some_and(|bits| bits[(byte % PAGE / 64) as usize] >> (byte % 64) & 1 == 1)
}

#[cfg(test)]
mod tests;
