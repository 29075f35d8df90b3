//! One simulated core: the platform a kernel meets in the simulator.

pub(crate) mod faults;
mod idle;
mod raw;
mod registers;
pub(crate) mod trace;
mod translations;

use std::collections::HashSet;
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::Arc;

use neuron_device::{
    Access, ArgDescriptor, Counters, Dtype, Error, Fault, HbmAddr, Layout, MappedWindow, NxAddr, Observer,
    Op, Platform, Q7, RawPath, Run, Site, Wants,
};

use self::faults::{FaultLog, LimitReached};
use self::idle::Idle;
use self::raw::RawAccess;
use self::registers::WindowRegisters;
use self::trace::Trace;
use self::translations::Translations;
use crate::bitmap::PAGE;
use crate::contain::contained;
use crate::fault::Severity;
use crate::hbm::Hbm;
use crate::hbm::view::View;
use crate::shadow::Shadow;
use crate::subjects::{Role, Subject, Subjects};
use crate::watchdog::Running;

/// Bytes of an output up to which its pages are got before they are written: more would be too much to get for nothing.
const MOST_PREPARED: u64 = 64 << 20;

/// What every core of a launch is given.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) op: &'static Op,
    pub(crate) stamp: u64,
    pub(crate) arguments: Vec<ArgDescriptor>,
    pub(crate) destination: ArgDescriptor,
    /// The tensors among them.
    pub(crate) subjects: Vec<Subject>,
    /// What a byte of scratch holds before it is written; if it is not said, 0.
    pub(crate) poison: Option<u8>,
    /// How many accesses in a row a core may make to what it accessed before.
    pub(crate) patience: u64,
    /// Which cores are in the middle of it.
    pub(crate) running: Arc<Running>,
}

/// How a core's work ended.
///
/// ```
/// use neuron_device::prelude::*;
/// use neuron_host_sim::{HostTensor, Outcome, Simulator, args};
///
/// #[custom_op]
/// fn fussy(q7: &Q7, x: &Tensor) -> Result<Tensor> {
///     assert_ne!(q7.get_cpu_id(), 3, "core 3 is broken");
///     if x.dim() == 1 { q7.empty_like(x) } else { Err(Error::message("must be a vector").about("x")) }
/// }
/// let mut sim = Simulator::new()?;
/// let report = sim.launch(op!(fussy), &args![&HostTensor::scalar(1.0f32)])?;
/// let Outcome::Failed(error) = &report.cores()[0].outcome else { unreachable!() };
/// assert!(error.to_string().starts_with("`x`: must be a vector (at "));
/// let Outcome::Panicked(text) = &report.cores()[3].outcome else { unreachable!() };
/// assert!(text.contains("core 3 is broken"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Outcome {
    /// The kernel returned `Ok`.
    Returned,
    /// The kernel returned an error.
    Failed(Error),
    /// The kernel panicked, with this message; `"(no message)"` if its payload was no text.
    Panicked(String),
    /// The core was stopped at its 1000th different fault. Faults that differ in the index alone are one.
    Stopped,
    /// The core was stopped as it went on accessing what it had accessed before.
    NoProgress,
}

/// The payload with which a core that is stopped is unwound.
enum Stop {
    /// It reached its limit of faults.
    Faults,
    /// It goes round in a circle.
    NoProgress,
}

/// An accessor the kernel opened for writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Opening {
    pub(crate) storage: HbmAddr,
    pub(crate) site: Site,
}

/// What one core did in one launch.
#[derive(Debug)]
pub(crate) struct Log {
    pub(crate) outcome: Outcome,
    pub(crate) counters: Counters,
    pub(crate) faults: FaultLog,
    /// The tensor and the line of the first accessor.
    pub(crate) first_opened: Option<(&'static str, Site)>,
    /// In the order they were opened, each once.
    pub(crate) openings: Vec<Opening>,
    opened: HashSet<Opening>,
    /// What it made on its scratch.
    pub(crate) made: Vec<Subject>,
    pub(crate) shadow: Shadow,
    /// Addresses whose pages are the core's own without its having written them.
    prepared: Vec<Range<u64>>,
}

impl Log {
    /// The pages that are the core's own, by number, rising.
    fn private_pages(&self) -> Vec<u64> {
        let mut pages = self.shadow.written_pages();
        if !self.prepared.is_empty() {
            pages.extend(self.prepared.iter().flat_map(|range| range.start / PAGE..range.end.div_ceil(PAGE)));
            pages.sort_unstable();
            pages.dedup();
        }
        pages
    }
}

impl Default for Log {
    fn default() -> Self {
        Self {
            outcome: Outcome::Returned,
            counters: Counters::default(),
            faults: FaultLog::default(),
            first_opened: None,
            openings: Vec::new(),
            opened: HashSet::new(),
            made: Vec::new(),
            shadow: Shadow::default(),
            prepared: Vec::new(),
        }
    }
}

/// A core, kept from launch to launch.
#[derive(Debug)]
pub(crate) struct Core {
    id: u32,
    count: u32,
    pub(crate) view: View,
    /// Are writes recorded? A checked core has a view of its own.
    checked: bool,
    scratch: (HbmAddr, u64),
    registers: WindowRegisters,
    plan: Option<Arc<Plan>>,
    translations: Translations,
    /// What it did since it last accessed something new.
    idle: Idle,
    /// The questions of a second run.
    trace: Option<Trace>,
    pub(crate) log: Log,
}

impl Core {
    pub(crate) fn new(id: u32, count: u32, view: View, scratch: (HbmAddr, u64)) -> Self {
        let checked = matches!(view, View::Private(_));
        let registers = WindowRegisters::default();
        Self {
            id,
            count,
            view,
            checked,
            scratch,
            registers,
            plan: None,
            translations: Translations::default(),
            idle: Idle::default(),
            trace: None,
            log: Log::default(),
        }
    }

    /// Run the op, whatever it does: a panic ends the core's work and nothing else.
    pub(crate) fn run(&mut self, plan: &Arc<Plan>) {
        self.log = Log::default();
        self.registers = WindowRegisters::default();
        self.translations = Translations::default();
        self.idle = Idle::default();
        self.plan = Some(Arc::clone(plan));
        plan.running.set(self.id, true);
        let ended = contained(|| Q7::enter(self, |q7| plan.op.launch(q7)));
        plan.running.set(self.id, false);
        self.plan = None;
        self.log.outcome = match ended {
            Ok(Ok(())) => Outcome::Returned,
            Ok(Err(error)) => Outcome::Failed(error),
            Err(panic) => match panic.payload() {
                Some(Stop::Faults) => Outcome::Stopped,
                Some(Stop::NoProgress) => Outcome::NoProgress,
                None => Outcome::Panicked(panic.into_message()),
            },
        };
    }

    /// Forget what it wrote.
    pub(crate) fn forget(&mut self, hbm: &Hbm) {
        self.view.discard(hbm, &self.log.private_pages());
        self.log.shadow = Shadow::default();
        self.log.prepared.clear();
    }

    /// The kernel is about to write to the tensor there. If that is the output, and large, it most likely goes through its
    /// share of it: to get these pages at once takes less than half the time of getting one at each first write.
    fn prepare(&mut self, storage: HbmAddr) {
        const LARGE: u64 = 64 * PAGE;
        let Some(plan) = &self.plan else { return };
        let output = plan.subjects.iter().find(|subject| subject.role == Role::Output);
        let Some(output) = output.filter(|output| output.storage == storage && self.log.prepared.is_empty())
        else {
            return;
        };
        let [start, end] = output.reach();
        let bytes = end.saturating_sub(start);
        if !output.layout.is_contiguous() || bytes / u64::from(self.count) < LARGE || bytes > MOST_PREPARED {
            return;
        }
        let share = |core: u32| start + bytes / u64::from(self.count) * u64::from(core);
        let range = share(self.id) / PAGE * PAGE..share(self.id + 1).div_ceil(PAGE) * PAGE;
        if self.view.populate(range.clone()) {
            self.log.prepared.push(range);
        }
    }

    /// Run the op again, from the same memory, to answer the questions of `trace`. What the first run found stands, and
    /// as a kernel depends on its arguments alone, this core's memory is what it was.
    pub(crate) fn run_again(&mut self, hbm: &Hbm, plan: &Arc<Plan>, trace: Trace) -> Trace {
        let pages = self.log.shadow.written_pages();
        let range = |page: &u64| page * PAGE..(page + 1) * PAGE;
        let kept: Vec<Vec<u8>> = pages.iter().map(|page| self.view.read(hbm, range(page))).collect();
        self.view.discard(hbm, &self.log.private_pages());
        let first = std::mem::take(&mut self.log);
        self.trace = Some(trace);
        self.run(plan);
        let second = std::mem::replace(&mut self.log, first);
        let trace = self.trace.take().unwrap_or_default();
        // A tensor that is written in very many pieces is copied back otherwise where accesses are told one by one.
        self.view.discard(hbm, &second.private_pages());
        self.view.discard(hbm, &trace.written_pages());
        pages.iter().zip(&kept).for_each(|(page, bytes)| self.view.write(hbm, page * PAGE, bytes));
        trace
    }
}

// SAFETY: windows are parts of `view`, which is mapped as long as the core exists; cores that share a view reach it
// through windows only, whose accesses are relaxed atomics.
unsafe impl Platform for Core {
    fn core_id(&self) -> u32 {
        self.id
    }

    fn core_count(&self) -> u32 {
        self.count
    }

    fn launch_stamp(&self) -> u64 {
        self.plan.as_ref().map_or(0, |plan| plan.stamp)
    }

    fn map_window(&mut self, record: usize, base: HbmAddr) -> Option<MappedWindow> {
        self.registers.write(record, base);
        self.view.window(self.registers.shows(record))
    }

    fn fence(&mut self) {
        std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
    }

    fn scratch(&self) -> (HbmAddr, u64) {
        self.scratch
    }

    fn argument(&self, position: usize) -> Option<ArgDescriptor> {
        self.plan.as_ref()?.arguments.get(position).copied()
    }

    fn destination(&self) -> Option<ArgDescriptor> {
        self.plan.as_ref().map(|plan| plan.destination)
    }

    fn fault(&mut self, fault: &Fault) {
        let Some(plan) = &self.plan else { return };
        let subjects = Subjects { passed: &plan.subjects, made: &self.log.made };
        let noted = self.log.faults.note(plan.op.name(), fault, subjects);
        stop_at_limit(noted);
    }

    fn observer(&mut self) -> Option<&mut dyn Observer> {
        Some(self)
    }
}

/// End the core's work if it has reached its limit of faults.
fn stop_at_limit(noted: Result<(), LimitReached>) {
    if noted.is_err() {
        resume_unwind(Box::new(Stop::Faults));
    }
}

impl Observer for Core {
    fn wants(&self) -> Wants {
        match (&self.trace, self.checked) {
            (Some(_), _) => Wants::EveryAccess,
            (None, true) => Wants::Runs,
            (None, false) => Wants::Nothing,
        }
    }

    fn allocated(&mut self, storage: HbmAddr, dtype: Dtype, layout: &Layout, site: Site) {
        let bytes = layout.numel() * dtype.size();
        if let Some(poison) = self.plan.as_ref().and_then(|plan| plan.poison)
            && self.checked
        {
            let range = storage.get()..storage.get() + bytes;
            self.view.fill(range.clone(), poison);
            self.log.prepared.push(range);
        }
        self.log.made.push(Subject {
            name: "scratch",
            role: Role::Scratch(self.id),
            storage,
            bytes,
            dtype,
            layout: *layout,
            allocated: Some(site),
        });
    }

    fn opened(&mut self, argument: &'static str, storage: HbmAddr, access: Access, site: Site) {
        self.log.first_opened.get_or_insert((argument, site));
        let opening = Opening { storage, site };
        if self.checked && access == Access::Write && self.log.opened.insert(opening) {
            self.log.openings.push(opening);
            self.prepare(storage);
        }
        self.log.shadow.settle();
    }

    fn translated(&mut self, addr: HbmAddr, local: NxAddr, site: Site) {
        self.translations.translated(addr, local, site);
    }

    fn remapped(&mut self, record: usize, addr: HbmAddr, site: Site) {
        self.translations.remapped(record, addr, site);
    }

    fn raw_access(&mut self, path: RawPath, access: Access, addr: HbmAddr, bytes: u64, site: Site) -> bool {
        let Some(plan) = &self.plan else { return true };
        let access = RawAccess { path, access, addr, bytes, site };
        let subjects = Subjects { passed: &plan.subjects, made: &self.log.made };
        let judged = raw::judge(plan.op.name(), &access, &self.translations, subjects);
        let may = judged.iter().all(|fault| fault.severity < Severity::Error || access.lands_anyway(fault));
        for fault in judged {
            stop_at_limit(self.log.faults.add(fault));
        }
        may
    }

    fn run(&mut self, run: &Run) {
        let more = match &mut self.trace {
            Some(trace) => trace.note(run),
            None => self.log.shadow.note(run),
        };
        self.idle = if more { Idle::default() } else { self.idle.longer_by(run) };
    }

    fn checkpoint(&mut self) {
        let (Some(plan), Some(run)) = (&self.plan, self.idle.run) else { return };
        if self.idle.accesses > plan.patience {
            let subjects = Subjects { passed: &plan.subjects, made: &self.log.made };
            let fault = idle::fault(plan.op.name(), &run, self.idle.accesses, subjects);
            // What the core did before may have taken it to its limit of faults; it stops anyway.
            let _ = self.log.faults.add(fault);
            resume_unwind(Box::new(Stop::NoProgress));
        }
    }

    fn retired(&mut self, counters: &Counters) {
        self.log.counters = *counters;
    }
}
