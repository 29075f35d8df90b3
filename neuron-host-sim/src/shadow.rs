//! What a core read and wrote: which bytes, and from which lines it wrote them.

use std::borrow::Cow;

use neuron_device::{Access, Run, Site};
use rustc_hash::FxHashSet;

use crate::bitmap::{Bitmap, Bits, words};

/// Bytes read and written by one core in one launch.
///
/// A line of source that writes has its own bitmap, and a kernel has few of them: so each byte's line is known without
/// keeping one a byte.
#[derive(Debug, Default)]
pub(crate) struct Shadow {
    lines: Vec<(Site, Bitmap)>,
    reads: Bitmap,
    /// What was written before the last accessor was opened. Runs are told when they are over, not access by access;
    /// but every run is told when an accessor is opened, so one told later began later.
    settled: Bitmap,
    /// Pages written since.
    unsettled: FxHashSet<u64>,
    /// Bytes of which every read came after the core's own write.
    excused: Bitmap,
    /// Bytes the core wrote, gave back and took again. Which of its reads came after a write is not known.
    again: Bitmap,
}

impl Shadow {
    /// The core accessed these. Is there a byte among them it had not read, or not written from this line?
    pub(crate) fn note(&mut self, run: &Run) -> bool {
        match run.access {
            Access::Read => self.note_reads(run),
            Access::Write => self.note_writes(run),
        }
    }

    fn note_reads(&mut self, run: &Run) -> bool {
        if !self.settled.is_empty() {
            for range in crate::bitmap::ranges(run) {
                self.excuse(range.start, range.end);
            }
        }
        self.reads.insert_run(run)
    }

    /// Reads of `start..end` are of what the core wrote itself, where it had and did not read before.
    fn excuse(&mut self, start: u64, end: u64) {
        for (page, words) in words(start, end) {
            let Some(settled) = self.settled.page(page) else { continue };
            let mut bits = crate::bitmap::NONE;
            let reads = self.reads.page(page);
            for (word, mask) in words {
                bits[word] = mask & settled[word] & !reads.map_or(0, |reads| reads[word]);
            }
            self.excused.insert_bits(page, &bits);
        }
    }

    fn note_writes(&mut self, run: &Run) -> bool {
        for range in crate::bitmap::ranges(run) {
            self.unsettled.extend(words(range.start, range.end).map(|(page, _)| page));
        }
        self.line(run.site).insert_run(run)
    }

    /// As [`note`](Self::note), of a copy: every run that began before was told, and whatever is told from here on began
    /// after it.
    pub(crate) fn note_copy(&mut self, run: &Run) -> bool {
        self.settle();
        match run.access {
            Access::Read => self.note_reads(run),
            Access::Write => {
                for range in crate::bitmap::ranges(run) {
                    self.settled.insert(range.start, range.end);
                }
                self.line(run.site).insert_run(run)
            }
        }
    }

    /// What was written from this line.
    fn line(&mut self, line: Site) -> &mut Bitmap {
        let at = self.lines.iter().position(|(site, _)| **site == *line).unwrap_or_else(|| {
            self.lines.push((line, Bitmap::default()));
            self.lines.len() - 1
        });
        &mut self.lines[at].1
    }

    /// The core allocated these bytes, and every run before was told.
    pub(crate) fn allocate(&mut self, start: u64, end: u64) {
        if self.sites(start, end).next().is_some() {
            self.again.insert(start, end);
        }
    }

    /// An accessor is about to be opened, and every run before it was told.
    pub(crate) fn settle(&mut self) {
        for page in self.unsettled.drain() {
            for (_, bitmap) in &self.lines {
                if let Some(bits) = bitmap.page(page) {
                    self.settled.insert_bits(page, bits);
                }
            }
        }
    }

    /// Every byte that was read.
    pub(crate) fn reads(&self) -> &Bitmap {
        &self.reads
    }

    /// The bytes of this page that were read, but for those the core surely wrote before.
    pub(crate) fn unexcused_reads(&self, page: u64) -> Option<Bits> {
        let mut bits = *self.reads.page(page)?;
        if let Some(excused) = self.excused.page(page) {
            let again = self.again.page(page).unwrap_or(&crate::bitmap::NONE);
            let excused = excused.iter().zip(again).map(|(excused, again)| excused & !again);
            bits.iter_mut().zip(excused).for_each(|(word, excused)| *word &= !excused);
        }
        Some(bits)
    }

    /// Every page that was written, in rising order, each once.
    pub(crate) fn written_pages(&self) -> Vec<u64> {
        let mut pages: Vec<u64> = self.lines.iter().flat_map(|(_, bitmap)| bitmap.numbers()).collect();
        pages.sort_unstable();
        pages.dedup();
        pages
    }

    /// The bytes of this page that were written, from any line; `None` if none was.
    pub(crate) fn written(&self, page: u64) -> Option<Cow<'_, Bits>> {
        let mut pages = self.lines.iter().filter_map(|(_, bitmap)| bitmap.page(page));
        let mut bits = Cow::Borrowed(pages.next()?);
        for more in pages {
            bits.to_mut().iter_mut().zip(more).for_each(|(word, more)| *word |= more);
        }
        Some(bits)
    }

    /// Was anything of this page written?
    pub(crate) fn wrote(&self, page: u64) -> bool {
        self.lines.iter().any(|(_, bitmap)| bitmap.page(page).is_some())
    }

    /// Bytes of memory its bitmaps take.
    #[cfg(test)]
    pub(crate) fn memory(&self) -> usize {
        let lines: usize = self.lines.iter().map(|(_, bitmap)| bitmap.memory()).sum();
        let unsettled = self.unsettled.capacity() * 8 / 7 * (size_of::<u64>() + 1);
        lines + self.reads.memory() + self.settled.memory() + unsettled + self.excused.memory()
    }

    /// How many bytes were touched.
    #[cfg(test)]
    pub(crate) fn touched(&self) -> u64 {
        let mut touched = self.reads.clone();
        for page in self.written_pages() {
            self.written(page).iter().for_each(|bits| touched.insert_bits(page, bits));
        }
        let ones =
            |page: u64| touched.page(page).into_iter().flatten().map(|word| u64::from(word.count_ones()));
        touched.numbers().into_iter().flat_map(ones).sum()
    }

    /// The lines that wrote to `start..end`, in the order they first wrote anything.
    pub(crate) fn sites(&self, start: u64, end: u64) -> impl Iterator<Item = Site> {
        self.lines.iter().filter(move |(_, bitmap)| bitmap.meets(start, end)).map(|(site, _)| *site)
    }
}

#[cfg(test)]
mod tests;
