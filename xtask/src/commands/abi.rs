//! `cargo xtask abi`: questions about the boundary between host and core, by way of a program of tests/.

use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::project::Project;

/// The question, word for word.
#[derive(Debug, clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Options {
    /// `dtype CODE`: does a tensor of this dtype code cross to a core? Ends with 0 if it does, 1 if not, 2 if CODE is no code.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    question: Vec<String>,
}

/// The exit code is the program's.
pub(crate) fn run(project: &Project, options: &Options) -> Result<ExitCode> {
    project.cargo(&["build", "--release", "--quiet", "--package", "neuron-tests", "--bin", "abi"]).run()?;
    let status = Command::new(project.release_binary("abi")).args(&options.question).status()?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}
