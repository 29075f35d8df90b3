//! `cargo xtask ci`: every check a change must pass, one after another; all failures are gathered, then it fails.

#[cfg(test)]
mod tests;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use clap::ValueEnum;

use crate::commands::{counts, examples, lints, rv32, tidy, tsan};
use crate::outcome::Outcome;
use crate::project::Project;
use crate::table;

/// Which steps to run; all of them unless told.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Options {
    /// Run this step alone; may be given several times.
    #[arg(long, value_name = "STEP")]
    only: Vec<Step>,
    /// Leave this step out; may be given several times.
    #[arg(long, value_name = "STEP")]
    skip: Vec<Step>,
}

/// A step, in the order in which they run: the quick ones first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Step {
    /// The formatting is rustfmt's.
    Fmt,
    /// The tree has no orphan golden file, skipped test, unfinished work or path of one machine.
    Tidy,
    /// No warning of the compiler or of clippy.
    Clippy,
    /// Clippy refuses in kernels what does not give the same bits everywhere.
    Lints,
    /// Every test passes.
    Tests,
    /// The documentation builds without a warning.
    Docs,
    /// Every example ends and reports as it must.
    Examples,
    /// The kernels give the same outputs on a 32-bit core.
    Rv32,
    /// ThreadSanitizer finds a plain write that races, and nothing in what the device crate does.
    Tsan,
    /// The accessor loops take as many instructions as recorded.
    Counts,
}

/// What became of one step.
#[derive(Debug)]
struct Finished {
    name: String,
    result: Result<Outcome>,
    took: Duration,
}

/// Runs the chosen steps. The last line printed is the count of passed, failed and skipped ones.
pub(crate) fn run(project: &Project, options: &Options) -> Result<ExitCode> {
    let steps = chosen(options);
    ensure!(!steps.is_empty(), "no step is left to run: --skip takes away all that --only names");

    let mut finished = Vec::new();
    for step in steps {
        let name = step.name();
        println!("\n== {name}");
        let start = Instant::now();
        let result = step.run(project);
        match &result {
            Ok(Outcome::Passed) => {}
            Ok(Outcome::Skipped(why)) => println!("skipped: {why}"),
            Err(error) => println!("FAILED {name}: {error:#}"),
        }
        finished.push(Finished { name, result, took: start.elapsed() });
    }

    println!("\n{}", summary(&finished));
    Ok(if finished.iter().any(|step| step.result.is_err()) { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The steps the options leave, in running order.
fn chosen(options: &Options) -> Vec<Step> {
    let wanted = |step: &Step| options.only.is_empty() || options.only.contains(step);
    Step::value_variants()
        .iter()
        .copied()
        .filter(|step| wanted(step) && !options.skip.contains(step))
        .collect()
}

/// The closing text: why steps failed, the table, and the counts as the last line.
fn summary(finished: &[Finished]) -> String {
    let mut text = String::new();
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    let mut rows = Vec::new();
    for step in finished {
        let result = match &step.result {
            Ok(Outcome::Passed) => {
                passed += 1;
                "passed"
            }
            Ok(Outcome::Skipped(_)) => {
                skipped += 1;
                "skipped"
            }
            Err(error) => {
                failed += 1;
                text.push_str(&format!("FAILED {}: {error:#}\n", step.name));
                "FAILED"
            }
        };
        rows.push(vec![step.name.clone(), result.to_owned(), format!("{:.1}", step.took.as_secs_f64())]);
    }
    text.push_str(&table::render(&["step", "result", "seconds"], &rows));
    text.push_str(&format!("{passed} passed, {failed} failed, {skipped} skipped"));
    text
}

impl Step {
    /// The name it has on the command line and in the table.
    fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    fn run(self, project: &Project) -> Result<Outcome> {
        match self {
            Step::Fmt => project.cargo(&["fmt", "--all", "--check"]).run()?,
            Step::Tidy => return tidy::run(project),
            Step::Clippy => {
                project.cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]).run()?
            }
            Step::Lints => return lints::run(project),
            Step::Tests => project.cargo(&["test", "--workspace", "--no-fail-fast"]).run()?,
            Step::Docs => project
                .cargo(&["doc", "--workspace", "--no-deps"])
                .env("RUSTDOCFLAGS", "-D warnings")
                .run()?,
            Step::Examples => return examples::run(project),
            Step::Rv32 => return rv32::run(project, &rv32::Options::default()),
            Step::Tsan => return tsan::run(project, &tsan::Options::default()),
            Step::Counts => return counts::run(project),
        }
        Ok(Outcome::Passed)
    }
}
