//! `cargo xtask <command>`: what people and CI run, one small file a command. It links no crate of the
//! workspace, so it never rebuilds with them; a command that needs the simulator runs a binary of tests/.

mod baseline;
mod callgrind;
mod commands;
mod compiler;
mod criterion;
mod inject;
mod outcome;
mod project;
mod soft_double;
mod source;
mod sysroot;
mod table;
mod tidy;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use commands::{abi, bench, bless, ci, fuzz_smoke, mutants, replay, rv32, tsan};
use outcome::Outcome;
use project::Project;

/// The project's commands.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Every check a change must pass; gathers all failures, then fails.
    Ci(ci::Options),
    /// Build the kernels for a 32-bit core, look for f64, run them under QEMU, compare with the simulator.
    Rv32(rv32::Options),
    /// Run a program that races on purpose under ThreadSanitizer, and one whose race it must find.
    Tsan(tsan::Options),
    /// Count the instructions per element of the accessor loops, compare with the recorded ones.
    Counts,
    /// Record golden text and instruction counts anew, and say what changed.
    Bless(bless::Options),
    /// Change expressions of the kernels and count how many of the mutants the checks find.
    Inject(commands::inject::Options),
    /// Run the benchmarks and print the measured ratios beside their targets; or compare the ways to an element,
    /// `cargo xtask bench access`, or the cost model with the vendor's table, `cargo xtask bench vendor-table`.
    Bench(bench::Options),
    /// Run every example and check its exit code and its report.
    Examples,
    /// Check that clippy refuses in kernels what does not give the same bits everywhere.
    Lints,
    /// Run a saved launch of an example again, and stop a core where you say: `cargo xtask replay --help`.
    Replay(replay::Options),
    /// Break the device crate's code in one place after another, and show what its unit tests let pass.
    Mutants(mutants::Options),
    /// Say what crosses from the host to a core: `cargo xtask abi dtype CODE`.
    Abi(abi::Options),
    /// Feed the parsers of records, signatures and .npy files with a million inputs each, and fail if an arm is not reached.
    FuzzSmoke(fuzz_smoke::Options),
    /// Check the tree itself: orphan golden files, skipped tests, unfinished work, paths of one machine.
    Tidy,
}

fn main() -> ExitCode {
    let command = Cli::parse().command;
    // Read here and nowhere else, so that a command's behaviour follows from its arguments.
    let in_ci = std::env::var("CI").is_ok_and(|value| value == "true" || value == "1");
    match Project::open(in_ci).and_then(|project| dispatch(&project, command)) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(project: &Project, command: Command) -> anyhow::Result<ExitCode> {
    let outcome = match command {
        Command::Ci(options) => return ci::run(project, &options),
        Command::Rv32(options) => rv32::run(project, &options)?,
        Command::Tsan(options) => tsan::run(project, &options)?,
        Command::Counts => commands::counts::run(project)?,
        Command::Bless(options) => bless::run(project, &options)?,
        Command::Inject(options) => commands::inject::run(project, &options)?,
        Command::Bench(options) => bench::run(project, &options)?,
        Command::Examples => commands::examples::run(project)?,
        Command::Lints => commands::lints::run(project)?,
        Command::Replay(options) => return replay::run(project, &options),
        Command::Mutants(options) => mutants::run(project, &options)?,
        Command::Abi(options) => return abi::run(project, &options),
        Command::FuzzSmoke(options) => fuzz_smoke::run(project, &options)?,
        Command::Tidy => commands::tidy::run(project)?,
    };
    if let Outcome::Skipped(why) = outcome {
        println!("skipped: {why}");
    }
    Ok(ExitCode::SUCCESS)
}
