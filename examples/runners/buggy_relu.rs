//! A published mistake, found: the exit code is 0 only where the length happens to divide.

#[path = "shared/machine.rs"]
mod machine;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use neuron_device::op;
use neuron_examples::buggy_relu;
use neuron_host_sim::{HostTensor, args};

/// Run the vendor sample's multicore ReLU, mistake included, and print what is found.
#[derive(Parser)]
struct Options {
    /// Elements of the vector; the mistake shows where 8 does not divide it.
    #[arg(long, default_value_t = 17, value_parser = clap::value_parser!(u32).range(..=16 << 20))]
    n: u32,
    /// Print the report as JSON, and nothing else.
    #[arg(long)]
    json: bool,
    /// Save the launch to a file, for `cargo xtask replay`, if something is found.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    #[command(flatten)]
    timing: machine::Timing,
}

fn main() -> Result<ExitCode> {
    let Options { n, json, save, timing } = Options::parse();
    let x = HostTensor::from_slice(&[n], &(0..n).map(|i| i as f32).collect::<Vec<_>>())?;
    let mut sim = timing.simulator()?;
    let report = sim.launch(op!(buggy_relu::buggy_relu), &args![&x])?;
    if json {
        println!("{}", report.to_json());
    } else {
        report.print()?;
    }
    timing.save(&report)?;
    if let Some(path) = save.filter(|_| !report.is_clean()) {
        report.save(path)?;
    }
    Ok(if report.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
