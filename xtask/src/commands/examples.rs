//! `cargo xtask examples`: every runner, with the exit code and the report it must give.

#[cfg(test)]
mod tests;
mod traces;

use anyhow::{Context, Result, anyhow, bail, ensure};
use ndarray::ArrayD;
use serde_json::Value;
use xshell::cmd;

use crate::outcome::Outcome;
use crate::project::Project;

/// Runners that must verify their own outputs and find no fault.
const CLEAN: [&str; 3] = ["relu", "vector_add", "scale"];

/// What `buggy_relu` must find at one size.
#[derive(Debug, Clone, Copy)]
struct Finding {
    n: u64,
    /// Read past the end, written past the end and never written, or none of them.
    faults: usize,
    /// How many elements each of the faults covers.
    count: u64,
}

const BUGGY: [Finding; 3] = [
    Finding { n: 17, faults: 3, count: 3 },
    Finding { n: 4103, faults: 3, count: 49 },
    Finding { n: 4096, faults: 0, count: 0 },
];

/// Shapes `relu` is given as files: without dimensions, empty ones, and as many dimensions as there can be.
const SHAPES: [&[usize]; 6] = [&[], &[0], &[4, 0], &[7], &[3, 5], &[1, 2, 1, 3, 1, 2, 1, 2]];

/// Builds all runners in release mode, then runs them; the failures of all are gathered.
pub(crate) fn run(project: &Project) -> Result<Outcome> {
    project.cargo(&["build", "--release", "--package", "neuron-examples", "--examples"]).run()?;
    let mut failures = Vec::new();
    for name in CLEAN {
        if let Err(error) = run_clean(project, name) {
            failures.push(format!("{name}: {error:#}"));
        }
    }
    for sizes in SHAPES {
        if let Err(error) = run_file(project, sizes) {
            failures.push(format!("relu of a file of shape {sizes:?}: {error:#}"));
        }
    }
    if let Err(error) = refuse_file(project) {
        failures.push(format!("relu of a file that is none: {error:#}"));
    }
    for expected in BUGGY {
        if let Err(error) = run_buggy(project, expected) {
            failures.push(format!("buggy_relu with n = {}: {error:#}", expected.n));
        }
    }
    if let Err(error) = traces::run(project) {
        failures.push(format!("relu with a trace: {error:#}"));
    }
    if let Err(error) = run_replay(project) {
        failures.push(format!("replay of buggy_relu: {error:#}"));
    }
    if !failures.is_empty() {
        bail!("{}", failures.join("; "));
    }
    Ok(Outcome::Passed)
}

/// Started the way README.md tells the reader to.
fn run_clean(project: &Project, name: &str) -> Result<()> {
    Ok(project.cargo(&["run", "--release", "--quiet", "--example", name]).run()?)
}

/// From file to file: what is written must be what relu makes of what was read, in the same shape.
fn run_file(project: &Project, sizes: &[usize]) -> Result<()> {
    let values: Vec<f32> = (0..sizes.iter().product()).map(|i| i as f32 - 3.0).collect();
    let expected: Vec<f32> = values.iter().map(|&v| if v < 0.0 { 0.0 } else { v }).collect();
    let folder = tempfile::tempdir()?;
    let (input, output) = (folder.path().join("input.npy"), folder.path().join("output.npy"));
    ndarray_npy::write_npy(&input, &ArrayD::from_shape_vec(sizes, values)?)?;
    let program = project.release_binary("examples/relu");
    cmd!(project.shell, "{program} --input {input} --output {output}").ignore_stdout().run()?;
    let written: ArrayD<f32> = ndarray_npy::read_npy(&output)?;
    ensure!(written == ArrayD::from_shape_vec(sizes, expected)?, "the output file holds {written}");
    Ok(())
}

/// A file that is no array is refused with its name, and with an exit code.
fn refuse_file(project: &Project) -> Result<()> {
    let program = project.release_binary("examples/relu");
    let output = cmd!(project.shell, "{program} --input Cargo.toml").ignore_status().output()?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.code() == Some(1), "{} instead of exit status: 1", output.status);
    ensure!(stderr.contains("Cargo.toml") && stderr.contains(".npy"), "it says: {stderr}");
    Ok(())
}

fn run_buggy(project: &Project, expected: Finding) -> Result<()> {
    let program = project.release_binary("examples/buggy_relu");
    let n = expected.n.to_string();
    let output = cmd!(project.shell, "{program} --n {n} --json").ignore_status().output()?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    let code = if expected.faults > 0 { 1 } else { 0 };
    let judged = if output.status.code() == Some(code) {
        check_report(&stdout, expected)
    } else {
        Err(anyhow!("{} instead of exit status: {code}", output.status))
    };
    if judged.is_err() {
        println!("{stdout}{}", String::from_utf8_lossy(&output.stderr));
    }
    judged
}

/// What one example saves, another replays, up to the line with the mistake.
fn run_replay(project: &Project) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("buggy_relu.replay");
    let (buggy, replay) =
        (project.release_binary("examples/buggy_relu"), project.release_binary("examples/replay"));
    cmd!(project.shell, "{buggy} --save {file}").ignore_status().ignore_stdout().run()?;
    let text = cmd!(project.shell, "{replay} {file} --until fault:1").read()?;
    for expected in [
        "buggy_relu, core 7 of 8, at fault 1 of the report",
        " |         let values = x.tensor_to_tcm(q7, tile, &mut buffer)?;\n",
    ] {
        ensure!(text.contains(expected), "its text has no {expected:?}: {text}");
    }
    let output =
        cmd!(project.shell, "{replay} {file} --core 3 --until write:out[17]").ignore_status().output()?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.code() == Some(1), "{} instead of exit status: 1", output.status);
    ensure!(stderr.contains("`out` has no element [17]"), "it says: {stderr}");
    Ok(())
}

/// Whether a JSON report holds as many faults as expected, each of them once and with the expected count.
fn check_report(json: &str, expected: Finding) -> Result<()> {
    let report: Value = serde_json::from_str(json).context("stdout is not JSON alone")?;
    let faults =
        report.get("faults").and_then(Value::as_array).context("the report has no list named \"faults\"")?;

    ensure!(faults.len() == expected.faults, "{} faults instead of {}", faults.len(), expected.faults);
    for (index, fault) in faults.iter().enumerate() {
        let count = fault.get("count").and_then(Value::as_u64);
        let count = count.with_context(|| format!("fault {index} has no count"))?;
        ensure!(count == expected.count, "fault {index} has count {count} instead of {}", expected.count);
        ensure!(!faults[..index].contains(fault), "fault {index} repeats an earlier one");
    }
    Ok(())
}
