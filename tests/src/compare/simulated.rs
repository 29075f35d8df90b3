//! [`Simulators`]: what is right, by the simulator.

use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use anyhow::{Result, bail, ensure};
use neuron_device::Scalar;
use neuron_host_sim::{Arg, HbmTensor, HostTensor, Outcome, Report, Simulator};

use super::setting::SCRATCH_BYTES;
use super::trial::{Trial, Value};
use crate::reply::{CoreEnd, Reply};

/// An argument, where the simulator wants it.
enum Given {
    Host(HostTensor),
    Hbm(HbmTensor),
    Scalar(Scalar),
}

impl<'a> From<&'a Given> for Arg<'a> {
    fn from(given: &'a Given) -> Self {
        match given {
            Given::Host(tensor) => tensor.into(),
            Given::Hbm(tensor) => tensor.into(),
            Given::Scalar(scalar) => (*scalar).into(),
        }
    }
}

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
        let report = launch(simulator, trial)?;
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

/// Launch the trial, whatever comes of it.
///
/// # Errors
/// A launch that is refused.
pub fn launch(simulator: &mut Simulator, trial: &Trial) -> Result<Report> {
    let given = trial.arguments.iter().map(|value| match value {
        Value::Tensor(tensor) if tensor.is_partial() => tensor.to_hbm(simulator).map(Given::Hbm),
        Value::Tensor(tensor) => tensor.to_host().map(Given::Host),
        Value::Scalar(scalar) => Ok(Given::Scalar(*scalar)),
    });
    let given: Vec<Given> = given.collect::<Result<_>>()?;
    let arguments: Vec<Arg<'_>> = given.iter().map(Arg::from).collect();
    let output = simulator.upload(&trial.output.to_host()?)?;
    Ok(simulator.launch_into((trial.library, trial.op.name()), &arguments, &output)?)
}
