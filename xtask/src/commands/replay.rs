//! `cargo xtask replay`: run a saved launch again, by way of the program of examples/ that knows the ops.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;

use crate::project::Project;

/// What the program is given, word for word.
#[derive(Debug, clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Options {
    /// The file, `--core N` and `--until PLACE`; `--help` says more.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// The exit code is the program's. It runs in the workspace's root, from where the kernels' files are counted, so a relative
/// path of the file to replay is made absolute.
pub(crate) fn run(project: &Project, options: &Options) -> Result<ExitCode> {
    let here = std::env::current_dir()?;
    let arguments = options.arguments.iter().map(|argument| {
        let path = here.join(argument);
        if path.is_file() { path.into_os_string() } else { argument.clone() }
    });
    project
        .cargo(&["build", "--release", "--quiet", "--package", "neuron-examples", "--example", "replay"])
        .run()?;
    let program = project.release_binary("examples/replay");
    let status = std::process::Command::new(program).args(arguments).current_dir(&project.root).status()?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
