//! Runs every case on a 32-bit image under QEMU and compares with the simulator: `rv32-compare IMAGE`.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use neuron_tests::compare::{Image, prepare, refuses_wrong_images, run, trials};

fn main() -> Result<ExitCode> {
    let image = std::env::args_os().nth(1).context("name the image: rv32-compare IMAGE")?;
    let trials = trials();
    let image = Image::under_qemu(Path::new(&image));
    refuses_wrong_images(&image)?;
    let summary = run(&prepare(&trials)?, &image)?;
    println!("{summary}");
    let right = summary.failures().is_empty() && summary.forgotten().is_empty();
    Ok(if right { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
