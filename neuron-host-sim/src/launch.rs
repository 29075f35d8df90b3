//! A launch, from arguments to report.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, MutexGuard, PoisonError};

use neuron_device::{Entry, Library, Op};

use crate::allow::{self, Allowed, Rule};
use crate::arg::Arg;
use crate::check::Joined;
use crate::check::merge::merge;
use crate::core::dataram::DmaTiming;
use crate::core::{Core, Log, Outcome, Plan};
use crate::error::LaunchError;
use crate::fault::{Fault, FaultKind};
use crate::hbm::allocation::Allocation;
use crate::marshal::Marshalled;
use crate::moods::Stage;
use crate::portability;
use crate::profile::Profile;
use crate::replay::NotKept;
use crate::replay::kept::{Kept, Setting};
use crate::report::{self, Report};
use crate::simulator::Simulator;
use crate::tensor::hbm::HbmTensor;
use crate::threads::locked;
use crate::watchdog::{self, Watchdog};
use crate::what_if::WhatIf;

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
    /// The op itself, as [`op!`](neuron_device::op) gives it: booted as a [library of itself](Library::of_one).
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
    /// The library it is named by.
    fn library(self) -> Option<&'static str> {
        match self {
            Self::Op(_) => None,
            Self::Named(library, _) => Some(library.name()),
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
        let (op, entry) = self.boot(target)?;
        if moods && !self.checked {
            return Err(LaunchError::UncheckedMoods);
        }
        let marshalled = self.marshal(op, arguments, output)?;
        let plan = Arc::new(self.plan((op, entry), &marshalled));
        let keep =
            |sim: &Self| Kept::take(&sim.hbm, (target.library(), op), sim.setting(), arguments, &marshalled);
        let _launching = self.hbm.in_use.write().unwrap_or_else(PoisonError::into_inner);
        let watchdog = self
            .watchdog
            .map(|limit| Watchdog::start(op.name(), limit, Arc::clone(&plan.running), watchdog::end_process));
        let _watchdog = watchdog.transpose().map_err(|error| LaunchError::Threads(error.to_string()))?;
        let mut found = Vec::new();
        if moods {
            let (hbm, tensors, cores) = (&*self.hbm, self.tensors, &self.cores);
            let stage = Stage { hbm, tensors, plan: &plan, cores, new_output: output.is_none() };
            found.extend(stage.play().map_err(|error| LaunchError::Threads(error.to_string()))?);
        }
        let asked = self.keep_inputs.then(|| keep(self));
        let strict = self.profile == Profile::Documented;
        let apart = moods || asked.is_some() || self.what_if != WhatIf::default() || strict;
        let over = self.checked && !apart && self.run_together(&plan, &marshalled, output.is_none());
        if !over {
            self.threads.run(&plan);
        }
        let mut cores: Vec<_> = self.cores.iter().map(locked).collect();
        let (mut faults, mut allowed) = (Vec::new(), Vec::new());
        if !over {
            (faults, allowed) = self.judge(&plan, &marshalled.allocations, &mut cores, found);
        }
        let returned = cores.iter().all(|core| core.log.outcome == Outcome::Returned);
        let kept = match asked {
            Some(kept) => kept,
            None if faults.is_empty() && returned => Err(NotKept::Clean),
            None if self.checked => keep(self),
            None => Err(NotKept::Unchecked),
        };
        if self.checked && !over {
            let cores = cores.iter_mut().map(|core| &mut **core);
            let line = self.what_if.line_write_back;
            merge(&self.hbm, (self.tensors, line), &marshalled.allocations, cores);
        }
        let logs: Vec<&Log> = cores.iter().map(|core| &core.log).collect();
        let notes = portability::notes(&plan, &logs, &faults);
        let logs = logs.into_iter();
        let setting = (self.checked, self.profile, self.what_if);
        let report =
            Report::new(op, setting, logs.clone(), (faults, allowed), notes, kept, marshalled.output);
        Ok(match &self.cost_model {
            Some(model) => report.timed(model, logs),
            None => report,
        })
    }

    /// What every core is given.
    pub(crate) fn plan(&self, (op, entry): (&'static Op, &'static Entry), marshalled: &Marshalled) -> Plan {
        Plan {
            op,
            entry,
            stamp: next_stamp(),
            arguments: marshalled.descriptors.clone(),
            destination: marshalled.destination,
            subjects: marshalled.subjects.clone(),
            sbuf_records: marshalled.sbuf_records.clone(),
            sbuf_addresses: self.hbm.sbuf_addresses,
            poison: None,
            patience: self.patience,
            tensors: self.tensors,
            together: false,
            dma: self.dma,
            profile: self.profile,
            cpu_count: self.cpu_count(),
            what_if: self.what_if,
            stack: self.stack,
            console: self.console,
            timed: self.cost_model.is_some(),
            running: Arc::default(),
        }
    }

    /// What is wrong with a launch whose cores have joined, and whose memory is not merged yet: the faults that are held
    /// against it, and those that are meant. `found` are some that were found before.
    pub(crate) fn judge(
        &self,
        plan: &Arc<Plan>,
        allocations: &[Arc<Allocation>],
        cores: &mut [MutexGuard<'_, Core>],
        found: Vec<Fault>,
    ) -> (Vec<Fault>, Vec<Allowed>) {
        let mut joined = Vec::new();
        if self.checked {
            let (hbm, tensors, checks) = (&*self.hbm, self.tensors, self.checks);
            joined = Joined { plan, hbm, tensors, allocations, checks }.check(cores);
        }
        let mut faults = report::grouped(cores.iter().map(|core| &core.log));
        let logs: Vec<&Log> = cores.iter().map(|core| &core.log).collect();
        faults.extend(portability::faults(plan, &logs));
        faults.extend(joined);
        faults.extend(found);
        faults.retain(|fault| self.checks.has(fault.kind()));
        allow::sorted(faults, &self.allowed)
    }

    /// What a launch depends on besides its arguments.
    fn setting(&self) -> Setting {
        let without = FaultKind::ALL.into_iter().filter(|&kind| !self.checks.has(kind));
        Setting {
            cores: self.cores(),
            scratch: self.scratch,
            tcm: self.tcm,
            copies_at_wait: self.dma == DmaTiming::AtWait,
            profile: self.profile,
            constant_cpu_count: self.constant_cpu_count,
            what_if: self.what_if,
            stack: self.stack,
            console: self.console,
            patience: self.patience,
            without: without.map(|kind| kind.name().to_owned()).collect(),
            allowed: self.allowed.iter().map(Rule::to_meant).collect(),
        }
    }
}

/// A number no other launch of this process has: by it a tensor kept too long, or taken to another simulator, is told.
/// It is all simulators share, and it decides nothing else.
fn next_stamp() -> u64 {
    static LAUNCHES: AtomicU64 = AtomicU64::new(1);
    LAUNCHES.fetch_add(1, Ordering::Relaxed)
}

#[cfg(test)]
mod tests;
