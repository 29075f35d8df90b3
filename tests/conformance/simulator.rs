//! The simulator as a harness, checked and unchecked.

use neuron_device::Op;
use neuron_host_sim::{Arg, DmaTiming, Outcome, Simulator};

use crate::harness::{Given, Harness, Ran, Wanted};

/// Every check on, one host thread a core.
pub(crate) struct Checked(Simulator);
/// Every check off, two host threads, DMA as late as can be.
pub(crate) struct Unchecked(Simulator);

impl Harness for Checked {
    fn new(cores: u32) -> Self {
        Self(Simulator::builder().cores(cores).host_threads(cores as usize).build().unwrap())
    }
    fn cores(&self) -> u32 {
        self.0.cores()
    }
    fn run(&mut self, op: &'static Op, arguments: &[Given<'_>], wanted: Wanted) -> Ran {
        run(&mut self.0, op, arguments, wanted)
    }
}

impl Harness for Unchecked {
    fn new(cores: u32) -> Self {
        let builder = Simulator::builder().cores(cores).host_threads(2).dma_timing(DmaTiming::AtWait);
        Self(builder.unchecked().build().unwrap())
    }
    fn cores(&self) -> u32 {
        self.0.cores()
    }
    fn run(&mut self, op: &'static Op, arguments: &[Given<'_>], wanted: Wanted) -> Ran {
        run(&mut self.0, op, arguments, wanted)
    }
}

fn run(sim: &mut Simulator, op: &'static Op, arguments: &[Given<'_>], wanted: Wanted) -> Ran {
    let arguments: Vec<Arg<'_>> = arguments
        .iter()
        .map(|given| match given {
            Given::Tensor(tensor) => Arg::from(*tensor),
            Given::Value(value) => Arg::from(*value),
        })
        .collect();
    let layout = wanted.layout;
    let storage = sim.zeros(wanted.dtype, &[wanted.storage as u32]).unwrap();
    let strides: Vec<i64> = layout.strides().iter().map(|&stride| stride as i64).collect();
    let output = storage.as_strided(layout.sizes(), &strides, layout.offset()).unwrap();
    let report = sim.launch_into(op, &arguments, &output).unwrap();
    let cores = report.cores().iter().map(|core| match &core.outcome {
        Outcome::Returned => Ok(()),
        Outcome::Failed(error) => Err(error.to_string()),
        Outcome::Panicked(message) => Err(message.clone()),
        other => Err(format!("{other:?}")),
    });
    let counters = report.cores().iter().map(|core| core.counters).collect();
    Ran { storage: storage.to_host(), output: output.to_host(), cores: cores.collect(), counters }
}
