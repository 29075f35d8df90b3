//! One simulated core: the platform a kernel meets in the simulator.

pub(crate) mod clock;
pub(crate) mod dataram;
mod elsewhere;
pub(crate) mod faults;
mod idle;
mod log;
mod observer;
mod on_host;
mod outcome;
mod own;
mod plan;
mod platform;
mod raw;
mod registers;
pub(crate) mod stack;
mod tcm;
pub(crate) mod trace;
mod translations;
pub(crate) mod watch;

use std::panic::resume_unwind;
use std::sync::Arc;

use neuron_device::{Access, DmaEngine, Error, HbmAddr, Q7};

use self::clock::Clock;
use self::dataram::CoreMemory;
use self::elsewhere::Elsewhere;
use self::faults::LimitReached;
use self::idle::Idle;
pub(crate) use self::log::Log;
use self::on_host::OnHost;
pub use self::outcome::Outcome;
pub(crate) use self::plan::Plan;
use self::registers::WindowRegisters;
use self::stack::{Ended, Parent, StackUse, Stacks};
use self::tcm::Tcm;
use self::trace::Trace;
use self::translations::Translations;
use self::watch::{Target, Watch};
use crate::bitmap::PAGE;
use crate::contain::{Panic, contained};
use crate::fault::{Fault, Line, Part, Severity, Verdict};
use crate::hbm::Hbm;
use crate::hbm::view::View;
use crate::shadow::Shadow;
use crate::subjects::{Role, Subject, Subjects};

/// What a byte of TCM holds that nobody wrote, if no mood says otherwise: that of [`Element::POISON`] for integers.
const POISON: u8 = 0xA5;

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

    /// Does its engine move bytes and nothing else: to memory that all cores see, as on the machine?
    const fn only_moves(&self) -> bool {
        !self.checked && !self.is_elsewhere()
    }

    /// Is there nothing to stop it for?
    fn may_go_on(&self) -> bool {
        let patient = self.plan.as_ref().is_none_or(|plan| self.idle.accesses <= plan.patience);
        patient && self.watch.is_none() && !self.log.faults.is_full()
    }

    /// Is the machine another?
    const fn is_elsewhere(&self) -> bool {
        self.elsewhere.is_some()
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
