//! [`Simulators`]: what is right, by the simulator.

use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use anyhow::{Result, bail, ensure};
use neuron_host_sim::{Arg, HostTensor, Outcome, Simulator};

use super::setting::SCRATCH_BYTES;
use super::trial::{Trial, Value};
use crate::reply::{CoreEnd, Reply};

/// A simulator for each number of cores, all checks on.
#[derive(Debug)]
pub struct Simulators(Vec<Simulator>);

impl Simulators {
    /// Of 8 cores and of 1.
    ///
    /// # Errors
    /// A host that gives no memory.
    pub fn new() -> Result<Self> {
        let simulator =
            |cores| Simulator::builder().cores(cores).host_threads(1).scratch(SCRATCH_BYTES).build();
        Ok(Self(Vec::from([simulator(8)?, simulator(1)?])))
    }

    /// Launch the trial on `cores` cores. The windows the cores used are their own affair: the reply has none.
    ///
    /// # Errors
    /// A launch that is refused, or whose kernel has a fault or panics: nothing to compare with.
    pub fn launch(&mut self, trial: &Trial, cores: u32) -> Result<Reply, String> {
        self.try_launch(trial, cores).map_err(|error| format!("{error:#}"))
    }

    fn try_launch(&mut self, trial: &Trial, cores: u32) -> Result<Reply> {
        let Some(simulator) = self.0.iter_mut().find(|simulator| simulator.cores() == cores) else {
            bail!("no simulator of {cores} cores");
        };
        let hosts = trial.arguments.iter().map(|value| match value {
            Value::Tensor(tensor) => tensor.to_host().map(Some),
            Value::Scalar(_) => Ok(None),
        });
        let hosts: Vec<Option<HostTensor>> = hosts.collect::<Result<_>>()?;
        let arguments: Vec<Arg<'_>> = trial
            .arguments
            .iter()
            .zip(&hosts)
            .map(|(value, host)| match (value, host) {
                (Value::Scalar(scalar), _) => Arg::from(*scalar),
                (Value::Tensor(_), Some(tensor)) => Arg::from(tensor),
                (Value::Tensor(_), None) => unreachable!("every tensor was made a host's"),
            })
            .collect();
        let output = simulator.upload(&trial.output.to_host()?)?;
        let report = simulator.launch_into((trial.library, trial.op.name()), &arguments, &output)?;
        ensure!(report.faults().is_empty(), "the launch has faults\n{report}");
        let ends = report.cores().iter().map(|core| {
            let error = match &core.outcome {
                Outcome::Returned => None,
                Outcome::Failed(error) => Some(error.to_string()),
                other => bail!("core {} ended so: {other:?}", core.core),
            };
            Ok(CoreEnd { error, counters: core.counters, fingerprint: 0 })
        });
        let ends = ends.collect::<Result<_>>()?;
        // The whole storage, gaps and all.
        let elems = u32::try_from(trial.output.elems())?;
        let answer = report.output().as_strided(&[elems], &[1], 0)?.to_host().to_bytes();
        Ok(Reply::Ran { cores: ends, answer })
    }
}
