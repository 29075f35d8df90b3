//! The machine a runner runs on, and what is asked about its time.

use std::fs::File;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use neuron_host_sim::cost::CostModel;
use neuron_host_sim::{Report, Simulator};

// No doc comment: clap would take it for what the program is about.
#[derive(clap::Args)]
pub(crate) struct Timing {
    /// Write what happened when, in modelled time, to a file for ui.perfetto.dev: the cores, their DMA queues and windows.
    /// The report then says what the launch would take on the machine: modelled, not measured.
    #[arg(long, value_name = "FILE.json")]
    trace: Option<PathBuf>,
    /// Model the launch's time by these settings, a file like neuron-host-sim/cost-model.toml, which they are without it.
    #[arg(long, value_name = "FILE.toml")]
    model: Option<PathBuf>,
}

impl Timing {
    /// Eight cores, every check on; a kernel in an endless loop is named after a minute.
    pub(crate) fn simulator(&self) -> Result<Simulator> {
        let machine = Simulator::builder().watchdog(Duration::from_secs(60));
        let machine = match (&self.model, &self.trace) {
            (Some(file), _) => machine.cost_model(CostModel::from_file(file)?),
            (None, Some(_)) => machine.cost_model(CostModel::default()),
            (None, None) => machine,
        };
        Ok(machine.build()?)
    }

    /// Write the trace, if one is wanted.
    pub(crate) fn save(&self, report: &Report) -> Result<()> {
        let Some((path, timeline)) = self.trace.as_ref().zip(report.timeline()) else { return Ok(()) };
        let written = File::create(path).and_then(|file| timeline.write(file));
        written.with_context(|| {
            format!("the trace cannot be written to {}: give another path by --trace", path.display())
        })
    }
}
