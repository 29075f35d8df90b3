//! Two inputs and a value: `x + alpha * y` on eight simulated cores.

#[path = "shared/machine.rs"]
mod machine;
#[path = "shared/outcome.rs"]
mod outcome;

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use neuron_device::op;
use neuron_examples::vector_add;
use neuron_host_sim::{HostTensor, args};

/// Add two vectors on eight simulated cores, verify the result, print the report.
#[derive(Parser)]
struct Options {
    /// Elements of each vector.
    #[arg(long, default_value_t = 10_007, value_parser = clap::value_parser!(u32).range(..=16 << 20))]
    n: u32,
    /// What `y` is multiplied by.
    #[arg(long, default_value_t = 0.5, allow_negative_numbers = true)]
    alpha: f32,
    #[command(flatten)]
    timing: machine::Timing,
}

fn main() -> Result<ExitCode> {
    let Options { n, alpha, timing } = Options::parse();
    let xs: Vec<f32> = (0..n).map(|i| i as f32).collect();
    let ys: Vec<f32> = (0..n).map(|i| 1.0 / (1.0 + i as f32)).collect();
    let (x, y) = (HostTensor::from_slice(&[n], &xs)?, HostTensor::from_slice(&[n], &ys)?);
    let mut sim = timing.simulator()?;
    let report = sim.launch(op!(vector_add::vector_add), &args![&x, &y, alpha])?;
    let right = outcome::verify(&report, xs.iter().zip(&ys).map(|(x, y)| x + alpha * y))?;
    timing.save(&report)?;
    Ok(right)
}
