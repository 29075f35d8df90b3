//! The same launch under different circumstances that a kernel must not depend on: what memory held before, in which
//! order the cores ran, on how many host threads.

use std::sync::{Arc, MutexGuard};

use neuron_device::{Access, HbmAddr};

use crate::arg::Arg;
use crate::bitmap::{PAGE, runs};
use crate::check::values::printed;
use crate::core::dataram::DmaTiming;
use crate::core::{Core, Outcome, Plan};
use crate::error::LaunchError;
use crate::fault::{Fault, MoodValue, Severity, Verdict};
use crate::hbm::Hbm;
use crate::launch::Target;
use crate::report::Report;
use crate::simulator::Simulator;
use crate::subjects::Subject;
use crate::tensor::hbm::HbmTensor;
use crate::threads::{HostThreads, locked};

/// Bytes of an output that are compared, and poisoned, at most: 64 MiB.
const COMPARED: u64 = 64 << 20;

/// Launches under every mood. See [`Simulator::moods`].
#[derive(Debug)]
pub struct Moods<'s>(&'s mut Simulator);

impl Simulator {
    /// Launch under every mood: two patterns in memory nobody wrote, copies made at once and at the wait, three orders of the cores, each seeing what those
    /// before it wrote, and 1 and 8 host threads. None may change the output, or how a core ends; where one does, that
    /// is a fault of its own, with the first element that differs and the two moods. Outputs are not compared where not every
    /// core returns. The rest of the report, and the output, are those of an ordinary launch.
    ///
    /// ```
    /// use neuron_device::prelude::*;
    /// use neuron_host_sim::{HostTensor, Simulator, Verdict, args};
    ///
    /// /// Each core adds 1 to the first element: what is left depends on who came when.
    /// #[custom_op(in_place)]
    /// fn tick(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    ///     let (src, dst) = (x.elements::<i32>(q7)?, out.elements_mut::<i32>(q7)?);
    ///     dst.set(0, src.get(0) + 1);
    ///     Ok(())
    /// }
    /// let mut sim = Simulator::new()?;
    /// let x = sim.upload(&HostTensor::from_slice(&[1], &[0i32])?)?;
    /// let report = sim.moods().launch_into(op!(tick), &args![&x], &x)?;
    /// let fault = report.faults().iter().find(|fault| fault.verdict == Verdict::MoodsDiffer).unwrap();
    /// assert_eq!((&*fault.moods[0].value, &*fault.moods[1].value), ("1", "8"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn moods(&mut self) -> Moods<'_> {
        Moods(self)
    }
}

impl Moods<'_> {
    /// As [`Simulator::launch`].
    ///
    /// # Errors
    /// As there; and a simulator that is [unchecked](crate::SimulatorBuilder::unchecked).
    #[track_caller]
    pub fn launch<'n>(
        &mut self,
        target: impl Into<Target<'n>>,
        arguments: &[Arg<'_>],
    ) -> Result<Report, LaunchError> {
        self.0.run(target.into(), arguments, None, true)
    }

    /// As [`Simulator::launch_into`].
    ///
    /// # Errors
    /// As there; and a simulator that is [unchecked](crate::SimulatorBuilder::unchecked).
    #[track_caller]
    pub fn launch_into<'n>(
        &mut self,
        target: impl Into<Target<'n>>,
        arguments: &[Arg<'_>],
        output: &HbmTensor,
    ) -> Result<Report, LaunchError> {
        self.0.run(target.into(), arguments, Some(output), true)
    }
}

/// In which order cores run, and what they see of each other.
#[derive(Clone, Copy, Debug)]
enum Order {
    /// Each alone, on this many host threads.
    Apart(usize),
    /// One after the other; each sees what those before it wrote.
    InTurn(&'static str, fn(usize) -> Vec<usize>),
}

/// Rising, falling, and the odd ones before the even ones.
const ORDERS: [Order; 5] = [
    Order::Apart(1),
    Order::InTurn("in rising order", |cores| (0..cores).collect()),
    Order::InTurn("in falling order", |cores| (0..cores).rev().collect()),
    Order::InTurn("odd ones first", |cores| {
        (0..cores).filter(|core| core % 2 == 1).chain((0..cores).step_by(2)).collect()
    }),
    Order::Apart(8),
];

/// What a byte holds that nobody wrote, and when copies are made: each pair is both at once, as what depends on either
/// differs.
const POISONS: [(u8, DmaTiming); 2] = [(0xA5, DmaTiming::AtOnce), (0x5A, DmaTiming::AtWait)];

/// What a mood led to.
struct Ending {
    mood: String,
    output: Vec<u8>,
    outcomes: Vec<String>,
    /// Did every core return? Else what the output lacks says nothing.
    returned: bool,
}

/// The launch's state that moods share.
pub(crate) struct Stage<'a> {
    pub(crate) hbm: &'a Hbm,
    pub(crate) tensors: u64,
    pub(crate) plan: &'a Arc<Plan>,
    pub(crate) cores: &'a Arc<[std::sync::Mutex<Core>]>,
    /// Is the output's memory new, so that it holds nothing?
    pub(crate) new_output: bool,
}

impl Stage<'_> {
    /// Launch under every mood, leaving memory as it was: the fault, if two of them differ.
    pub(crate) fn play(&self) -> std::io::Result<Option<Fault>> {
        let Some(output) =
            self.plan.subjects.iter().find(|subject| subject.role == crate::subjects::Role::Output)
        else {
            return Ok(None);
        };
        let mut first: Option<Ending> = None;
        for memory in POISONS {
            for order in ORDERS {
                let result = self.one(output, memory, order)?;
                match &first {
                    None => first = Some(result),
                    Some(first) => {
                        if let Some(fault) = self.difference(output, first, &result) {
                            return Ok(Some(fault));
                        }
                    }
                }
            }
        }
        Ok(None)
    }

    fn one(&self, output: &Subject, (poison, dma): (u8, DmaTiming), order: Order) -> std::io::Result<Ending> {
        let plan = Arc::new(Plan { poison: Some(poison), dma, ..(**self.plan).clone() });
        let mut undo = Undo::default();
        let [start, end] = compared(output);
        if self.new_output && start < end {
            undo.write(self.hbm, start, &vec![poison; (end - start) as usize]);
        }
        let name = match order {
            Order::Apart(threads) => {
                let pool = HostThreads::start(Arc::clone(self.cores), threads.min(self.cores.len()))?;
                pool.run(&plan);
                drop(pool);
                for core in self.cores.iter() {
                    self.publish(&mut locked(core), &mut undo);
                }
                format!("each core alone, {threads} host threads")
            }
            Order::InTurn(name, order) => {
                for core in order(self.cores.len()) {
                    let mut core = locked(&self.cores[core]);
                    core.run(&plan);
                    self.publish(&mut core, &mut undo);
                }
                format!("cores {name}, each sees those before")
            }
        };
        let mut bytes = vec![0; (end - start) as usize];
        self.hbm.read(HbmAddr::new(start), &mut bytes);
        undo.all(self.hbm);
        let outcome = |core: &std::sync::Mutex<Core>| match &locked(core).log.outcome {
            Outcome::Returned => "returned".to_owned(),
            Outcome::Failed(error) => error.to_string(),
            Outcome::Panicked(message) => format!("panicked: {message}"),
            Outcome::Stopped => "stopped".to_owned(),
            Outcome::NoProgress => "stopped: no progress".to_owned(),
            Outcome::StackOverflow => "stopped: stack overflow".to_owned(),
        };
        let outcomes = self.cores.iter().map(outcome).collect();
        let returned = self.cores.iter().all(|core| locked(core).log.outcome == Outcome::Returned);
        let copies = match dma {
            DmaTiming::AtOnce => "at once",
            DmaTiming::AtWait => "at the wait",
        };
        let mood = format!("{name}, memory {poison:#04x}, copies {copies}");
        Ok(Ending { mood, output: bytes, outcomes, returned })
    }

    /// Let everybody see what the core wrote, until it is undone.
    fn publish(&self, core: &mut MutexGuard<'_, Core>, undo: &mut Undo) {
        for page in core.log.shadow.written_pages().into_iter().filter(|&page| page * PAGE >= self.tensors) {
            for run in core.log.shadow.written(page).iter().flat_map(|bits| runs(bits)) {
                let (start, end) = (page * PAGE + run.start, page * PAGE + run.end);
                let bytes = core.view.read(start..end);
                undo.write(self.hbm, start, &bytes);
            }
        }
        core.forget(self.hbm);
    }

    fn difference(&self, output: &Subject, a: &Ending, b: &Ending) -> Option<Fault> {
        let op = self.plan.op.name();
        let fault = |first: String, values: [String; 2]| {
            let moods = [a, b].into_iter().zip(values);
            Fault {
                access: Access::Write,
                argument: output.name,
                tensor: Some(output.described()),
                first,
                moods: moods.map(|(of, value)| MoodValue { mood: of.mood.clone(), value }).collect(),
                ..Fault::new(op, Verdict::MoodsDiffer, Severity::Error)
            }
        };
        if let Some(core) = a.outcomes.iter().zip(&b.outcomes).position(|(a, b)| a != b) {
            let first = format!("how core {core} ended");
            return Some(fault(first, [a.outcomes[core].clone(), b.outcomes[core].clone()]));
        }
        if !a.returned {
            return None;
        }
        let [start, _] = compared(output);
        let size = output.dtype.size() as usize;
        let elements = || a.output.chunks(size).zip(b.output.chunks(size)).enumerate();
        let differing =
            elements().filter(|&(at, (a, b))| a != b && output.element(start + (at * size) as u64).is_some());
        let mut differing = differing.peekable();
        let &(at, (from, to)) = differing.peek()?;
        let addr = start + (at * size) as u64;
        let count = differing.count() as u64;
        let values = [from, to].map(|bytes| printed(Some(output.dtype), bytes));
        Some(Fault { count, ..fault(String::new(), values).at(Some(output), addr) })
    }
}

/// The addresses of an output that are compared.
fn compared(output: &Subject) -> [u64; 2] {
    let [start, end] = output.reach();
    [start.min(end), end.min(start.saturating_add(COMPARED))]
}

/// What was in memory before it was written.
#[derive(Default)]
struct Undo(Vec<(u64, Vec<u8>)>);

impl Undo {
    fn write(&mut self, hbm: &Hbm, start: u64, bytes: &[u8]) {
        let mut before = vec![0; bytes.len()];
        hbm.read(HbmAddr::new(start), &mut before);
        self.0.push((start, before));
        hbm.write(HbmAddr::new(start), bytes);
    }

    fn all(self, hbm: &Hbm) {
        for (start, before) in self.0.into_iter().rev() {
            hbm.write(HbmAddr::new(start), &before);
        }
    }
}
