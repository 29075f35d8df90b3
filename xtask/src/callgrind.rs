//! Instruction counts by valgrind's callgrind tool: exact, and the same in every run on one machine.

#[cfg(test)]
mod tests;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use xshell::cmd;

use crate::project::Project;

/// The program this module needs.
pub(crate) const VALGRIND: &str = "valgrind";

/// The instructions `program` executes with these arguments, from its start to its end.
pub(crate) fn instructions(project: &Project, program: &Path, args: &[&str]) -> Result<u64> {
    let folder = project.target.join("callgrind");
    project.shell.create_dir(&folder)?;
    let out = folder.join(format!("{}.out", args.join(".")));
    let out_option = format!("--callgrind-out-file={}", out.display());
    cmd!(project.shell, "{VALGRIND} -q --tool=callgrind {out_option} {program} {args...}")
        .quiet()
        .ignore_stdout()
        .run()?;
    let text = fs::read_to_string(&out).with_context(|| format!("callgrind left no {}", out.display()))?;
    total(&text).with_context(|| format!("{} has no total", out.display()))
}

/// The count in a callgrind file. One file may hold several parts, each with a total of its own.
fn total(text: &str) -> Option<u64> {
    let parts = text.lines().filter_map(|line| line.strip_prefix("totals:"));
    let counts: Vec<u64> =
        parts.map(|part| part.split_whitespace().next()?.parse().ok()).collect::<Option<_>>()?;
    (!counts.is_empty()).then(|| counts.iter().sum())
}

/// Instructions per element from runs over `n` and `2 * n` elements: start-up costs are in both and fall out.
/// Two decimals, the precision that is recorded.
pub(crate) fn per_element(once: u64, twice: u64, n: u64) -> f64 {
    let difference = twice as f64 - once as f64;
    (difference / n as f64 * 100.0).round() / 100.0
}
