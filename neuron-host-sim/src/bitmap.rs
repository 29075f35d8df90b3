//! A set of bytes of HBM, a bit a byte, in pages.

use std::ops::Range;

use neuron_device::Run;
use rustc_hash::FxHashMap;

/// Bytes one page of the bitmap covers, a page of the host's memory too.
pub(crate) const PAGE: u64 = 4096;
const WORDS: usize = (PAGE / 64) as usize;

/// The bits of one page.
pub(crate) type Bits = [u64; WORDS];

/// Bits of which none is set.
pub(crate) const NONE: Bits = [0; WORDS];

/// Bits of which all are set.
pub(crate) static ALL: Bits = [u64::MAX; WORDS];

/// A page of the set. One that is put in as a whole, as copies do, takes no memory.
#[derive(Clone, Debug)]
enum Page {
    Whole,
    Some(Box<Bits>),
}

impl Page {
    fn bits(&self) -> &Bits {
        match self {
            Self::Whole => &ALL,
            Self::Some(bits) => bits,
        }
    }

    /// Its bits, to be changed.
    fn bits_mut(&mut self) -> &mut Bits {
        if let Self::Whole = self {
            *self = Self::Some(Box::new(ALL));
        }
        match self {
            Self::Some(bits) => bits,
            Self::Whole => unreachable!("it was just given bits"),
        }
    }
}

/// Which bytes are in the set. It takes memory for the pages that have any.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bitmap {
    pages: Vec<(u64, Page)>,
    index: FxHashMap<u64, usize>,
    /// Where in `pages` the last call was: the next one is mostly there too.
    last: usize,
    /// No page is outside these: cores mostly work far from each other, and are asked for each other's pages.
    span: Range<u64>,
}

impl Bitmap {
    /// No byte at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// Put the bytes `start..end` in. Was one of them missing?
    pub(crate) fn insert(&mut self, start: u64, end: u64) -> bool {
        let mut missing = 0;
        for (page, words) in words(start, end) {
            if start <= page * PAGE && end >= (page + 1) * PAGE {
                missing |= u64::from(self.insert_page(page));
                continue;
            }
            let Page::Some(bits) = self.page_mut(page) else { continue };
            for (word, mask) in words {
                missing |= mask & !bits[word];
                bits[word] |= mask;
            }
        }
        missing != 0
    }

    /// Put all of a page in. Was something of it missing?
    fn insert_page(&mut self, page: u64) -> bool {
        if self.turn_to(page, || Page::Whole) {
            return true;
        }
        match std::mem::replace(&mut self.pages[self.last].1, Page::Whole) {
            Page::Whole => false,
            Page::Some(bits) => *bits != ALL,
        }
    }

    /// Take these bytes out. Their pages stay.
    pub(crate) fn remove(&mut self, start: u64, end: u64) {
        for (page, words) in words(start, end) {
            if self.page(page).is_some() {
                let bits = self.page_mut(page).bits_mut();
                words.for_each(|(word, mask)| bits[word] &= !mask);
            }
        }
    }

    /// Put every byte of these accesses in. Was one of them missing?
    pub(crate) fn insert_run(&mut self, run: &Run) -> bool {
        ranges(run).fold(false, |more, range| self.insert(range.start, range.end) | more)
    }

    /// Put these bytes of a page in.
    pub(crate) fn insert_bits(&mut self, page: u64, more: &Bits) {
        if std::ptr::eq(more, &ALL) {
            self.insert_page(page);
        } else if let Page::Some(bits) = self.page_mut(page) {
            bits.iter_mut().zip(more).for_each(|(word, more)| *word |= more);
        }
    }

    /// Is any of the bytes `start..end` in it?
    pub(crate) fn meets(&self, start: u64, end: u64) -> bool {
        words(start, end).any(|(page, mut words)| {
            self.page(page).is_some_and(|bits| words.any(|(word, mask)| bits[word] & mask != 0))
        })
    }

    /// Have the two a byte in common?
    pub(crate) fn meets_any(&self, other: &Self) -> bool {
        other.pages.iter().any(|(page, others)| {
            self.page(*page)
                .is_some_and(|bits| bits.iter().zip(others.bits()).any(|(word, other)| word & other != 0))
        })
    }

    /// The bits of a page; `None` if none was ever set.
    #[inline]
    pub(crate) fn page(&self, page: u64) -> Option<&Bits> {
        if self.span.contains(&page) { self.find(page) } else { None }
    }

    fn find(&self, page: u64) -> Option<&Bits> {
        match self.pages.get(self.last) {
            Some((number, found)) if *number == page => Some(found.bits()),
            _ => self.index.get(&page).map(|&at| self.pages[at].1.bits()),
        }
    }

    /// Every page with a bit, in rising order.
    pub(crate) fn numbers(&self) -> Vec<u64> {
        // They mostly rise already, and there is nothing to sort.
        let mut numbers: Vec<u64> = self.pages.iter().map(|(page, _)| *page).collect();
        numbers.sort_unstable();
        numbers
    }

    /// Bytes of memory it takes.
    #[cfg(test)]
    pub(crate) fn memory(&self) -> usize {
        let pages = self.pages.capacity() * size_of::<(u64, Page)>() + size_of::<Bits>() * self.pages.len();
        // A hash table is filled up to 7/8, and has a byte a place besides.
        pages + self.index.capacity() * 8 / 7 * (size_of::<(u64, usize)>() + 1)
    }

    fn page_mut(&mut self, page: u64) -> &mut Page {
        self.turn_to(page, || Page::Some(Box::new(NONE)));
        &mut self.pages[self.last].1
    }

    /// Make this page the last one looked at. If it was not there, it is `new`; is it?
    fn turn_to(&mut self, page: u64, new: impl FnOnce() -> Page) -> bool {
        let before = self.pages.len();
        if self.pages.get(self.last).is_none_or(|(number, _)| *number != page) {
            self.last = *self.index.entry(page).or_insert_with(|| {
                self.span = match self.pages.is_empty() {
                    true => page..page + 1,
                    false => self.span.start.min(page)..self.span.end.max(page + 1),
                };
                self.pages.push((page, new()));
                self.pages.len() - 1
            });
        }
        self.pages.len() > before
    }
}

/// The bytes of each access of a run; of a run from element to element all of them at once, and of one that stays where it
/// is, which may be long, those of one access.
pub(crate) fn ranges(run: &Run) -> impl Iterator<Item = Range<u64>> {
    let (start, bytes) = (run.start.get(), run.bytes);
    let in_a_row = run.step == bytes as i64;
    let (count, each) = match run.step {
        _ if in_a_row => (1, run.count * bytes),
        0 => (run.count.min(1), bytes),
        _ => (run.count, bytes),
    };
    (0..count).map(move |access| {
        let first = start.wrapping_add_signed(run.step.wrapping_mul(access as i64));
        first..first + each
    })
}

/// A mask of bits `from..to` of a word; `to` may be 64.
pub(crate) fn mask(from: u64, to: u64) -> u64 {
    (u64::MAX << from) & (u64::MAX >> (64 - to))
}

/// The words of the pages that hold the bits of `start..end`, each with the mask of its part.
pub(crate) fn words(start: u64, end: u64) -> impl Iterator<Item = (u64, impl Iterator<Item = (usize, u64)>)> {
    let pages = if start < end { start / PAGE..(end - 1) / PAGE + 1 } else { 0..0 };
    pages.map(move |page| {
        let (from, to) = (start.max(page * PAGE), end.min((page + 1) * PAGE));
        let words = from / 64..(to - 1) / 64 + 1;
        let words = words.map(move |word| {
            let (first, last) = (from.max(word * 64), to.min((word + 1) * 64));
            ((word % WORDS as u64) as usize, mask(first - word * 64, last - word * 64))
        });
        (page, words)
    })
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

#[cfg(test)]
mod tests;
