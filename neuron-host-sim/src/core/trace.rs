//! A second run of a core, access by access, to find out what bitmaps cannot tell: what came first, and from which line.

use neuron_device::{Access, Run, Site};

use super::own::Own;
use crate::bitmap::{Bitmap, ranges};

/// Bytes by the line that did something to them.
pub(crate) type ByLine = Vec<(Site, Bitmap)>;

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

    /// The next access. Is there a byte in it that was not accessed so before?
    pub(super) fn note(&mut self, run: &Run) -> bool {
        let mut more = false;
        for range in ranges(run) {
            match run.access {
                Access::Write => more |= self.written.write(range.start, range.end),
                Access::Read => {
                    more |= self.read.insert(range.start, range.end);
                    for byte in range.clone() {
                        if self.suspects.meets(byte, byte + 1) && !self.written.holds(byte) {
                            insert(&mut self.uninitialised, run.site, byte, byte + 1);
                        }
                    }
                    if self.contended.meets(range.start, range.end) {
                        insert(&mut self.readers, run.site, range.start, range.end);
                    }
                }
            }
        }
        more
    }
}

fn insert(lines: &mut ByLine, site: Site, start: u64, end: u64) {
    let at = lines.iter().position(|(line, _)| **line == *site).unwrap_or_else(|| {
        lines.push((site, Bitmap::default()));
        lines.len() - 1
    });
    lines[at].1.insert(start, end);
}
