//! `cargo xtask tsan`: ThreadSanitizer finds nothing in accesses that race as the device crate makes them, and finds a
//! plain write that races with them.

mod verdict;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use xshell::cmd;

use crate::compiler::Compiler;
use crate::outcome::Outcome;
use crate::project::Project;
use crate::source;
use verdict::Verdict;

/// Where there is a ThreadSanitizer.
const HOSTS: [&str; 4] =
    ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "x86_64-apple-darwin", "aarch64-apple-darwin"];

/// The program.
const PROGRAM: &str = "races";

/// How often it runs each way.
const RUNS: usize = 20;

/// In so many runs a plain write must be found: the sanitizer may miss what happens at the very same moment.
const CAUGHT: usize = 19;

/// How far the command may go to get what is missing.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Options {
    /// Fetch the standard library's source with apt-get if the toolchain has none (what CI does anyway).
    #[arg(long)]
    fetch: bool,
}

/// Builds the program and runs it both ways, or says what this machine lacks.
pub(crate) fn run(project: &Project, options: &Options) -> Result<Outcome> {
    let compiler = Compiler::in_use(&project.shell)?;
    if !HOSTS.contains(&compiler.host.as_str()) {
        return project.missing(format!("there is no ThreadSanitizer for {}", compiler.host));
    }
    let source = match source::find(project, &compiler)? {
        Some(source) => source,
        None if source::can_fetch() && (options.fetch || project.in_ci) => source::fetch(project, &compiler)
            .context("cannot fetch the standard library's source; `rustup component add rust-src` is the other way")?,
        None => {
            return project.missing(
                "this toolchain has no source of the standard library, which has to be built for ThreadSanitizer; \
                 `rustup component add rust-src` gets it, and on Debian `cargo xtask tsan --fetch`",
            );
        }
    };
    let program = build(project, &compiler, &source)?;

    let clean = judge(project, &program, &[], Verdict::Clean)?;
    println!("races between atomic accesses: {clean} of {RUNS} runs clean (all must be)");
    let caught = judge(project, &program, &["plain"], Verdict::Race)?;
    println!("a plain write among them: caught in {caught} of {RUNS} runs (at least {CAUGHT} must be)");
    ensure!(
        clean == RUNS,
        "ThreadSanitizer reports a race where all accesses are atomic: a plain access is left"
    );
    ensure!(caught >= CAUGHT, "ThreadSanitizer misses a plain write, so its silence says nothing");
    Ok(Outcome::Passed)
}

/// Builds the program and the standard library for the sanitizer, in a folder of their own, and gives its path.
fn build(project: &Project, compiler: &Compiler, source: &Path) -> Result<PathBuf> {
    let (host, folder) = (&compiler.host, project.target.join("tsan"));
    // A stable cargo and compiler know sanitizers and build the standard library only when told to act as unstable ones.
    project
        .cargo(&["build", "--release", "--package", "neuron-tests", "--bin", PROGRAM])
        .args(["-Zbuild-std=std,panic_unwind", "--target", host, "--target-dir"])
        .arg(&folder)
        .env("RUSTC_BOOTSTRAP", "1")
        .env("__CARGO_TESTS_ONLY_SRC_ROOT", source)
        .env("RUSTFLAGS", "-Zsanitizer=thread --cfg neuron_atomic_copies")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .run()?;
    Ok(folder.join(host).join("release").join(PROGRAM))
}

/// Runs the program [`RUNS`] times, and counts the runs that ended as `wanted`. One that failed by itself is an error.
fn judge(project: &Project, program: &Path, arguments: &[&str], wanted: Verdict) -> Result<usize> {
    let mut count = 0;
    let mut shown = false;
    for _ in 0..RUNS {
        let output = cmd!(project.shell, "{program} {arguments...}")
            .env("TSAN_OPTIONS", format!("exitcode={}", verdict::EXIT_CODE))
            .ignore_status()
            .quiet()
            .output()?;
        let said = String::from_utf8_lossy(&output.stderr);
        let Some(verdict) = Verdict::of(output.status.code(), &said) else {
            bail!("{PROGRAM} ended with {} under ThreadSanitizer:\n{said}", output.status);
        };
        if verdict == wanted {
            count += 1;
        } else if verdict == Verdict::Race && !shown {
            eprintln!("{said}");
            shown = true;
        }
    }
    Ok(count)
}
