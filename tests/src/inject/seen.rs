//! [`Checked`]: what the simulator reports of a launch, every check on.

use std::collections::BTreeSet;

use anyhow::Result;
use neuron_host_sim::{Outcome, Simulator, StackSettings};

use crate::compare::{Trial, launch};

/// Cores of every launch.
pub(super) const CORES: u32 = 8;

/// HBM scratch of a core.
pub(super) const SCRATCH: u64 = 64 << 10;

/// Accesses that bring nothing new before a core is stopped: many more than a launch has.
pub(super) const PATIENCE: u64 = 1 << 18;

/// Kinds of faults, and ends of cores.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Seen(BTreeSet<&'static str>);

impl Seen {
    pub(super) fn add(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// The names of the kinds; `error` and `panic` for ends, `refused` for a launch that no core began.
    pub(super) fn words(self) -> BTreeSet<&'static str> {
        self.0
    }
}

/// The simulator.
pub(super) struct Checked(Simulator);

impl Checked {
    pub(super) fn new() -> Result<Self> {
        // A mutant of a share puts another core, with all that it keeps, on the kernel's stack, where no kernel has one.
        let stack = StackSettings { host_bytes: 16, ..StackSettings::default() };
        let builder = Simulator::builder().cores(CORES).host_threads(1).stack(stack);
        Ok(Self(builder.scratch(SCRATCH).patience(PATIENCE).build()?))
    }

    /// Launch the trial and see what is reported.
    pub(super) fn launch(&mut self, trial: &Trial) -> Seen {
        let Ok(report) = launch(&mut self.0, trial) else { return Seen(BTreeSet::from(["refused"])) };
        let faults = report.faults().iter().map(|fault| fault.kind().name());
        let ends = report.cores().iter().filter_map(|core| match core.outcome {
            Outcome::Failed(_) => Some("error"),
            Outcome::Panicked(_) => Some("panic"),
            // Of a core that was stopped a fault tells why.
            _ => None,
        });
        Seen(faults.chain(ends).collect())
    }
}
