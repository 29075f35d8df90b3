//! `cargo xtask bless`: take what the programs print and count now as what is right, and say what changed.

use anyhow::{Context, Result};
use clap::ValueEnum;
use xshell::cmd;

use crate::callgrind::VALGRIND;
use crate::commands::counts;
use crate::outcome::Outcome;
use crate::project::{Project, on_path};

/// What is recorded in the tree: snapshots, compiler messages, counts.
const RECORDED: [&str; 3] = ["*.snap", "*.stderr", "tests/counts"];

/// What to record; everything unless told.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Record this alone.
    #[arg(long, value_name = "WHAT")]
    only: Option<Recorded>,
}

/// A kind of recorded result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Recorded {
    /// Snapshots and compiler messages of the tests.
    Golden,
    /// Instruction counts of this processor family.
    Counts,
}

/// Records, then lists the changed files even where a test failed for another reason.
pub(crate) fn run(project: &Project, options: &Options) -> Result<Outcome> {
    let wanted = |kind| options.only.is_none_or(|only| only == kind);
    let mut outcome = Ok(Outcome::Passed);
    if wanted(Recorded::Golden) {
        let tests = project
            .cargo(&["test", "--workspace", "--no-fail-fast"])
            .env("INSTA_UPDATE", "always")
            .env("TRYBUILD", "overwrite")
            .run();
        if let Err(error) = tests {
            outcome = Err(error).context("golden text is recorded, but a test fails for another reason");
        }
    }
    if wanted(Recorded::Counts) {
        if on_path(VALGRIND) {
            counts::record(project)?;
        } else {
            println!("the counts stay as they are: {}", counts::NO_VALGRIND);
        }
    }
    let changed = cmd!(project.shell, "git status --short --untracked-files=all --")
        .args(RECORDED)
        .quiet()
        .read()
        .context("cannot ask git what changed")?;
    match changed.as_str() {
        "" => println!("nothing changed"),
        files => println!("changed, to be read before it is committed:\n{files}"),
    }
    outcome
}
