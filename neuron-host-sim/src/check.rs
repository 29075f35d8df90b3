//! What is looked for when all cores have joined.

mod coverage;
mod lines;
pub(crate) mod merge;
mod races;
mod uninitialised;
pub(crate) mod values;

pub(crate) use self::races::contended;
pub(crate) use self::uninitialised::suspects;

use std::sync::{Arc, MutexGuard};

use crate::bitmap::Bitmap;
use crate::checks::Checks;
use crate::core::trace::{ByLine, Trace};
use crate::core::{Core, Log, Outcome, Plan};
use crate::fault::{Fault, FaultKind};
use crate::hbm::Hbm;
use crate::hbm::allocation::Allocation;
use crate::subjects::{Role, Subject, Subjects};

/// A launch whose cores have joined, and whose memory is not merged yet.
#[derive(Debug)]
pub(crate) struct Joined<'a> {
    pub(crate) plan: &'a Arc<Plan>,
    pub(crate) hbm: &'a Hbm,
    /// Where tensors begin; below is scratch.
    pub(crate) tensors: u64,
    /// What the launch's tensors lie in.
    pub(crate) allocations: &'a [Arc<Allocation>],
    pub(crate) checks: Checks,
}

impl Joined<'_> {
    /// Is there nothing to look for? Did every core return, without a fault, and touch nothing that another wrote, and
    /// was everything written that had to be?
    pub(crate) fn is_clean(&self, cores: &[MutexGuard<'_, Core>]) -> bool {
        let logs: Vec<&Log> = cores.iter().map(|core| &core.log).collect();
        let returned = |log: &&Log| log.outcome == Outcome::Returned && log.faults.faults().is_empty();
        if !logs.iter().all(returned) {
            return false;
        }
        let contended = races::contended(&logs);
        let output = self.plan.subjects.iter().find(|subject| subject.role == Role::Output);
        contended.is_empty()
            && logs.iter().all(|log| self.suspects(log, &contended).is_empty())
            && output.is_none_or(|output| coverage::check(self.plan.op.name(), output, &logs).is_none())
    }

    /// Bytes the core may have read before anything was written there.
    fn suspects(&self, log: &Log, contended: &Bitmap) -> Bitmap {
        if self.checks.has(FaultKind::Uninitialised) {
            uninitialised::suspects(log, self.tensors, self.allocations, contended)
        } else {
            Bitmap::default()
        }
    }

    /// Look for everything that only shows when what all cores did is known.
    pub(crate) fn check(&self, cores: &mut [MutexGuard<'_, Core>]) -> Vec<Fault> {
        let mut faults = self.contention(cores);
        if let Some(line) = self.plan.what_if.line_write_back {
            let cores: Vec<&Core> = cores.iter().map(|core| &**core).collect();
            let subjects = Subjects { passed: &self.plan.subjects, made: &[] };
            faults.extend(lines::check(self.plan.op.name(), line, self.tensors, subjects, &cores));
        }
        let logs: Vec<&Log> = cores.iter().map(|core| &core.log).collect();
        // What a core that did not return would have written is not known.
        let all_returned = logs.iter().all(|log| log.outcome == Outcome::Returned);
        if all_returned && self.checks.has(FaultKind::Coverage) {
            let output = self.plan.subjects.iter().find(|subject| subject.role == Role::Output);
            let missing = output.and_then(|output| coverage::check(self.plan.op.name(), output, &logs));
            faults.extend(missing);
        }
        faults
    }

    /// Races, and reads of what nobody wrote. Where bitmaps cannot tell, cores run again.
    fn contention(&self, cores: &mut [MutexGuard<'_, Core>]) -> Vec<Fault> {
        let logs: Vec<&Log> = cores.iter().map(|core| &core.log).collect();
        let contended = races::contended(&logs);
        let suspects: Vec<_> = logs.iter().map(|log| self.suspects(log, &contended)).collect();
        if contended.is_empty() && suspects.iter().all(Bitmap::is_empty) {
            return Vec::new();
        }
        let questions = |(log, suspects): (&&Log, Bitmap)| {
            let reads = self.checks.has(FaultKind::Race) && log.shadow.reads().meets_any(&contended);
            let contended = if reads { contended.clone() } else { Bitmap::default() };
            (reads || !suspects.is_empty()).then(|| Trace::new(suspects, contended))
        };
        let questions: Vec<Option<Trace>> = logs.iter().zip(suspects).map(questions).collect();
        let answer = |(core, questions): (&mut MutexGuard<'_, Core>, Option<Trace>)| {
            questions.map_or_else(Trace::default, |trace| core.run_again(self.hbm, self.plan, trace))
        };
        let mut found: Vec<Trace> = cores.iter_mut().zip(questions).map(answer).collect();
        let readers: Vec<ByLine> = found.iter_mut().map(|trace| std::mem::take(&mut trace.readers)).collect();
        let made: Vec<Subject> = cores.iter().flat_map(|core| core.log.made.iter().cloned()).collect();
        let subjects = Subjects { passed: &self.plan.subjects, made: &made };
        let op = self.plan.op.name();
        let mut faults = Vec::new();
        if !contended.is_empty() && self.checks.has(FaultKind::Race) {
            let cores: Vec<&Core> = cores.iter().map(|core| &**core).collect();
            faults = races::check(op, &contended, subjects, &cores, &readers);
        }
        faults.extend(uninitialised::check(op, subjects, &found));
        faults
    }
}
