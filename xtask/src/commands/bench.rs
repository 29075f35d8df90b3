//! `cargo xtask bench`: run the benchmarks, then show the ratios that matter beside their targets.

mod targets;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;
use std::time::SystemTime;

use anyhow::{Result, bail};

use crate::criterion;
use crate::outcome::Outcome;
use crate::project::Project;

/// What is run.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    #[command(subcommand)]
    what: Option<What>,
}

/// What there is beside the benchmarks of all the rest.
#[derive(Debug, clap::Subcommand)]
enum What {
    /// Fit the cost model to two rows of the vendor's ReLU table, predict the others and print the errors.
    VendorTable {
        /// Settings to begin with: a file like neuron-host-sim/cost-model.toml, which they are without it.
        settings: Option<PathBuf>,
    },
    /// Measure what an element costs by accessor, stream and tile, draw it, and name the lengths from which on staging wins.
    #[command(disable_help_flag = true)]
    Access {
        /// What the program is given, word for word; `--help` says more.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<OsString>,
    },
}

pub(crate) fn run(project: &Project, options: &Options) -> Result<Outcome> {
    match &options.what {
        None => benchmarks(project),
        Some(What::VendorTable { settings }) => {
            // The binary runs in the root, from where a relative path is not the caller's.
            let settings = settings.as_ref().map(std::path::absolute).transpose()?;
            let run =
                ["run", "--release", "--quiet", "--package", "neuron-tests", "--bin", "vendor-table", "--"];
            project.cargo(&run).args(settings).quiet().run()?;
            Ok(Outcome::Passed)
        }
        Some(What::Access { options }) => access(project, options),
    }
}

/// Started in the caller's folder, from where its files are named.
fn access(project: &Project, options: &[OsString]) -> Result<Outcome> {
    let build = ["build", "--release", "--quiet", "--package", "neuron-tests", "--bin", "access-bench"];
    project.cargo(&build).quiet().run()?;
    let mut program = Command::new(project.release_binary("access-bench"));
    program.args(options);
    if !options.iter().any(|option| option.to_string_lossy().starts_with("--out")) {
        program.arg("--out").arg(project.target.join("bench-access"));
    }
    let status = program.status()?;
    if !status.success() {
        bail!("access-bench: {status}");
    }
    Ok(Outcome::Passed)
}

/// A missed target is said, not failed: times depend on the machine and its load, instruction counts do not.
fn benchmarks(project: &Project) -> Result<Outcome> {
    let start = SystemTime::now();
    project.cargo(&["bench", "--package", "neuron-tests"]).run()?;
    let medians = criterion::medians(&project.target.join("criterion"), start)?;
    println!("\nRatios of medians\n{}", targets::render(&targets::TARGETS, &medians));
    Ok(Outcome::Passed)
}
