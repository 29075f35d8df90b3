//! A second run of a core, access by access, up to a place where it is stopped: what it did so far, and what is where.

use std::collections::VecDeque;
use std::ops::Range;

use neuron_device::{Access, Copied, DYNAMIC_RECORDS, HbmAddr, NxAddr, Run, Site, WindowTable};

use super::own::Own;
use crate::bitmap::Bitmap;
use crate::fault::{Fault, Line, Part, Verdict};
use crate::hbm::map::{SBUF, is_in_sbuf};
use crate::hbm::view::{Peeked, View};

/// The last accesses to an element that are kept, and the last ones at all.
pub(crate) const HISTORY: usize = 16;
const LAST: usize = 6;

/// Where a core is stopped.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    /// At its nth access, from 1, of this kind to one of these bytes.
    Access { access: Access, bytes: Range<u64>, nth: u64 },
    /// At the first access from one of these lines that touches one of `bytes`; if it is about `unwritten` ones, one that
    /// the core has not written itself before.
    Touch { lines: Vec<Line>, bytes: Bitmap, unwritten: bool },
    /// At the first fault like this one.
    Fault(Box<Fault>),
    /// Where it ends by itself.
    End,
}

/// One access.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// Which one of the core's, from 1.
    pub(crate) nth: u64,
    pub(crate) access: Access,
    pub(crate) addr: HbmAddr,
    pub(crate) bytes: u64,
    pub(crate) site: Site,
    /// The window it goes through, and the address in it.
    pub(crate) window: Option<(usize, NxAddr)>,
    /// The value read, or the one a write replaces.
    pub(crate) before: Peeked,
    /// Did the core write it, all of it, before?
    pub(crate) own: bool,
    /// The value written, once it is.
    pub(crate) after: Option<Peeked>,
}

/// How much a core did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Done {
    pub(crate) loads: u64,
    pub(crate) stores: u64,
    pub(crate) translations: u64,
    /// What each dynamic window shows.
    pub(crate) windows: [Option<HbmAddr>; DYNAMIC_RECORDS],
}

/// The place where it was stopped.
#[derive(Clone, Debug)]
pub(crate) struct Halt {
    pub(crate) done: Done,
    pub(crate) step: Option<Step>,
    pub(crate) fault: Option<Fault>,
}

/// Watches a core. What it does after the place asked for, until it can be stopped, is not noted.
#[derive(Debug)]
pub(crate) struct Watch {
    target: Target,
    /// Bytes all accesses to which are noted.
    element: Option<Range<u64>>,
    /// Accesses that were like the target's.
    pub(crate) met: u64,
    read: Bitmap,
    written: Own,
    /// The number of the first of the last writes, which are made but not yet looked at.
    pending: Option<u64>,
    /// Is the access that is made next at a local address, so that nothing is translated for it?
    pub(super) local: bool,
    pub(crate) done: Done,
    pub(crate) halt: Option<Halt>,
    pub(crate) history: VecDeque<Step>,
    /// Older accesses to the element.
    pub(crate) left_out: u64,
    pub(crate) last: VecDeque<Step>,
}

impl Watch {
    pub(crate) fn new(target: Target, element: Option<Range<u64>>) -> Self {
        Self {
            target,
            element,
            met: 0,
            read: Bitmap::default(),
            written: Own::default(),
            pending: None,
            local: false,
            done: Done::default(),
            halt: None,
            history: VecDeque::new(),
            left_out: 0,
            last: VecDeque::new(),
        }
    }

    /// The access that is made next. Is there a byte in it that was not accessed so before?
    pub(super) fn note(&mut self, run: &Run, view: &View) -> bool {
        self.settle(view);
        self.note_next(run, view)
    }

    /// A copy that is made next, element by element: none of them is made before all are noted. Is there a byte in it that
    /// was not accessed so before?
    pub(super) fn note_copy(&mut self, copy: &Copied, view: &View) -> bool {
        self.settle(view);
        let Copied { hbm, element, .. } = *copy;
        let (each, step) = (hbm.bytes / element, element as i64);
        let mut more = false;
        for at in 0..hbm.count * each {
            let (piece, within) = (at / each, at % each * element);
            let start = hbm.start.get().wrapping_add_signed(hbm.step.wrapping_mul(piece as i64)) + within;
            // A DMA engine translates nothing.
            self.local = copy.descriptors > 0;
            let run = Run { start: HbmAddr::new(start), step, count: 1, bytes: element, ..hbm };
            more |= self.note_next(&run, view);
        }
        more
    }

    fn note_next(&mut self, run: &Run, view: &View) -> bool {
        let local = std::mem::take(&mut self.local);
        if self.halt.is_some() {
            return true;
        }
        match run.access {
            Access::Read => self.done.loads += 1,
            Access::Write => self.done.stores += 1,
        }
        self.done.translations += u64::from(!local);
        let touched = run.start.get()..run.start.get() + run.bytes;
        let step = Step {
            nth: self.done.loads + self.done.stores,
            access: run.access,
            addr: run.start,
            bytes: run.bytes,
            site: run.site,
            window: self.window(run.start),
            before: view.peek(run.start.get(), run.bytes),
            own: touched.clone().all(|byte| self.written.holds(byte)),
            after: None,
        };
        if self.element.as_ref().is_some_and(|element| meet(element, &touched)) {
            self.left_out += u64::from(keep(&mut self.history, HISTORY, step));
        }
        keep(&mut self.last, LAST, step);
        if self.hits(&step, &touched) {
            self.halt = Some(Halt { done: self.done, step: Some(step), fault: None });
        }
        match run.access {
            Access::Read => self.read.insert(touched.start, touched.end),
            Access::Write => {
                self.pending = Some(self.pending.unwrap_or(step.nth));
                self.written.write(touched.start, touched.end)
            }
        }
    }

    fn hits(&mut self, step: &Step, touched: &Range<u64>) -> bool {
        match &self.target {
            Target::Access { access, bytes, nth } => {
                let is_like = *access == step.access && meet(bytes, touched);
                self.met += u64::from(is_like);
                is_like && self.met == *nth
            }
            Target::Touch { lines, bytes, unwritten } => {
                let part = if step.access == Access::Write { Part::Written } else { Part::Read };
                lines.contains(&Line::new(part, step.site))
                    && bytes.meets(touched.start, touched.end)
                    && !(*unwritten && step.own)
            }
            Target::Fault(_) | Target::End => false,
        }
    }

    /// One more fault of the core.
    pub(super) fn faulted(&mut self, fault: &Fault, view: &View) {
        self.settle(view);
        let circling = |fault: &Fault| fault.verdict == Verdict::NoProgress;
        // Where in its circle a core is stopped depends on how its accesses are told.
        let found = matches!(&self.target, Target::Fault(wanted)
            if wanted.is_like(fault) || circling(wanted) && circling(fault));
        if self.halt.is_none() && found {
            self.halt = Some(Halt { done: self.done, step: None, fault: Some(fault.clone()) });
        }
    }

    /// Can the core be stopped? A write has to be made first.
    pub(super) fn stops(&self) -> bool {
        self.halt.is_some() && self.pending.is_none()
    }

    /// The last access is made by now.
    pub(super) fn settle(&mut self, view: &View) {
        let Some(first) = self.pending.take() else { return };
        let halted = self.halt.as_mut().and_then(|halt| halt.step.as_mut());
        let kept = self.last.iter_mut().chain(&mut self.history).chain(halted);
        for step in kept.filter(|step| step.nth >= first && step.access == Access::Write) {
            step.after = Some(view.peek(step.addr.get(), step.bytes));
        }
    }

    /// The kernel took these bytes again.
    pub(super) fn allocated(&mut self, start: u64, end: u64) {
        self.written.allocate(start, end);
    }

    /// The kernel asked for a translation.
    pub(super) fn translated(&mut self) {
        if self.halt.is_none() {
            self.done.translations += 1;
        }
    }

    /// A window shows this from now on.
    pub(super) fn remapped(&mut self, record: usize, base: HbmAddr) {
        if self.halt.is_none() {
            self.done.windows[record] = Some(base);
        }
    }

    /// Which window shows this address, and where.
    fn window(&self, addr: HbmAddr) -> Option<(usize, NxAddr)> {
        let table = WindowTable::<()>::new([Some(HbmAddr::new(SBUF)), None]);
        let shows = |base: &Option<HbmAddr>| *base == Some(addr.window_base());
        let dynamic = || self.done.windows.iter().position(shows);
        let record = if is_in_sbuf(addr) { table.lookup(addr) } else { dynamic() }?;
        Some((record, table.local(record, addr)))
    }
}

fn meet(a: &Range<u64>, b: &Range<u64>) -> bool {
    a.start.max(b.start) < a.end.min(b.end)
}

/// Keep the last `most` steps. Was one dropped for it?
fn keep(steps: &mut VecDeque<Step>, most: usize, step: Step) -> bool {
    let full = steps.len() == most;
    if full {
        steps.pop_front();
    }
    steps.push_back(step);
    full
}
