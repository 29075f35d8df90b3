//! A launch, from arguments to report.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError};

use neuron_device::{Library, Op};

use crate::allow;
use crate::arg::Arg;
use crate::check::Joined;
use crate::check::merge::merge;
use crate::core::{Log, Plan};
use crate::error::LaunchError;
use crate::moods::Stage;
use crate::portability;
use crate::report::{self, Report};
use crate::simulator::Simulator;
use crate::tensor::hbm::HbmTensor;
use crate::threads::locked;
use crate::watchdog::{self, Watchdog};

/// Which op to launch: an op, or a library and a name, as a model names it.
///
/// ```
/// use neuron_device::{Library, prelude::*};
/// use neuron_host_sim::{HostTensor, LaunchError, Simulator, Target, args};
/// # #[custom_op]
/// # fn same(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
/// #     let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
/// #     Ok(q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, src.get(i))))
/// # }
/// neuron_library!(COPIES: "copies" = [same]);
///
/// let (mut sim, x) = (Simulator::new()?, HostTensor::scalar(1.0f32));
/// sim.launch(Target::Op(op!(same)), &args![&x])?.assert_clean();
/// sim.launch(Target::Named(&COPIES, "same"), &args![&x])?.assert_clean();
/// let error = sim.launch((&COPIES, "sam"), &args![&x]).unwrap_err();
/// assert_eq!(error.to_string(), "library \"copies\" has no op \"sam\": it has same");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Target<'n> {
    /// The op itself, as [`op!`](neuron_device::op) gives it.
    Op(&'static Op),
    /// The op a library registers under this name.
    Named(&'static Library, &'n str),
}

impl From<&'static Op> for Target<'_> {
    fn from(op: &'static Op) -> Self {
        Self::Op(op)
    }
}

impl<'n> From<(&'static Library, &'n str)> for Target<'n> {
    fn from((library, name): (&'static Library, &'n str)) -> Self {
        Self::Named(library, name)
    }
}

impl Target<'_> {
    fn resolve(self) -> Result<&'static Op, LaunchError> {
        match self {
            Self::Op(op) => Ok(op),
            Self::Named(library, name) => library.op(name).ok_or_else(|| LaunchError::UnknownOp {
                library: library.name(),
                name: name.to_owned(),
                known: library.ops().iter().map(|op| op.name()).collect(),
            }),
        }
    }
}

impl Simulator {
    /// Launch an op on every core, with a new tensor as its output, and wait until all have joined.
    ///
    /// What kernels do wrong is in the report: faults, errors, panics.
    ///
    /// # Errors
    /// Arguments that do not fit the op or the machine, or for which HBM has no room. Nothing has run then.
    ///
    /// ```
    /// use neuron_device::prelude::*;
    /// use neuron_host_sim::{HostTensor, LaunchError, Simulator, args};
    ///
    /// #[custom_op]
    /// fn negate(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    ///     let (src, dst) = (x.elements::<i32>(q7)?, out.elements_mut::<i32>(q7)?);
    ///     q7.partition_flat(src.numel()).into_iter().for_each(|i| dst.set(i, -src.get(i)));
    ///     Ok(())
    /// }
    /// neuron_library!(SIGNS: "signs" = [negate]);
    ///
    /// let mut sim = Simulator::new()?;
    /// let x = HostTensor::from_slice(&[2], &[1i32, -1])?;
    /// sim.launch((&SIGNS, "negate"), &args![&x])?.assert_clean();
    /// assert!(matches!(sim.launch((&SIGNS, "negatee"), &args![&x]), Err(LaunchError::UnknownOp { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[track_caller]
    pub fn launch<'n>(
        &mut self,
        target: impl Into<Target<'n>>,
        arguments: &[Arg<'_>],
    ) -> Result<Report, LaunchError> {
        self.run(target.into(), arguments, None, false)
    }

    /// As [`launch`](Self::launch), writing to a tensor that is in HBM already, which may be a view.
    ///
    /// # Errors
    /// As `launch`; and an output of another simulator, of other sizes or dtype than the op makes, whose elements
    /// [may overlap](neuron_device::Layout::overlaps_itself), or that reaches over an argument, unless the op says
    /// that it [may](neuron_device::Op::may_alias).
    ///
    /// ```
    /// use neuron_device::prelude::*;
    /// use neuron_host_sim::{HostTensor, Simulator, args};
    ///
    /// #[custom_op]
    /// fn negate(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    ///     let (src, dst) = (x.elements::<i32>(q7)?, out.elements_mut::<i32>(q7)?);
    ///     q7.partition_flat(src.numel()).into_iter().for_each(|i| dst.set(i, -src.get(i)));
    ///     Ok(())
    /// }
    /// let mut sim = Simulator::new()?;
    /// let all = sim.zeros(Dtype::I32, &[4])?;
    /// let x = HostTensor::from_slice(&[2], &[1i32, 2])?;
    /// sim.launch_into(op!(negate), &args![&x], &all.slice(0, 0, 4, 2)?)?.assert_clean();
    /// assert_eq!(all.to_host().to_vec::<i32>()?, [-1, 0, -2, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[track_caller]
    pub fn launch_into<'n>(
        &mut self,
        target: impl Into<Target<'n>>,
        arguments: &[Arg<'_>],
        output: &HbmTensor,
    ) -> Result<Report, LaunchError> {
        self.run(target.into(), arguments, Some(output), false)
    }

    #[track_caller]
    pub(crate) fn run(
        &mut self,
        target: Target<'_>,
        arguments: &[Arg<'_>],
        output: Option<&HbmTensor>,
        moods: bool,
    ) -> Result<Report, LaunchError> {
        let op = target.resolve()?;
        let marshalled = self.marshal(op, arguments, output)?;
        let plan = Arc::new(Plan {
            op,
            stamp: next_stamp(),
            arguments: marshalled.descriptors,
            destination: marshalled.destination,
            subjects: marshalled.subjects,
            poison: None,
            patience: self.patience,
            running: Arc::default(),
        });
        let _launching = self.hbm.in_use.write().unwrap_or_else(PoisonError::into_inner);
        let watchdog = self
            .watchdog
            .map(|limit| Watchdog::start(op.name(), limit, Arc::clone(&plan.running), watchdog::end_process));
        let _watchdog = watchdog.transpose().map_err(|error| LaunchError::Threads(error.to_string()))?;
        let mut found = Vec::new();
        if moods && self.checked {
            let (hbm, tensors, cores) = (&*self.hbm, self.tensors, &self.cores);
            let stage = Stage { hbm, tensors, plan: &plan, cores, new_output: output.is_none() };
            found.extend(stage.play().map_err(|error| LaunchError::Threads(error.to_string()))?);
        }
        self.threads.run(&plan);
        let mut cores: Vec<_> = self.cores.iter().map(locked).collect();
        if self.checked {
            let allocations = &marshalled.allocations;
            let (hbm, tensors, checks) = (&*self.hbm, self.tensors, self.checks);
            let joined = Joined { plan: &plan, hbm, tensors, allocations, checks };
            found.splice(0..0, joined.check(&mut cores));
            merge(&self.hbm, self.tensors, allocations, cores.iter_mut().map(|core| &mut **core));
        }
        let logs = cores.iter().map(|core| &core.log);
        let mut faults = report::grouped(logs.clone());
        faults.extend(found);
        faults.retain(|fault| self.checks.has(fault.kind()));
        let (faults, allowed) = allow::sorted(faults, &self.allowed);
        let logs: Vec<&Log> = logs.collect();
        let notes = portability::notes(&plan, &logs, &faults);
        let logs = logs.into_iter();
        Ok(Report::new(op, self.checked, logs, faults, allowed, notes, marshalled.output))
    }
}

/// A number no other launch of this process has: by it a tensor kept too long, or taken to another simulator, is told.
/// It is all simulators share, and it decides nothing else.
fn next_stamp() -> u64 {
    static LAUNCHES: AtomicU64 = AtomicU64::new(1);
    LAUNCHES.fetch_add(1, Ordering::Relaxed)
}
