//! One simulated core: the platform a kernel meets in the simulator.

pub(crate) mod clock;
pub(crate) mod dataram;
mod elsewhere;
pub(crate) mod faults;
mod idle;
mod log;
mod on_host;
mod own;
mod raw;
mod registers;
pub(crate) mod stack;
mod tcm;
pub(crate) mod trace;
mod translations;
pub(crate) mod watch;

use std::panic::resume_unwind;
use std::sync::Arc;

use neuron_device::{
    Access, ArgDescriptor, ConsoleSlot, Copied, Counters, Dataram, DmaEngine, DmaRing, Doorbell, Dtype,
    Entry, Error, Fault as DeviceFault, Handle, HbmAddr, HeapName, Layout, MappedWindow, NxAddr, Observer,
    Op, OutOfBounds, Platform, Q7, RawPath, Returned, Run, Sbuf, SbufAddresses, Site, StackRegisters, Staged,
    Wants,
};

use self::clock::Clock;
use self::dataram::{CoreMemory, DmaTiming};
use self::elsewhere::Elsewhere;
use self::faults::LimitReached;
use self::idle::Idle;
pub(crate) use self::log::{Log, Opening};
use self::on_host::OnHost;
use self::raw::RawAccess;
use self::registers::WindowRegisters;
use self::stack::{Ended, Parent, StackSettings, StackUse, Stacks};
use self::tcm::{Accesses, Tcm};
use self::trace::Trace;
use self::translations::Translations;
use self::watch::{Target, Watch};
use crate::bitmap::PAGE;
use crate::contain::{Panic, contained};
use crate::fault::{Fault, Line, Part, Path, Severity, Verdict};
use crate::hbm::Hbm;
use crate::hbm::map::SBUF;
use crate::hbm::view::View;
use crate::portability;
use crate::profile::Profile;
use crate::shadow::Shadow;
use crate::subjects::{Role, Subject, Subjects};
use crate::watchdog::Running;
use crate::what_if::WhatIf;

/// What a byte of TCM holds that nobody wrote, if no mood says otherwise: that of [`Element::POISON`] for integers.
const POISON: u8 = 0xA5;

/// What every core of a launch is given.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) op: &'static Op,
    /// The function behind it, as boot found it.
    pub(crate) entry: &'static Entry,
    pub(crate) stamp: u64,
    pub(crate) arguments: Vec<ArgDescriptor>,
    pub(crate) destination: ArgDescriptor,
    /// The tensors among them.
    pub(crate) subjects: Vec<Subject>,
    /// The names of those whose record, in SBUF, was passed as it is.
    pub(crate) sbuf_records: Vec<&'static str>,
    /// What the addresses of records in SBUF are.
    pub(crate) sbuf_addresses: SbufAddresses,
    /// What a byte of scratch holds before it is written; if it is not said, 0.
    pub(crate) poison: Option<u8>,
    /// How many accesses in a row a core may make to what it accessed before.
    pub(crate) patience: u64,
    /// Where tensors begin: a multiple of a window; below is scratch.
    pub(crate) tensors: u64,
    /// Do all cores see one memory, but for scratch, instead of each its own?
    pub(crate) together: bool,
    /// When DMA engines move bytes.
    pub(crate) dma: DmaTiming,
    pub(crate) profile: Profile,
    /// What kernels are told is the number of cores.
    pub(crate) cpu_count: u32,
    /// What is not as on the machine.
    pub(crate) what_if: WhatIf,
    /// What stacks are like.
    pub(crate) stack: StackSettings,
    /// Bytes of a core's queue of printed text; 0 if nothing is printed.
    pub(crate) console: u32,
    /// Is its time modelled?
    pub(crate) timed: bool,
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
    /// The kernel needed more stack than there was, and was stopped there. What it had written is forgotten, unless checks are
    /// off; the stack's use is in [`Report::stacks`](crate::Report::stacks).
    StackOverflow,
}

/// The payload with which a core that is stopped is unwound.
enum Stop {
    /// It reached its limit of faults.
    Faults,
    /// It goes round in a circle.
    NoProgress,
    /// It came to where it was watched up to.
    Watched,
}

/// A core, kept from launch to launch.
#[derive(Debug)]
pub(crate) struct Core {
    id: u32,
    count: u32,
    pub(crate) view: View,
    shared: View,
    /// Are writes recorded? A checked core has a view of its own.
    checked: bool,
    scratch: (HbmAddr, u64),
    memory: CoreMemory,
    engine: DmaEngine,
    /// What stands for its engine, and lies before its memory, where the machine is another.
    elsewhere: Option<Elsewhere>,
    registers: WindowRegisters,
    tcm: Tcm,
    stacks: Stacks,
    /// Was the HBM side of a copy by hand judged last, so that its TCM side is next?
    copying: bool,
    plan: Option<Arc<Plan>>,
    translations: Translations,
    /// What it did since it last accessed something new.
    idle: Idle,
    /// The questions of a second run.
    trace: Option<Trace>,
    /// Who watches a second run.
    watch: Option<Watch>,
    pub(crate) log: Log,
}

impl Core {
    /// `view` is how it sees HBM, `shared` how all see it.
    pub(crate) fn new(
        (id, count): (u32, u32),
        view: View,
        shared: View,
        scratch: (HbmAddr, u64),
        memory: CoreMemory,
    ) -> Self {
        let checked = matches!(view, View::Private(_));
        let registers = WindowRegisters::default();
        Self {
            id,
            count,
            view,
            shared,
            checked,
            scratch,
            memory,
            engine: DmaEngine::new(id),
            elsewhere: None,
            registers,
            tcm: Tcm::default(),
            stacks: Stacks::default(),
            copying: false,
            plan: None,
            translations: Translations::default(),
            idle: Idle::default(),
            trace: None,
            watch: None,
            log: Log::default(),
        }
    }

    /// Run the op, whatever it does: a panic ends the core's work and nothing else.
    pub(crate) fn run(&mut self, plan: &Arc<Plan>) {
        self.log = Log {
            shared_from: plan.together.then_some(plan.tensors),
            clock: plan.timed.then(Clock::default),
            ..Log::default()
        };
        self.registers = WindowRegisters::default();
        self.tcm.reset();
        self.copying = false;
        self.translations = Translations::default();
        self.idle = Idle::default();
        self.elsewhere = Elsewhere::new(plan.what_if, self.id, &self.memory);
        self.plan = Some(Arc::clone(plan));
        plan.running.set(self.id, true);
        let (ended, stack) = self.enter(plan);
        plan.running.set(self.id, false);
        let overflowed = stack.filter(|ended| ended.overflowed);
        if let Some(Ended { stack, .. }) = overflowed {
            self.abandoned(plan, stack);
        } else {
            self.see_arrivals(true);
        }
        if overflowed.is_none() && ended.is_ok() {
            self.look_for_leaks(plan.op.name());
        }
        self.plan = None;
        self.log.stack = stack.map(|ended| ended.stack);
        self.log.outcome = match ended {
            _ if overflowed.is_some() => Outcome::StackOverflow,
            Ok(Ok(())) => Outcome::Returned,
            Ok(Err(error)) => Outcome::Failed(error),
            Err(panic) => match panic.payload() {
                Some(Stop::Faults | Stop::Watched) => Outcome::Stopped,
                Some(Stop::NoProgress) => Outcome::NoProgress,
                None => Outcome::Panicked(panic.into_message()),
            },
        };
    }

    /// Run the op on the stack it gets: how it ended, and what it used of the stack, if it got one, and whether that was too
    /// much.
    fn enter(&mut self, plan: &Plan) -> (Result<Result<(), Error>, Panic>, Option<Ended>) {
        // The core is the kernel's to call meanwhile, and its stacks are not.
        let mut stacks = std::mem::take(&mut self.stacks);
        let (parent, mut used) = (Parent::default(), None);
        let ended = contained(|| {
            let mut platform = OnHost { core: self, parent: &parent };
            Q7::enter(&mut platform, |q7| {
                plan.entry.launch_on(q7, &mut |stack, wrapper| {
                    let ended = stacks.run(plan.op.name(), stack, plan.stack, &parent, wrapper);
                    // As where a thread finds no memory for its stack.
                    let ended =
                        ended.unwrap_or_else(|error| panic!("the host gives no stack for a kernel: {error}"));
                    used = Some(ended);
                    !ended.overflowed
                })
            })
        });
        self.stacks = stacks;
        (ended, used)
    }

    /// The op was left in the middle of something, as its stack overflowed.
    fn abandoned(&mut self, plan: &Plan, used: StackUse) {
        // What it wrote was not told to the end, so nobody knows which pages are its own.
        self.view.discard_all();
        self.log.shadow = Shadow::default();
        self.log.poisoned.clear();
        let _ = self.note(stack::fault(plan.op, used));
    }

    /// Forget what it wrote.
    pub(crate) fn forget(&mut self, hbm: &Hbm) {
        let pages = self.log.private_pages();
        self.log.copied = pages.len() as u64;
        self.view.discard(hbm, &pages);
        self.log.shadow = Shadow::default();
        self.log.poisoned.clear();
    }

    /// Run the op again, from the same memory, to answer the questions of `trace`. What the first run found stands, and
    /// as a kernel depends on its arguments alone, this core's memory is what it was.
    pub(crate) fn run_again(&mut self, hbm: &Hbm, plan: &Arc<Plan>, trace: Trace) -> Trace {
        let pages = self.log.shadow.written_pages();
        let range = |page: &u64| page * PAGE..(page + 1) * PAGE;
        let kept: Vec<Vec<u8>> = pages.iter().map(|page| self.view.read(range(page))).collect();
        self.trace = Some(trace);
        let second = self.repeat(hbm, plan);
        let trace = self.trace.take().unwrap_or_default();
        // A tensor that is written in very many pieces is copied back otherwise where accesses are told one by one.
        self.view.discard(hbm, &second.private_pages());
        self.view.discard(hbm, &trace.written_pages());
        pages.iter().zip(&kept).for_each(|(page, bytes)| self.view.write(page * PAGE, bytes));
        trace
    }

    /// Run the op again, from the same memory, as far as `watch` wants. What the first run found stands.
    pub(crate) fn run_watched(&mut self, hbm: &Hbm, plan: &Arc<Plan>, watch: &mut Watch) {
        let idle = Watch::new(Target::End, None);
        self.watch = Some(std::mem::replace(watch, idle));
        self.repeat(hbm, plan);
        if let Some(after) = self.watch.take() {
            *watch = after;
        }
    }

    /// Run the op again, from the same memory: what it did this time.
    fn repeat(&mut self, hbm: &Hbm, plan: &Arc<Plan>) -> Log {
        self.view.discard(hbm, &self.log.private_pages());
        let first = std::mem::take(&mut self.log);
        self.run(plan);
        std::mem::replace(&mut self.log, first)
    }

    /// What the kernel took and did not give back, began and did not end.
    fn look_for_leaks(&mut self, op: &'static str) {
        let left = |subject: &&Subject| matches!(subject.role, Role::Block(_)) && subject.freed.is_none();
        let leak = |subject: &Subject| Fault {
            access: Access::Write,
            lines: subject.allocated.map(|site| Line::new(Part::Allocated, site)).into_iter().collect(),
            ..Fault::new(op, Verdict::NeverFreed, Severity::Warning).at(Some(subject), subject.storage.get())
        };
        let mut leaks: Vec<Fault> = self.log.made.iter().filter(left).map(leak).collect();
        if let Some(plan) = &self.plan {
            leaks.extend(self.tcm.left(op, Subjects { passed: &plan.subjects, made: &self.log.made }));
        }
        // The op is over: there is nothing to stop.
        leaks.into_iter().for_each(|fault| _ = self.note(fault));
    }

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

    /// Where these bytes of HBM are, as the core sees them.
    fn native(&self, addr: HbmAddr, bytes: u64) -> Option<*mut u8> {
        native(&self.view, &self.shared, self.plan.as_deref(), addr, bytes)
    }

    /// Is the machine another?
    const fn is_elsewhere(&self) -> bool {
        self.elsewhere.is_some()
    }

    /// Have the DMA engine move what is posted, up to pair number `end`.
    fn move_up_to(&mut self, ring: &DmaRing, end: u64) {
        if self.move_elsewhere(ring, end) {
            return;
        }
        let (view, shared, plan) = (&self.view, &self.shared, self.plan.as_deref());
        let native = |addr, bytes| native(view, shared, plan, addr, bytes);
        // SAFETY: `native` gives bytes of a mapping that lives as long as the core does, of this core alone or accessed by
        // all as HBM is; the dataram is the core's, which waits for this call to return.
        unsafe { self.engine.run(ring, end, self.memory.dataram(), &native) }
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

    fn note_run(&mut self, run: &Run) {
        let more = match (&mut self.watch, &mut self.trace) {
            (Some(watch), _) => watch.note(run, &self.view),
            (None, Some(trace)) => trace.note(run, &self.view),
            (None, None) => self.log.shadow.note(run),
        };
        self.idle = if more { Idle::default() } else { self.idle.longer_by(run) };
    }

    /// Note a fault, and end the core's work if it has reached its limit of faults, or is watched up to this one.
    fn add(&mut self, fault: Fault) {
        let limit = self.note(fault);
        if std::thread::panicking() {
            // A stream that is dropped as the core is stopped, say: it is stopped already.
            return;
        }
        if self.watch.as_ref().is_some_and(Watch::stops) {
            resume_unwind(Box::new(Stop::Watched));
        }
        if limit.is_err() {
            resume_unwind(Box::new(Stop::Faults));
        }
    }

    fn note(&mut self, fault: Fault) -> Result<(), LimitReached> {
        if let Some(watch) = &mut self.watch {
            watch.faulted(&fault, &self.view);
        }
        self.log.faults.add(fault)
    }
}

fn native(view: &View, shared: &View, plan: Option<&Plan>, addr: HbmAddr, bytes: u64) -> Option<*mut u8> {
    match plan {
        Some(plan) if plan.together && addr.get() >= plan.tensors => shared.native(addr, bytes),
        _ => view.native(addr, bytes),
    }
}

// SAFETY: windows are parts of `view`, which is mapped as long as the core exists; cores that share a view reach it
// through windows only, whose accesses are relaxed atomics.
unsafe impl Platform for Core {
    fn core_id(&self) -> u32 {
        self.id
    }

    fn core_count(&self) -> u32 {
        self.plan.as_ref().map_or(self.count, |plan| plan.cpu_count)
    }

    fn launch_stamp(&self) -> u64 {
        self.plan.as_ref().map_or(0, |plan| plan.stamp)
    }

    fn map_window(&mut self, record: usize, base: HbmAddr) -> Option<MappedWindow> {
        self.registers.write(record, base);
        let base = self.registers.shows(record);
        match &self.plan {
            Some(plan) if plan.together && base.get() >= plan.tensors => self.shared.window(base),
            _ => self.view.window(base),
        }
    }

    fn sbuf(&mut self) -> Option<Sbuf> {
        let plan = self.plan.as_ref()?;
        let window = if plan.together { self.shared.sbuf() } else { self.view.sbuf() }?;
        Some(Sbuf::new(HbmAddr::new(SBUF), window, plan.sbuf_addresses))
    }

    fn fence(&mut self) {
        // A core's own accesses are in order here. What other cores see, and when, is the join's business: nothing else orders
        // the cores of a launch, and no kernel may go by it.
        std::sync::atomic::compiler_fence(std::sync::atomic::Ordering::SeqCst);
        self.see_arrivals(false);
    }

    fn scratch(&self) -> (HbmAddr, u64) {
        self.scratch
    }

    fn dataram(&mut self) -> Dataram {
        // A core's ring begins anew with every op.
        self.engine = DmaEngine::new(self.id);
        self.memory.dataram()
    }

    fn ring_doorbell(&mut self, doorbell: Doorbell, ring: &DmaRing) {
        if doorbell == Doorbell::S2m && self.plan.as_ref().is_none_or(|plan| plan.dma == DmaTiming::AtOnce) {
            self.move_up_to(ring, ring.posted());
        }
    }

    fn poll_dma(&mut self, ring: &DmaRing) {
        let next = self.moved() + 1;
        self.move_up_to(ring, next.min(ring.posted()));
    }

    fn drain(&mut self, ring: &DmaRing) {
        self.move_up_to(ring, ring.posted());
    }

    fn stack(&self) -> StackRegisters {
        self.plan.as_ref().map_or(StackRegisters::UNLIMITED, |plan| plan.stack.registers(plan.profile))
    }

    fn console(&self) -> bool {
        self.plan.as_ref().is_some_and(|plan| plan.console > 0 && plan.profile.shows(self.id))
    }

    fn print(&mut self, slot: &ConsoleSlot) {
        let bytes = self.plan.as_ref().map_or(0, |plan| plan.console);
        self.log.console.push(*slot, bytes);
    }

    fn flush_console(&mut self) {
        // The queue is read after the launch, whether the op came to its clean-up or not.
    }

    fn argument(&self, position: usize) -> Option<ArgDescriptor> {
        self.plan.as_ref()?.arguments.get(position).copied()
    }

    fn destination(&self) -> Option<ArgDescriptor> {
        self.plan.as_ref().map(|plan| plan.destination)
    }

    fn fault(&mut self, fault: &DeviceFault) {
        let Some(plan) = &self.plan else { return };
        if let DeviceFault::BadFree { heap: HeapName::Tcm, addr, error, site } = fault {
            // Local addresses have 32 bits.
            let local = NxAddr::new(*addr as u32);
            return self.add(self.tcm.bad_free(plan.op.name(), local, *error, site));
        }
        if let DeviceFault::OutOfBounds(OutOfBounds {
            access: Access::Write,
            copied: true,
            storage,
            site,
            ..
        }) = *fault
            && self.checked
        {
            // A copy of which no element is left is no copy; the kernel wanted to write all the same.
            self.log.open(Opening { storage, site });
        }
        let subjects = Subjects { passed: &plan.subjects, made: &self.log.made };
        let translated = |local| self.translations.origin(local).map(|(origin, _)| origin.addr);
        let fault = faults::said_by_device((plan.op.name(), plan.profile), fault, subjects, &translated);
        self.add(fault);
    }

    fn observer(&mut self) -> Option<&mut dyn Observer> {
        Some(self)
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
