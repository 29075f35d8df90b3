//! What a core tells of its kernel, and what becomes of it: marks in its log, and faults.

use std::panic::resume_unwind;

use neuron_device::{
    Access, Copied, Counters, Dtype, Handle, HbmAddr, Layout, NxAddr, Observer, RawPath, Returned, Run, Site,
    Staged, Wants,
};

use super::elsewhere::Elsewhere;
use super::idle::{self, Idle};
use super::log::Opening;
use super::raw::{self, RawAccess};
use super::tcm::Accesses;
use super::watch::Watch;
use super::{Core, POISON, Stop};
use crate::fault::{Fault, Line, Part, Path, Severity, Verdict};
use crate::portability;
use crate::subjects::{Role, Subject, Subjects};

impl Core {
    /// The core has new bytes on its scratch.
    fn made(&mut self, subject: Subject) {
        let range = subject.storage.get()..subject.storage.get() + subject.bytes;
        if let Some(poison) = self.plan.as_ref().and_then(|plan| plan.poison)
            && self.checked
        {
            self.view.fill(range.clone(), poison);
            self.log.poisoned.push(range.clone());
        }
        match (&mut self.watch, &mut self.trace) {
            (Some(watch), _) => watch.allocated(range.start, range.end),
            (None, Some(trace)) => trace.allocated(range.start, range.end),
            (None, None) => self.log.shadow.allocate(range.start, range.end),
        }
        self.log.made.push(subject);
    }

    /// An access to HBM met what is under way.
    fn add_meetings(&mut self, accesses: &Accesses) {
        let Some(plan) = &self.plan else { return };
        let subjects = Subjects { passed: &plan.subjects, made: &self.log.made };
        let faults = self.tcm.meets(plan.op.name(), accesses, subjects);
        // The core is stopped at its next checkpoint, if at all: this may be told in the middle of anything.
        faults.into_iter().for_each(|fault| _ = self.note(fault));
    }

    /// The kernel copies: as far as HBM is concerned, it accesses elements.
    fn copied(&mut self, copy: &Copied) {
        let Copied { hbm, element, .. } = *copy;
        if self.view.native(hbm.start, 1).is_none() {
            // A fault of the translation, and no bytes of HBM.
            return;
        }
        let whole = if hbm.count == 1 {
            Run { step: element as i64, count: hbm.bytes / element, bytes: element, ..hbm }
        } else {
            hbm
        };
        if hbm.access == Access::Write
            && self.checked
            && let Some(plan) = &self.plan
        {
            let subjects = Subjects { passed: &plan.subjects, made: &self.log.made };
            if let Some(of) = subjects.at(hbm.start.get(), Access::Write) {
                self.log.open(Opening { storage: of.storage, site: hbm.site });
            }
        }
        if let Some(watch) = &mut self.watch {
            let more = watch.note_copy(copy, &self.view);
            self.idle = if more { Idle::default() } else { self.idle.longer_by(&whole) };
            return;
        }
        if self.trace.is_some() {
            // Who asks for every access gets every element.
            let each = hbm.bytes / element;
            for at in 0..hbm.count * each {
                let (piece, within) = (at / each, at % each * element);
                let start = hbm.start.get().wrapping_add_signed(hbm.step.wrapping_mul(piece as i64)) + within;
                let step = element as i64;
                self.note_run(&Run { start: HbmAddr::new(start), step, count: 1, bytes: element, ..hbm });
            }
            return;
        }
        let more = self.log.shadow.note_copy(&whole);
        self.idle = if more { Idle::default() } else { self.idle.longer_by(&whole) };
    }

    pub(super) fn note_run(&mut self, run: &Run) {
        let more = match (&mut self.watch, &mut self.trace) {
            (Some(watch), _) => watch.note(run, &self.view),
            (None, Some(trace)) => trace.note(run, &self.view),
            (None, None) => self.log.shadow.note(run),
        };
        self.idle = if more { Idle::default() } else { self.idle.longer_by(run) };
    }
}

impl Observer for Core {
    fn wants(&self) -> Wants {
        let at_each = self.checked && self.elsewhere.as_ref().is_some_and(Elsewhere::looks_at_each);
        if self.trace.is_some() || self.watch.is_some() || at_each {
            Wants::EveryAccess
        } else if self.checked || self.elsewhere.is_some() {
            Wants::Runs
        } else {
            Wants::Nothing
        }
    }

    fn wants_progress(&self) -> bool {
        self.log.clock.is_some()
    }

    fn progressed(&mut self, counters: &Counters) {
        if let Some(clock) = &mut self.log.clock {
            clock.progressed(counters);
        }
    }

    fn allocated(&mut self, storage: HbmAddr, dtype: Dtype, layout: &Layout, site: Site) {
        let subject = Subject {
            name: "scratch",
            role: Role::Scratch(self.id),
            storage,
            bytes: layout.numel() * dtype.size(),
            dtype,
            layout: *layout,
            allocated: Some(site),
            freed: None,
        };
        if let Some(plan) = &self.plan {
            let faults = portability::made(plan, self.count, &subject);
            faults.into_iter().for_each(|fault| _ = self.note(fault));
        }
        self.made(subject);
    }

    fn taken(&mut self, storage: HbmAddr, bytes: u64, site: Site) {
        // A core has at most 1 GiB.
        let layout = Layout::contiguous(&[bytes as u32]).expect("one dimension");
        self.made(Subject {
            name: "scratch",
            role: Role::Block(self.id),
            storage,
            bytes,
            dtype: Dtype::U8,
            layout,
            allocated: Some(site),
            freed: None,
        });
    }

    fn released(&mut self, storage: HbmAddr, site: Site) {
        let block = self.log.made.iter_mut().rev().find(|subject| subject.storage == storage);
        let (Some(block), Some(plan)) = (block, &self.plan) else { return };
        block.freed = Some(site);
        if let Some(started) = self.tcm.under_way_at(&(storage.get()..storage.get() + block.bytes)) {
            let lines = [
                (Part::Freed, Some(site)),
                (Part::Allocated, block.allocated),
                (Part::Started, Some(started)),
            ];
            let lines = lines.into_iter().filter_map(|(part, site)| Some(Line::new(part, site?))).collect();
            let fault = Fault {
                access: Access::Write,
                lines,
                ..Fault::new(plan.op.name(), Verdict::FreedInFlight, Severity::Error)
                    .at(Some(block), storage.get())
            };
            let _ = self.note(fault);
        }
    }

    fn opened(&mut self, argument: &'static str, storage: HbmAddr, access: Access, site: Site) {
        self.log.first_opened.get_or_insert((argument, site));
        if let Some(plan) = &self.plan {
            let subject = Subjects { passed: &plan.subjects, made: &self.log.made }.named(argument, storage);
            // The core is stopped at its next checkpoint, if at all.
            let fault = portability::opened(plan, self.count, (argument, subject), access, site);
            fault.into_iter().for_each(|fault| _ = self.note(fault));
        }
        if self.checked && access == Access::Write {
            self.log.open(Opening { storage, site });
        }
        self.log.shadow.settle();
    }

    fn translated(&mut self, addr: HbmAddr, local: NxAddr, site: Site) {
        self.translations.translated(addr, local, site);
        if let Some(watch) = &mut self.watch {
            watch.translated();
        }
    }

    fn remapped(&mut self, record: usize, addr: HbmAddr, site: Site) {
        if let Some(clock) = &mut self.log.clock {
            clock.remapped(record, addr, site);
        }
        self.translations.remapped(record, addr, site);
        if let Some(watch) = &mut self.watch {
            watch.remapped(record, addr);
        }
    }

    fn raw_access(&mut self, path: RawPath, access: Access, addr: HbmAddr, bytes: u64, site: Site) -> bool {
        self.copying = matches!(path, RawPath::Copy { .. });
        let Some(plan) = &self.plan else { return true };
        let access = RawAccess { path, access, addr, bytes, site };
        let subjects = Subjects { passed: &plan.subjects, made: &self.log.made };
        let judged = raw::judge((plan.op.name(), plan.profile), &access, &self.translations, subjects);
        let may = judged.iter().all(|fault| fault.severity < Severity::Error || access.lands_anyway(fault));
        // Together, cores write to what is put back if there is a fault, and to nothing else.
        let may = may && !(plan.together && access.access == Access::Write && !judged.is_empty());
        for fault in judged {
            self.add(fault);
        }
        if let Some(watch) = &mut self.watch {
            watch.local = may && matches!(path, RawPath::Local(_));
        }
        may
    }

    fn raw_tcm_access(&mut self, access: Access, local: NxAddr, bytes: u64, site: Site) -> bool {
        let path = if std::mem::take(&mut self.copying) { Path::Copy } else { Path::LocalAddress };
        let (Some(plan), true) = (&self.plan, self.checked) else { return true };
        let (faults, may) = self.tcm.judge(plan.op.name(), access, (local, bytes), path, site);
        faults.into_iter().for_each(|fault| self.add(fault));
        may
    }

    fn staged(&mut self, event: &Staged) {
        if let Some(clock) = &mut self.log.clock {
            match event {
                Staged::Copied(copy) => clock.copied(copy),
                Staged::Awaited { copy, site } => clock.awaited(*copy, site),
                Staged::Computed(work) => clock.computed(*work),
                Staged::Fenced => clock.fenced(),
                Staged::Swept { bytes, site, .. } => clock.swept(*bytes, site),
                _ => {}
            }
        }
        if let (Staged::Allocated { local, bytes, .. }, Some(plan), true) = (event, &self.plan, self.checked)
        {
            self.memory.fill(*local, *bytes, plan.poison.unwrap_or(POISON));
        }
        if let Some(elsewhere) = &mut self.elsewhere {
            elsewhere.staged(event, &self.memory);
        }
        let (Some(plan), true) = (&self.plan, self.checked) else { return };
        let op = plan.op.name();
        match *event {
            Staged::Allocated { local, bytes, site } => {
                self.tcm.allocated(local, bytes, site);
            }
            Staged::Freed { local, site } => {
                let fault = self.tcm.released(op, local, site);
                // What is dropped as the core is stopped, the kernel did not give back.
                if let (Some(fault), false) = (fault, std::thread::panicking()) {
                    let _ = self.note(fault);
                }
            }
            Staged::Filled { local, bytes } => self.tcm.filled(local, bytes),
            Staged::Copied(copy) => {
                let granule = plan.what_if.dma_granule;
                if !self.tcm.is_quiet() {
                    self.add_meetings(&Accesses::of_copy(&copy));
                }
                let faults = self.tcm.copied(op, &copy, granule);
                faults.into_iter().for_each(|fault| _ = self.note(fault));
                self.copied(&copy);
                self.copied_elsewhere(&copy);
            }
            Staged::Computed(_) | Staged::Fenced | Staged::Swept { .. } => {}
            Staged::Awaited { copy, .. } => self.tcm.awaited(copy),
            Staged::StreamOpened { argument, storage, access, start, bytes, site, .. } => {
                let part = start.get()..start.get() + bytes;
                self.tcm.stream_opened((argument, storage), access, part, site);
            }
            Staged::PolicySet { policy } => self.tcm.policy_set(policy),
            Staged::StreamClosed { storage, opened } => self.tcm.stream_closed(storage, opened),
            Staged::Incoherent { argument, storage, opening, opened, site, .. } => {
                let subjects = Subjects { passed: &plan.subjects, made: &self.log.made };
                let of = subjects.named(argument, storage);
                let part =
                    if opening == Handle::Accessor { Part::AccessorOpened } else { Part::StreamOpened };
                let lines = vec![Line::new(part, site), Line::new(Part::StreamOpened, opened)];
                let fault = Fault {
                    lines,
                    ..Fault::new(plan.op.name(), Verdict::OpenedBeside, Severity::Warning)
                        .at(of, storage.get())
                };
                let _ = self.note(fault);
            }
            // `Staged` may grow; this simulator is built with the device crate it watches.
            ref other => unreachable!("an event this simulator does not know: {other:?}"),
        }
    }

    fn run(&mut self, run: &Run) {
        if !self.checked {
            return;
        }
        if !self.tcm.is_quiet() {
            self.add_meetings(&Accesses::of_run(run));
        }
        if self.elsewhere.is_some() {
            self.add_not_yet_visible(&Accesses::of_run(run));
        }
        self.note_run(run);
    }

    fn checkpoint(&mut self) {
        if std::thread::panicking() {
            return;
        }
        if self.watch.as_ref().is_some_and(Watch::stops) {
            resume_unwind(Box::new(Stop::Watched));
        }
        if self.log.faults.is_full() {
            // It may have come to its limit where it could not be stopped.
            resume_unwind(Box::new(Stop::Faults));
        }
        let (Some(plan), Some(run)) = (&self.plan, self.idle.run) else { return };
        if self.idle.accesses > plan.patience {
            let subjects = Subjects { passed: &plan.subjects, made: &self.log.made };
            let fault = idle::fault(plan.op.name(), &run, self.idle.accesses, subjects);
            // What the core did before may have taken it to its limit of faults; it stops anyway.
            let _ = self.note(fault);
            resume_unwind(Box::new(Stop::NoProgress));
        }
    }

    fn returned(&mut self, returned: &Returned) {
        let Some(plan) = &self.plan else { return };
        let fault = match *returned {
            Returned::Copied { output, site } => {
                self.log.returned = true;
                // Also of a core that wrote nothing: it is one of those that should have.
                if self.checked {
                    self.log.open(Opening { storage: output, site });
                }
                return;
            }
            Returned::Ignored { argument, storage, taken } => {
                let subjects = Subjects { passed: &plan.subjects, made: &self.log.made };
                Fault {
                    access: Access::Write,
                    lines: vec![Line::new(Part::Taken, taken)],
                    ..Fault::new(plan.op.name(), Verdict::ReturnIgnored, Severity::Warning)
                        .at(subjects.named(argument, storage), storage.get())
                }
            }
            Returned::Undefined => Fault {
                access: Access::Write,
                argument: plan.op.form().output(),
                first: "all of it".to_owned(),
                ..Fault::new(plan.op.name(), Verdict::OutputUndefined, Severity::Error)
            },
        };
        let _ = self.note(fault);
    }

    fn retired(&mut self, counters: &Counters) {
        self.log.counters = *counters;
        if let Some(clock) = &mut self.log.clock {
            clock.ended(counters);
        }
        if let Some(watch) = &mut self.watch {
            watch.settle(&self.view);
        }
        if let Some(trace) = &mut self.trace {
            trace.settle(&self.view);
        }
    }
}
