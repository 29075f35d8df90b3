//! What is looked for when all cores have joined.

pub(crate) mod accesses;
mod coverage;
pub(crate) mod merge;
mod place;
mod races;
pub(crate) mod subjects;
mod uninitialised;
mod values;

use std::sync::{Arc, MutexGuard};

use self::subjects::{Role, Subject, Subjects};
use crate::bitmap::Bitmap;
use crate::core::trace::{ByLine, Trace};
use crate::core::{Core, Log, Outcome, Plan};
use crate::fault::Fault;
use crate::hbm::Hbm;
use crate::hbm::allocation::Allocation;

/// A launch whose cores have joined, and whose memory is not merged yet.
#[derive(Debug)]
pub(crate) struct Joined<'a> {
    pub(crate) plan: &'a Arc<Plan>,
    pub(crate) hbm: &'a Hbm,
    /// Where tensors begin; below is scratch.
    pub(crate) tensors: u64,
    /// What the launch's tensors lie in.
    pub(crate) allocations: &'a [Arc<Allocation>],
}

impl Joined<'_> {
    /// Look for everything that only shows when what all cores did is known. Where bitmaps cannot tell, cores run
    /// again.
    pub(crate) fn check(
        &self,
        mut subjects: Subjects,
        cores: &mut [MutexGuard<'_, Core>],
    ) -> (Vec<Fault>, Subjects) {
        subjects.extend(cores.iter().enumerate().flat_map(|(core, guard)| made(core as u32, &guard.log)));
        let op = self.plan.op.name();
        let logs: Vec<&Log> = cores.iter().map(|core| &core.log).collect();
        let contended = races::contended(&logs);
        let suspects: Vec<_> = logs
            .iter()
            .map(|log| uninitialised::suspects(log, self.tensors, self.allocations, &contended))
            .collect();
        let questions = |(log, suspects): (&&Log, Bitmap)| {
            let reads = log.shadow.reads().meets_any(&contended);
            let contended = if reads { contended.clone() } else { Bitmap::default() };
            (reads || !suspects.is_empty()).then(|| Trace::new(suspects, contended))
        };
        let questions: Vec<Option<Trace>> = logs.iter().zip(suspects).map(questions).collect();
        let answer = |(core, questions): (&mut MutexGuard<'_, Core>, Option<Trace>)| {
            questions.map_or_else(Trace::default, |trace| core.run_again(self.hbm, self.plan, trace))
        };
        let mut found: Vec<Trace> = cores.iter_mut().zip(questions).map(answer).collect();
        let readers: Vec<ByLine> = found.iter_mut().map(|trace| std::mem::take(&mut trace.readers)).collect();
        let uninitialised: Vec<ByLine> =
            found.iter_mut().map(|trace| std::mem::take(&mut trace.uninitialised)).collect();
        let mut faults = Vec::new();
        if !contended.is_empty() {
            let cores: Vec<&Core> = cores.iter().map(|core| &**core).collect();
            faults = races::check(op, &contended, &subjects, self.hbm, &cores, &readers);
        }
        faults.extend(uninitialised::check(op, &subjects, &uninitialised));
        let logs: Vec<&Log> = cores.iter().map(|core| &core.log).collect();
        // What a core that did not return would have written is not known.
        if logs.iter().all(|log| log.outcome == Outcome::Returned) {
            faults.extend(subjects.output().and_then(|output| coverage::check(op, output, &logs)));
        }
        (faults, subjects)
    }
}

/// The tensors a core made.
fn made(core: u32, log: &Log) -> impl Iterator<Item = Subject> {
    log.allocations.iter().map(move |made| Subject {
        name: "scratch",
        role: Role::Scratch(core),
        storage: made.storage,
        bytes: made.layout.numel() * made.dtype.size(),
        dtype: made.dtype,
        layout: made.layout,
        allocated: Some(made.site),
    })
}
