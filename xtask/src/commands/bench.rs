//! `cargo xtask bench`: run the benchmarks, then show the ratios that matter beside their targets.

mod targets;

use std::time::SystemTime;

use anyhow::Result;

use crate::criterion;
use crate::outcome::Outcome;
use crate::project::Project;

/// A missed target is said, not failed: times depend on the machine and its load, instruction counts do not.
pub(crate) fn run(project: &Project) -> Result<Outcome> {
    let start = SystemTime::now();
    project.cargo(&["bench", "--package", "neuron-tests"]).run()?;
    let medians = criterion::medians(&project.target.join("criterion"), start)?;
    println!("\nRatios of medians\n{}", targets::render(&targets::TARGETS, &medians));
    Ok(Outcome::Passed)
}
