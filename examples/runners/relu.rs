//! The main job: relu over a real data set, or over a `.npy` file, on eight simulated cores.

#[path = "shared/machine.rs"]
mod machine;
#[path = "shared/outcome.rs"]
mod outcome;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Parser, ValueEnum};
use neuron_device::{Op, op};
use neuron_examples::{relu, relu_staged, relu_streamed};
use neuron_host_sim::{HostTensor, args};

/// Run relu on eight simulated cores, verify the result, print the report.
#[derive(Parser)]
struct Options {
    /// f32 tensor of 0 to 8 dimensions; by default the handwritten digits, each pixel less 8, so that relu has work.
    #[arg(long, value_name = "FILE.npy")]
    input: Option<PathBuf>,
    /// Where to write the result, if it is verified and the launch clean.
    #[arg(long, value_name = "FILE.npy")]
    output: Option<PathBuf>,
    /// How the kernel reaches the elements: each through the window table, or copied to the core's own memory first.
    #[arg(long, value_enum, default_value_t = By::Elements)]
    by: By,
    #[command(flatten)]
    timing: machine::Timing,
}

/// The three kernels that do the same.
#[derive(Clone, Copy, ValueEnum)]
enum By {
    Elements,
    Tiles,
    Streams,
}

impl By {
    fn op(self) -> &'static Op {
        match self {
            Self::Elements => op!(relu::relu),
            Self::Tiles => op!(relu_staged::relu_staged),
            Self::Streams => op!(relu_streamed::relu_streamed),
        }
    }
}

fn digits() -> Result<HostTensor> {
    let file = HostTensor::from_npy_file(concat!(env!("CARGO_MANIFEST_DIR"), "/data/digits.npy"))?;
    Ok(HostTensor::from_ndarray(&(file.to_ndarray::<f32>()? - 8.0))?)
}

fn main() -> Result<ExitCode> {
    let options = Options::parse();
    let x = match &options.input {
        Some(path) => HostTensor::from_npy_file(path).with_context(|| path.display().to_string())?,
        None => digits()?,
    };
    let name = options.input.as_deref().map_or("digits.npy".into(), Path::to_string_lossy);
    let values = x.to_vec::<f32>().with_context(|| format!("{name} cannot be relu's input"))?;
    let mut sim = options.timing.simulator()?;
    let report = sim.launch(options.by.op(), &args![&x])?;
    let right = outcome::verify(&report, values.into_iter().map(|v| if v < 0.0 { 0.0 } else { v }))?;
    options.timing.save(&report)?;
    if let Some(path) = options.output.filter(|_| right == ExitCode::SUCCESS) {
        report.output().to_host().to_npy_file(path)?;
    }
    Ok(right)
}
