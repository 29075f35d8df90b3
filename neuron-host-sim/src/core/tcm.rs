//! What a core's TCM holds, by block, and what is under way to it and from it.

mod filled;
mod granule;
mod under_way;

use std::ops::Range;

use neuron_device::{Access, CoherencyPolicy, Copied, FreeError, HbmAddr, NxAddr, Site};

use self::filled::Filled;
pub(super) use self::under_way::Accesses;
use self::under_way::{Flight, Stream};
use crate::fault::{Fault, Line, Part, Path, Severity, Verdict};
use crate::subjects::Subjects;

/// What reports call a block of TCM.
const NAME: &str = "tcm";

/// Blocks given back that are remembered.
const FREED: usize = 64;

/// A block of TCM.
#[derive(Clone, Copy, Debug)]
struct Block {
    start: u32,
    bytes: u32,
    site: Site,
    /// The line that gave it back, if one did by hand.
    freed: Option<Site>,
}

impl Block {
    fn holds(&self, local: u32) -> bool {
        local.wrapping_sub(self.start) < self.bytes
    }

    const fn end(&self) -> u32 {
        self.start + self.bytes
    }

    /// The lines that took it and gave it back.
    fn lines(&self) -> impl Iterator<Item = Line> {
        let freed = self.freed.map(|site| Line::new(Part::Freed, site));
        freed.into_iter().chain([Line::new(Part::Allocated, self.site)])
    }
}

/// The TCM of one core in one launch.
#[derive(Debug, Default)]
pub(super) struct Tcm {
    blocks: Vec<Block>,
    freed: Vec<Block>,
    filled: Filled,
    flights: Vec<Flight>,
    streams: Vec<Stream>,
    policy: CoherencyPolicy,
}

impl Tcm {
    /// As at the start of an op.
    pub(super) fn reset(&mut self) {
        if !self.blocks.is_empty() || !self.freed.is_empty() {
            self.filled.clear();
        }
        self.blocks.clear();
        self.freed.clear();
        self.flights.clear();
        self.streams.clear();
        self.policy = CoherencyPolicy::default();
    }

    pub(super) fn allocated(&mut self, local: NxAddr, bytes: u64, site: Site) {
        let block = Block { start: local.get(), bytes: bytes as u32, site, freed: None };
        self.filled.set(&(block.start..block.end()), false);
        self.freed.retain(|freed| freed.end() <= block.start || block.end() <= freed.start);
        self.blocks.push(block);
    }

    /// A block is given back: what is wrong with that.
    pub(super) fn released(&mut self, op: &'static str, local: NxAddr, site: Option<Site>) -> Option<Fault> {
        let at = self.blocks.iter().position(|block| block.start == local.get())?;
        let block = Block { freed: site, ..self.blocks.swap_remove(at) };
        if self.freed.len() == FREED {
            self.freed.remove(0);
        }
        self.freed.push(block);
        let bytes = block.start..block.end();
        let flight = self.flights.iter().find(|flight| flight.suffers(Access::Write, &bytes))?;
        let started = Line::new(Part::Started, flight.site);
        let lines = block.lines().chain([started]).collect();
        Some(Fault { lines, ..fault(op, Verdict::FreedInFlight, Access::Write, local) })
    }

    /// Values are there.
    pub(super) fn filled(&mut self, local: NxAddr, bytes: u64) {
        self.filled.set(&(local.get()..local.get() + bytes as u32), true);
    }

    /// A copy is about to be made: what is wrong with its TCM side. `granule` is what a DMA engine moves at a time.
    pub(super) fn copied(&mut self, op: &'static str, copy: &Copied, granule: Option<u32>) -> Vec<Fault> {
        let local = copy.local.get()..copy.local.get() + copy.bytes() as u32;
        let (access, site) = (copy.hbm.access, copy.hbm.site);
        // What a copy from HBM does to TCM is a write there.
        let there = if access == Access::Read { Access::Write } else { Access::Read };
        let mut faults = Vec::new();
        if let Some(granule) = granule.filter(|_| copy.descriptors > 0) {
            faults.extend(self.granules(op, copy, granule));
        }
        faults.extend(self.meets_flight(op, there, &local, Path::Copy, site));
        match there {
            Access::Write => self.filled.set(&local, true),
            Access::Read => faults.extend(self.unwritten(op, &local, Path::Copy, site)),
        }
        if let Some(number) = copy.pending {
            let (from, bytes) = (copy.hbm.start.get(), copy.hbm.bytes);
            self.flights.push(Flight { copy: number, access, local, hbm: from..from + bytes, site });
        }
        faults
    }

    pub(super) fn awaited(&mut self, copy: u64) {
        self.flights.retain(|flight| flight.copy != copy);
    }

    pub(super) fn stream_opened(
        &mut self,
        (argument, storage): (&'static str, HbmAddr),
        access: Access,
        part: Range<u64>,
        site: Site,
    ) {
        self.streams.push(Stream { argument, storage, access, part, site });
    }

    pub(super) fn stream_closed(&mut self, storage: HbmAddr, opened: Site) {
        let is_it = |stream: &Stream| stream.storage == storage && *stream.site == *opened;
        if let Some(at) = self.streams.iter().position(is_it) {
            self.streams.remove(at);
        }
    }

    pub(super) fn policy_set(&mut self, policy: CoherencyPolicy) {
        self.policy = policy;
    }

    /// What is wrong with an access by hand, at a local address or by a copy, and whether it is made all the same. What a
    /// copy reads and meets is looked at when it is [made](Self::copied).
    pub(super) fn judge(
        &mut self,
        op: &'static str,
        access: Access,
        (local, bytes): (NxAddr, u64),
        path: Path,
        site: Site,
    ) -> (Vec<Fault>, bool) {
        let touched = local.get()..local.get() + bytes as u32;
        let line = line_of(access, site);
        let fault = |verdict, lines: Vec<Line>| Fault {
            path: Some(path),
            lines,
            ..fault(op, verdict, access, local)
        };
        let Some(block) = self.blocks.iter().find(|block| block.holds(touched.start)) else {
            let was = self.freed.iter().rev().find(|block| block.holds(touched.start));
            let verdict = if was.is_some() { Verdict::UsedAfterFree } else { Verdict::InNoBlock };
            let lines = [line].into_iter().chain(was.into_iter().flat_map(Block::lines)).collect();
            return (vec![fault(verdict, lines)], false);
        };
        if touched.end > block.end() {
            let first = overflow(local, touched.end - block.end());
            let lines = vec![line, Line::new(Part::Allocated, block.site)];
            return (vec![Fault { first, ..fault(Verdict::TcmOverrun, lines) }], false);
        }
        let mut faults = Vec::new();
        if path != Path::Copy {
            faults.extend(self.meets_flight(op, access, &touched, path, site));
            match access {
                Access::Write => self.filled.set(&touched, true),
                Access::Read => faults.extend(self.unwritten(op, &touched, path, site)),
            }
        }
        (faults, true)
    }

    /// What is wrong with something given back that begins no block, or not one of its own: was it one?
    pub(super) fn bad_free(&self, op: &'static str, local: NxAddr, error: FreeError, site: Site) -> Fault {
        let was = self.freed.iter().rev().find(|block| block.start == local.get());
        let was = was.filter(|_| error == FreeError::Free);
        let is = self.blocks.iter().find(|block| block.holds(local.get()));
        let verdict = if was.is_some() { Verdict::FreedTwice } else { Verdict::FreedNoBlock };
        let lines = was.or(is).into_iter().flat_map(Block::lines);
        let lines = [Line::new(Part::Freed, site)].into_iter().chain(lines).collect();
        Fault { lines, ..fault(op, verdict, Access::Write, local) }
    }

    /// An access to TCM meets a copy that is under way.
    fn meets_flight(
        &self,
        op: &'static str,
        access: Access,
        touched: &Range<u32>,
        path: Path,
        site: Site,
    ) -> Option<Fault> {
        let flight = self.flights.iter().find(|flight| flight.suffers(access, touched))?;
        let local = NxAddr::new(touched.start.max(flight.local.start));
        let lines = vec![line_of(access, site), Line::new(Part::Started, flight.site)];
        Some(Fault { lines, path: Some(path), ..fault(op, Verdict::TouchedInFlight, access, local) })
    }

    /// Can no access to HBM meet anything?
    pub(super) fn is_quiet(&self) -> bool {
        self.flights.is_empty() && self.streams.is_empty()
    }

    /// What is wrong with accesses to HBM: they meet a copy under way, or a stream.
    pub(super) fn meets(&self, op: &'static str, by: &Accesses, subjects: Subjects<'_>) -> Vec<Fault> {
        let fault = |verdict, severity, (first, bytes): (u64, u64), other: Line| {
            let of = subjects.at(first, by.access);
            // A copy by hand counts in bytes, and the author in elements.
            let each = of.map_or(1, |of| of.dtype.size()).max(by.each());
            Fault {
                access: by.access,
                count: bytes.div_ceil(each),
                lines: vec![line_of(by.access, by.site), other],
                path: by.copied.then_some(Path::Copy),
                ..Fault::new(op, verdict, severity).at(of, first)
            }
        };
        let mut faults = Vec::new();
        let mut flights = self.flights.iter().filter(|flight| flight.races(by.access));
        if let Some((flight, met)) = flights.find_map(|flight| Some((flight, by.meeting(&flight.hbm)?))) {
            let started = Line::new(Part::Started, flight.site);
            faults.push(fault(Verdict::TouchedInFlight, Severity::Error, met, started));
        }
        // A stream was judged when it was opened.
        if self.policy == CoherencyPolicy::IncoherentQuiet
            || self.streams.iter().any(|stream| *stream.site == *by.site)
        {
            return faults;
        }
        for stream in &self.streams {
            let Some(of) = subjects.named(stream.argument, stream.storage) else { continue };
            let writes = by.access == Access::Write || stream.access == Access::Write;
            let harmed = by.meeting(&stream.part).filter(|_| writes);
            // Of copies the rule says nothing: it is about accessors (`docs/machine.md`, section 6).
            let storage = of.storage.get()..of.storage.get() + of.bytes;
            let met = harmed.or_else(|| by.meeting(&storage).filter(|_| !by.copied));
            let severity = match (harmed, self.policy) {
                (Some(_), CoherencyPolicy::Coherent) => Severity::Error,
                _ => Severity::Warning,
            };
            if let Some(met) = met {
                let opened = Line::new(Part::StreamOpened, stream.site);
                faults.push(fault(Verdict::Incoherent, severity, met, opened));
            }
        }
        faults
    }

    /// A block of HBM scratch is given back while a copy there is under way: the line that began it.
    pub(super) fn under_way_at(&self, hbm: &Range<u64>) -> Option<Site> {
        let meet = |flight: &&Flight| flight.hbm.start.max(hbm.start) < flight.hbm.end.min(hbm.end);
        self.flights.iter().find(meet).map(|flight| flight.site)
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
                ..Fault::new(op, Verdict::NeverClosed, severity).at(of, stream.part.start)
            });
        }
        let in_flight = |block: &Block| self.flights.iter().any(|flight| block.holds(flight.local.start));
        let of_stream = |block: &Block| self.streams.iter().any(|stream| *stream.site == *block.site);
        for block in self.blocks.iter().filter(|block| !in_flight(block) && !of_stream(block)) {
            let local = NxAddr::new(block.start);
            faults.push(Fault {
                first: format!("{local}, {} bytes", block.bytes),
                severity: Severity::Warning,
                lines: block.lines().collect(),
                ..fault(op, Verdict::NeverFreed, Access::Write, local)
            });
        }
        faults
    }

    /// A read of bytes nobody wrote, if there are some among these.
    fn unwritten(&self, op: &'static str, read: &Range<u32>, path: Path, site: Site) -> Option<Fault> {
        let first = NxAddr::new(self.filled.first_missing(read)?);
        let block = self.blocks.iter().find(|block| block.holds(first.get()));
        let lines = block.into_iter().flat_map(Block::lines);
        Some(Fault {
            path: Some(path),
            lines: [Line::new(Part::Read, site)].into_iter().chain(lines).collect(),
            ..fault(op, Verdict::NeverInitialised, Access::Read, first)
        })
    }
}

/// A fault at a local address.
fn fault(op: &'static str, verdict: Verdict, access: Access, local: NxAddr) -> Fault {
    let first = local.to_string();
    Fault { access, argument: NAME, first, local: Some(local), ..Fault::new(op, verdict, Severity::Error) }
}

pub(super) fn line_of(access: Access, site: Site) -> Line {
    Line::new(if access == Access::Write { Part::Written } else { Part::Read }, site)
}

/// How far an access at `local` goes past the end of its block.
fn overflow(local: NxAddr, bytes: u32) -> String {
    format!("{local}, overflows the TCM block by {bytes} bytes")
}
