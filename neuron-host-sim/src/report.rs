//! [`Report`]: what a launch did, the same for the same kernel and arguments, whatever the host.

mod json;
mod text;

use std::collections::HashMap;

use neuron_device::{Counters, Op};

use crate::core::faults::Key;
use crate::core::{Log, Outcome};
use crate::fault::Fault;
use crate::tensor::hbm::HbmTensor;

/// What one core did.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CoreReport {
    /// Its number.
    pub core: u32,
    /// How its work ended.
    pub outcome: Outcome,
    /// Loads, stores, translations.
    pub counters: Counters,
}

/// The result of a launch: outcome and counters of each core, faults, and the output.
///
/// As text by `Display`, as JSON by [`to_json`](Self::to_json); both are the same, byte for byte, for the same launch.
/// Values a racing kernel reads are its own core's, so this holds for it too.
#[derive(Debug)]
#[must_use = "a kernel that went wrong says so only here"]
pub struct Report {
    op: &'static Op,
    checked: bool,
    cores: Vec<CoreReport>,
    faults: Vec<Fault>,
    output: HbmTensor,
}

impl Report {
    pub(crate) fn new<'l>(
        op: &'static Op,
        checked: bool,
        logs: impl Iterator<Item = &'l Log> + Clone,
        coverage: Vec<Fault>,
        output: HbmTensor,
    ) -> Self {
        let mut faults = grouped(logs.clone());
        faults.extend(coverage);
        let core = |(core, log): (u32, &Log)| CoreReport { core, outcome: log.outcome.clone(), counters: log.counters };
        Self { op, checked, cores: (0..).zip(logs).map(core).collect(), faults, output }
    }

    /// The op that was launched.
    pub fn op(&self) -> &'static Op {
        self.op
    }

    /// Were the checks that cost time on?
    pub fn is_checked(&self) -> bool {
        self.checked
    }

    /// What each core did.
    pub fn cores(&self) -> &[CoreReport] {
        &self.cores
    }

    /// The faults, each once: those of accesses in the order of the cores, then those of the output.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// The launch's output. After a fault, its values are those of the kernel as it is.
    pub fn output(&self) -> &HbmTensor {
        &self.output
    }

    /// Did every core return, without a fault?
    pub fn is_clean(&self) -> bool {
        self.faults.is_empty() && self.cores.iter().all(|core| core.outcome == Outcome::Returned)
    }

    /// Panic with the report's text unless the launch was clean: for tests.
    ///
    /// # Panics
    /// If a core failed, panicked or was stopped, or there is a fault.
    #[track_caller]
    pub fn assert_clean(&self) {
        assert!(self.is_clean(), "the launch was not clean\n{self}");
    }

    /// All counters added up.
    fn total(&self) -> Counters {
        let mut total = Counters::default();
        for core in &self.cores {
            total.loads += core.counters.loads;
            total.stores += core.counters.stores;
            for (sum, window) in total.windows.iter_mut().zip(core.counters.windows) {
                sum.hits += window.hits;
                sum.misses += window.misses;
                sum.evictions += window.evictions;
            }
        }
        total
    }
}

/// Equal faults of several cores are one.
fn grouped<'l>(logs: impl Iterator<Item = &'l Log>) -> Vec<Fault> {
    let mut faults: Vec<Fault> = Vec::new();
    let mut index: HashMap<&Key, usize> = HashMap::new();
    for (core, log) in (0..).zip(logs) {
        for (key, tally) in log.faults.groups() {
            let at = *index.entry(key).or_insert_with(|| {
                faults.push(Fault {
                    kind: key.kind,
                    verdict: key.verdict,
                    access: key.access,
                    argument: key.argument,
                    tensor: key.tensor.clone(),
                    count: 0,
                    first: tally.first.clone(),
                    cores: Vec::new(),
                    sites: vec![key.site],
                });
                faults.len() - 1
            });
            faults[at].count += tally.count;
            faults[at].cores.push(core);
        }
    }
    faults
}
