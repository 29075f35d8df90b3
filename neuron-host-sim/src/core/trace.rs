//! A second run of a core, access by access, to find out what bitmaps cannot tell: what came first, and from which line.

use neuron_device::{Access, Run, Site};

use super::own::Own;
use crate::bitmap::{Bitmap, ranges};
use crate::hbm::view::{Peeked, View};

/// Bytes by the line that did something to them.
pub(crate) type ByLine = Vec<(Site, Bitmap)>;

/// The first element that a line read before it was written, the one with the lowest address, and what the core wrote next.
///
/// What nobody wrote is zero, so equal bits alone say little; only the very next write is taken for a copy. A pattern in
/// its place would say more, and could send the kernel another way, or round and round.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FirstRead {
    pub(crate) site: Site,
    pub(crate) addr: u64,
    bits: Peeked,
    next: Next,
}

/// The core's next write.
#[derive(Clone, Copy, Debug)]
enum Next {
    NotYet,
    /// It is made, to this address from this line, and not looked at yet.
    Made(u64, Site),
    /// It had the same bits.
    Same(u64, Site),
    Other,
}

impl FirstRead {
    /// Where the core wrote the bits it read, if that is what it did next.
    pub(crate) fn copied(&self) -> Option<(u64, Site)> {
        match self.next {
            Next::Same(addr, site) => Some((addr, site)),
            _ => None,
        }
    }
}

/// What is asked of the second run, and what it answers.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    /// Bytes that held nothing before the launch and were read in it: had the core written them before?
    suspects: Bitmap,
    /// Bytes whose readers are looked for.
    contended: Bitmap,
    written: Own,
    read: Bitmap,
    /// Suspects that were read before the core wrote them, by the line that read.
    pub(crate) uninitialised: ByLine,
    /// The first of them of each line.
    pub(crate) first_reads: Vec<FirstRead>,
    /// Contended bytes, by the line that read them.
    pub(crate) readers: ByLine,
}

impl Trace {
    pub(crate) fn new(suspects: Bitmap, contended: Bitmap) -> Self {
        Self { suspects, contended, ..Self::default() }
    }

    /// The pages that were written, in rising order.
    pub(super) fn written_pages(&self) -> Vec<u64> {
        self.written.pages()
    }

    /// The kernel took these bytes again.
    pub(super) fn allocated(&mut self, start: u64, end: u64) {
        self.written.allocate(start, end);
    }

    /// The access that is made next. Is there a byte in it that was not accessed so before?
    pub(super) fn note(&mut self, run: &Run, view: &View) -> bool {
        self.settle(view);
        if run.access == Access::Write {
            for read in self.first_reads.iter_mut().filter(|read| matches!(read.next, Next::NotYet)) {
                let same_size = read.bits.as_slice().len() as u64 == run.bytes;
                // A sum is written to where it was read from, and no copy even if what was added is zero.
                read.next = if same_size && run.start.get() != read.addr {
                    Next::Made(run.start.get(), run.site)
                } else {
                    Next::Other
                };
            }
        }
        let mut more = false;
        for range in ranges(run) {
            match run.access {
                Access::Write => more |= self.written.write(range.start, range.end),
                Access::Read => {
                    more |= self.read.insert(range.start, range.end);
                    let mut unwritten = false;
                    for byte in range.clone() {
                        if self.suspects.meets(byte, byte + 1) && !self.written.holds(byte) {
                            insert(&mut self.uninitialised, run.site, byte, byte + 1);
                            unwritten = true;
                        }
                    }
                    if unwritten {
                        self.note_first(run.site, range.start, view.peek(range.start, run.bytes));
                    }
                    if self.contended.meets(range.start, range.end) {
                        insert(&mut self.readers, run.site, range.start, range.end);
                    }
                }
            }
        }
        more
    }

    fn note_first(&mut self, site: Site, addr: u64, bits: Peeked) {
        let read = FirstRead { site, addr, bits, next: Next::NotYet };
        match self.first_reads.iter_mut().find(|known| *known.site == *site) {
            Some(known) if addr < known.addr => *known = read,
            Some(_) => {}
            None => self.first_reads.push(read),
        }
    }

    /// The last access is made by now.
    pub(super) fn settle(&mut self, view: &View) {
        for read in &mut self.first_reads {
            if let Next::Made(addr, site) = read.next {
                let same = view.peek(addr, read.bits.as_slice().len() as u64) == read.bits;
                read.next = if same { Next::Same(addr, site) } else { Next::Other };
            }
        }
    }
}

fn insert(lines: &mut ByLine, site: Site, start: u64, end: u64) {
    let at = lines.iter().position(|(line, _)| **line == *site).unwrap_or_else(|| {
        lines.push((site, Bitmap::default()));
        lines.len() - 1
    });
    lines[at].1.insert(start, end);
}
