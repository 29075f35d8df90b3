//! What a core's TCM holds, by block, and what is under way to it and from it.

use std::ops::Range;

use neuron_device::{Access, CoherencyPolicy, Copied, Dataram, HbmAddr, NxAddr, Run, Site};

use crate::bitmap::mask;
use crate::fault::{Fault, Line, Part, Path, Severity, Verdict};
use crate::subjects::Subjects;

/// What reports call a block of TCM.
const NAME: &str = "tcm";

/// Words of a bitmap of all TCM, a bit a byte.
const WORDS: usize = Dataram::MOST_BYTES as usize / 64;

/// Blocks given back that are remembered.
const FREED: usize = 64;

/// A block of TCM.
#[derive(Clone, Copy, Debug)]
struct Block {
    start: u32,
    bytes: u32,
    site: Site,
}

impl Block {
    fn holds(&self, local: u32) -> bool {
        local.wrapping_sub(self.start) < self.bytes
    }

    const fn end(&self) -> u32 {
        self.start + self.bytes
    }
}

/// An asynchronous copy that was not waited for yet.
#[derive(Clone, Debug)]
pub(super) struct Flight {
    copy: u64,
    access: Access,
    local: Range<u32>,
    hbm: Range<u64>,
    site: Site,
}

impl Flight {
    /// May `access` touch these bytes of the copy's TCM meanwhile? What is copied to is nobody else's; what is copied from
    /// may be read.
    fn suffers(&self, access: Access, local: &Range<u32>) -> bool {
        let meet = self.local.start.max(local.start) < self.local.end.min(local.end);
        meet && (self.access == Access::Read || access == Access::Write)
    }
}

/// A stream that is open.
#[derive(Clone, Copy, Debug)]
struct Stream {
    argument: &'static str,
    storage: HbmAddr,
    access: Access,
    policy: CoherencyPolicy,
    site: Site,
}

/// The TCM of one core in one launch.
#[derive(Debug)]
pub(super) struct Tcm {
    blocks: Vec<Block>,
    freed: Vec<Block>,
    /// Bytes that hold a value.
    filled: Box<[u64; WORDS]>,
    flights: Vec<Flight>,
    streams: Vec<Stream>,
}

impl Default for Tcm {
    fn default() -> Self {
        Self {
            blocks: Vec::new(),
            freed: Vec::new(),
            filled: Box::new([0; WORDS]),
            flights: Vec::new(),
            streams: Vec::new(),
        }
    }
}

impl Tcm {
    /// As at the start of an op.
    pub(super) fn reset(&mut self) {
        if !self.blocks.is_empty() || !self.freed.is_empty() {
            self.filled.fill(0);
        }
        self.blocks.clear();
        self.freed.clear();
        self.flights.clear();
        self.streams.clear();
    }

    pub(super) fn allocated(&mut self, local: NxAddr, bytes: u64, site: Site) {
        let block = Block { start: local.get(), bytes: bytes as u32, site };
        self.set(block.start..block.end(), false);
        self.freed.retain(|freed| freed.end() <= block.start || block.end() <= freed.start);
        self.blocks.push(block);
    }

    pub(super) fn released(&mut self, local: NxAddr) {
        let Some(at) = self.blocks.iter().position(|block| block.start == local.get()) else { return };
        let block = self.blocks.swap_remove(at);
        if self.freed.len() == FREED {
            self.freed.remove(0);
        }
        self.freed.push(block);
    }

    /// Values are there.
    pub(super) fn filled(&mut self, local: NxAddr, bytes: u64) {
        self.set(local.get()..local.get() + bytes as u32, true);
    }

    /// A copy is about to be made: what is wrong with its TCM side.
    pub(super) fn copied(&mut self, op: &'static str, copy: &Copied) -> Option<Fault> {
        let local = copy.local.get()..copy.local.get() + copy.bytes() as u32;
        if let Some(number) = copy.pending {
            let (from, bytes) = (copy.hbm.start.get(), copy.hbm.bytes);
            let (access, site) = (copy.hbm.access, copy.hbm.site);
            let hbm = from..from + bytes;
            self.flights.push(Flight { copy: number, access, local: local.clone(), hbm, site });
        }
        match copy.hbm.access {
            Access::Read => {
                self.set(local, true);
                None
            }
            Access::Write => self.unwritten(op, &local, Path::Copy, copy.hbm.site),
        }
    }

    pub(super) fn awaited(&mut self, copy: u64) {
        self.flights.retain(|flight| flight.copy != copy);
    }

    pub(super) fn stream_opened(
        &mut self,
        (argument, storage): (&'static str, HbmAddr),
        access: Access,
        policy: CoherencyPolicy,
        site: Site,
    ) {
        self.streams.push(Stream { argument, storage, access, policy, site });
    }

    pub(super) fn stream_closed(&mut self, storage: HbmAddr, opened: Site) {
        let is_it = |stream: &Stream| stream.storage == storage && *stream.site == *opened;
        if let Some(at) = self.streams.iter().position(is_it) {
            self.streams.remove(at);
        }
    }

    /// What is wrong with an access at a local address, and whether it is made all the same.
    pub(super) fn judge(
        &mut self,
        op: &'static str,
        access: Access,
        (local, bytes): (NxAddr, u64),
        path: Path,
        site: Site,
    ) -> (Vec<Fault>, bool) {
        let part = if access == Access::Write { Part::Written } else { Part::Read };
        let touched = local.get()..local.get() + bytes as u32;
        let fault = |verdict, lines: Vec<Line>| Fault {
            access,
            argument: NAME,
            first: local.to_string(),
            local: Some(local),
            path: Some(path),
            lines,
            ..Fault::new(op, verdict, Severity::Error)
        };
        let line = Line::new(part, site);
        let Some(block) = self.blocks.iter().find(|block| block.holds(touched.start)) else {
            let was = self.freed.iter().rev().find(|block| block.holds(touched.start));
            let verdict = if was.is_some() { Verdict::UsedAfterFree } else { Verdict::InNoBlock };
            let allocated = was.map(|block| Line::new(Part::Allocated, block.site));
            return (vec![fault(verdict, [line].into_iter().chain(allocated).collect())], false);
        };
        let allocated = Line::new(Part::Allocated, block.site);
        if touched.end > block.end() {
            let over = touched.end - block.end();
            let first = format!("{local}, {over} bytes past the block's end");
            return (vec![Fault { first, ..fault(Verdict::TcmOverrun, vec![line, allocated]) }], false);
        }
        let mut faults = Vec::new();
        if let Some(flight) = self.flights.iter().find(|flight| flight.suffers(access, &touched)) {
            faults.push(fault(Verdict::TouchedInFlight, vec![line, Line::new(Part::Started, flight.site)]));
        }
        match access {
            Access::Write => self.set(touched, true),
            Access::Read => faults.extend(self.unwritten(op, &touched, path, site)),
        }
        (faults, true)
    }

    /// What is wrong with an access to HBM: it meets a copy under way, or a stream.
    pub(super) fn meets(&self, op: &'static str, run: &Run, subjects: Subjects<'_>) -> Vec<Fault> {
        if self.flights.is_empty() && self.streams.is_empty() {
            return Vec::new();
        }
        let last = run.start.get().wrapping_add_signed(run.step.wrapping_mul(run.count as i64 - 1));
        let touched = run.start.get().min(last)..run.start.get().max(last) + run.bytes;
        let meets = |other: &Range<u64>| touched.start.max(other.start) < touched.end.min(other.end);
        let part = if run.access == Access::Write { Part::Written } else { Part::Read };
        let fault = |verdict, severity, other: Line| Fault {
            access: run.access,
            count: run.count,
            lines: vec![Line::new(part, run.site), other],
            ..Fault::new(op, verdict, severity).at(subjects.at(run.start.get(), run.access), run.start.get())
        };
        let mut faults = Vec::new();
        let harms = |flight: &&Flight| {
            let writes = flight.access == Access::Write || run.access == Access::Write;
            writes && meets(&flight.hbm) && *flight.site != *run.site
        };
        if let Some(flight) = self.flights.iter().find(harms) {
            let started = Line::new(Part::Started, flight.site);
            faults.push(fault(Verdict::TouchedInFlight, Severity::Error, started));
        }
        for stream in self.streams.iter().filter(|stream| *stream.site != *run.site) {
            let Some(of) = subjects.named(stream.argument, stream.storage) else { continue };
            let severity = match stream.policy {
                CoherencyPolicy::Coherent => Severity::Error,
                CoherencyPolicy::IncoherentVerbose => Severity::Warning,
                CoherencyPolicy::IncoherentQuiet => continue,
            };
            if meets(&(of.storage.get()..of.storage.get() + of.bytes)) {
                faults.push(fault(Verdict::Incoherent, severity, Line::new(Part::StreamOpened, stream.site)));
            }
        }
        faults
    }

    /// What is left when the op is over.
    pub(super) fn left(&self, op: &'static str, subjects: Subjects<'_>) -> Vec<Fault> {
        let mut faults = Vec::new();
        for flight in &self.flights {
            let bytes = flight.hbm.end - flight.hbm.start;
            let of = subjects.at(flight.hbm.start, flight.access);
            let mut fault = Fault {
                access: flight.access,
                lines: vec![Line::new(Part::Started, flight.site)],
                ..Fault::new(op, Verdict::NeverAwaited, Severity::Error).at(of, flight.hbm.start)
            };
            fault.first = format!("{}, {bytes} bytes", fault.first);
            faults.push(fault);
        }
        for stream in &self.streams {
            let of = subjects.named(stream.argument, stream.storage);
            let severity = if stream.access == Access::Write { Severity::Error } else { Severity::Warning };
            faults.push(Fault {
                access: stream.access,
                lines: vec![Line::new(Part::StreamOpened, stream.site)],
                ..Fault::new(op, Verdict::NeverClosed, severity).at(of, stream.storage.get())
            });
        }
        let in_flight = |block: &Block| self.flights.iter().any(|flight| block.holds(flight.local.start));
        let of_stream = |block: &Block| self.streams.iter().any(|stream| *stream.site == *block.site);
        for block in self.blocks.iter().filter(|block| !in_flight(block) && !of_stream(block)) {
            let local = NxAddr::new(block.start);
            faults.push(Fault {
                access: Access::Write,
                argument: NAME,
                first: format!("{local}, {} bytes", block.bytes),
                local: Some(local),
                lines: vec![Line::new(Part::Allocated, block.site)],
                ..Fault::new(op, Verdict::NeverFreed, Severity::Warning)
            });
        }
        faults
    }

    /// A read of bytes nobody wrote, if there are some among these.
    fn unwritten(&self, op: &'static str, read: &Range<u32>, path: Path, site: Site) -> Option<Fault> {
        let first = NxAddr::new(self.first_unfilled(read)?);
        let block = self.blocks.iter().find(|block| block.holds(first.get()));
        let allocated = block.map(|block| Line::new(Part::Allocated, block.site));
        Some(Fault {
            access: Access::Read,
            argument: NAME,
            first: first.to_string(),
            local: Some(first),
            path: Some(path),
            lines: [Line::new(Part::Read, site)].into_iter().chain(allocated).collect(),
            ..Fault::new(op, Verdict::NeverInitialised, Severity::Error)
        })
    }

    /// The first of these bytes that holds no value.
    fn first_unfilled(&self, bytes: &Range<u32>) -> Option<u32> {
        let base = Dataram::BASE.get();
        if self.filled[whole_words(bytes)].iter().all(|&word| word == u64::MAX)
            && ragged_words(bytes).all(|(word, mask)| self.filled[word] & mask == mask)
        {
            return None;
        }
        words(bytes).find_map(|(word, mask)| {
            let missing = !self.filled[word] & mask;
            (missing != 0).then(|| base + word as u32 * 64 + missing.trailing_zeros())
        })
    }

    /// Note for each of these bytes whether it holds a value.
    fn set(&mut self, bytes: Range<u32>, filled: bool) {
        self.filled[whole_words(&bytes)].fill(if filled { u64::MAX } else { 0 });
        for (word, mask) in ragged_words(&bytes) {
            let bits = &mut self.filled[word];
            *bits = if filled { *bits | mask } else { *bits & !mask };
        }
    }
}

/// The words all of whose bytes are among these.
fn whole_words(bytes: &Range<u32>) -> Range<usize> {
    let base = Dataram::BASE.get();
    let start = ((bytes.start - base) as usize).div_ceil(64);
    start..((bytes.end - base) as usize / 64).max(start)
}

/// The first and the last word, if not all of their bytes are among these, each with the mask of its part.
fn ragged_words(bytes: &Range<u32>) -> impl Iterator<Item = (usize, u64)> + use<> {
    let (start, end) = (bytes.start, bytes.end);
    let up = start.next_multiple_of(64).min(end);
    let down = (end / 64 * 64).max(up);
    [start..up, down..end].into_iter().flat_map(|part| words(&part))
}

/// The words of these bytes, each with the mask of its part.
fn words(bytes: &Range<u32>) -> impl Iterator<Item = (usize, u64)> + use<> {
    let base = Dataram::BASE.get();
    let (start, end) = (u64::from(bytes.start - base), u64::from(bytes.end - base));
    (start / 64..end.div_ceil(64)).map(move |word| {
        let (from, to) = (start.max(word * 64), end.min((word + 1) * 64));
        (word as usize, mask(from - word * 64, to - word * 64))
    })
}
