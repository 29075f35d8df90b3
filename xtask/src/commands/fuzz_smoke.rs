//! `cargo xtask fuzz-smoke`: a million inputs for each parser, made of the corpora in `fuzz/`, and every arm of it reached.

use anyhow::Result;
use xshell::cmd;

use crate::outcome::Outcome;
use crate::project::{Project, on_path};

/// The targets of `fuzz/`.
const TARGETS: [&str; 3] = ["records", "signature", "npy"];

/// libFuzzer ends after so many seconds a target, whatever it has done.
const MOST_SECONDS: u32 = 180;

/// How much is fed, and by whom.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Inputs for each target.
    #[arg(long, default_value_t = 1_000_000)]
    executions: u64,
    /// This target alone: records, signature or npy.
    #[arg(long)]
    target: Option<String>,
    /// Feed them by libFuzzer under AddressSanitizer instead, which needs a nightly toolchain and cargo-fuzz. It looks for new
    /// inputs, and does not say which arms it has reached.
    #[arg(long)]
    libfuzzer: bool,
}

/// Feeds them.
pub(crate) fn run(project: &Project, options: &Options) -> Result<Outcome> {
    if options.libfuzzer {
        return libfuzzer(project, options);
    }
    project
        .cargo(&["build", "--release", "--quiet", "--package", "neuron-tests", "--bin", "fuzz-smoke"])
        .run()?;
    let program = project.release_binary("fuzz-smoke");
    let executions = options.executions.to_string();
    let target = options.target.iter().flat_map(|target| ["--target", target]);
    cmd!(project.shell, "{program} --executions {executions} {target...}").run()?;
    Ok(Outcome::Passed)
}

fn libfuzzer(project: &Project, options: &Options) -> Result<Outcome> {
    if !on_path("cargo-fuzz") {
        return project.missing(
            "cargo-fuzz is not on PATH; `cargo install cargo-fuzz` gets it, and it needs a nightly toolchain",
        );
    }
    let runs = format!("-runs={}", options.executions);
    let most = format!("-max_total_time={MOST_SECONDS}");
    for target in TARGETS.into_iter().filter(|name| options.target.as_ref().is_none_or(|only| only == name)) {
        // What is new goes to a folder of its own: the corpus in the tree stays small.
        let found = project.target.join("fuzz").join(target);
        project.shell.create_dir(&found)?;
        let (corpus, build) =
            (project.root.join("fuzz/corpus").join(target), project.target.join("fuzz-build"));
        cmd!(
            project.shell,
            "cargo +nightly fuzz run --target-dir {build} {target} {found} {corpus} -- {runs} {most} -rss_limit_mb=4096"
        )
        .run()?;
    }
    Ok(Outcome::Passed)
}
