//! A kernel that returns its result: `factor * x` on eight simulated cores.

#[path = "shared/machine.rs"]
mod machine;
#[path = "shared/outcome.rs"]
mod outcome;

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use neuron_device::op;
use neuron_examples::scale;
use neuron_host_sim::{HostTensor, args};

/// Scale a vector on eight simulated cores, verify the result, print the report.
#[derive(Parser)]
struct Options {
    /// Elements of the vector.
    #[arg(long, default_value_t = 4103, value_parser = clap::value_parser!(u32).range(..=16 << 20))]
    n: u32,
    /// What it is multiplied by.
    #[arg(long, default_value_t = -1.5, allow_negative_numbers = true)]
    factor: f32,
    #[command(flatten)]
    timing: machine::Timing,
}

fn main() -> Result<ExitCode> {
    let Options { n, factor, timing } = Options::parse();
    let xs: Vec<f32> = (0..n).map(|i| i as f32).collect();
    let x = HostTensor::from_slice(&[n], &xs)?;
    let mut sim = timing.simulator()?;
    let report = sim.launch(op!(scale::scale), &args![&x, factor])?;
    let right = outcome::verify(&report, xs.iter().map(|x| factor * x))?;
    timing.save(&report)?;
    Ok(right)
}
