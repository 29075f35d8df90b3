//! The runners' traces: written, whole, and refused where they cannot be.

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use xshell::cmd;

use crate::project::Project;

/// What a trace must show is there: eight cores with three lanes each, copies by DMA in them, and window remaps where the
/// kernel translates. What cannot be written or is no model is refused.
pub(super) fn run(project: &Project) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("trace.json");
    let program = project.release_binary("examples/relu");
    for (by, name) in [("tiles", "DMA to TCM"), ("streams", "DMA to HBM"), ("elements", "window 0")] {
        let text = cmd!(project.shell, "{program} --by {by} --trace {file}").quiet().read()?;
        ensure!(text.contains("\nmodelled, not measured: "), "by {by}, the report is silent of it: {text}");
        check_trace(&std::fs::read_to_string(&file)?, name).with_context(|| format!("by {by}"))?;
    }
    let nowhere = folder.path().join("nowhere").join("trace.json");
    for (option, path, expected) in [
        ("--trace", nowhere.as_path(), "give another path by --trace"),
        ("--model", nowhere.as_path(), "give the path of a file like cost-model.toml"),
        ("--model", file.as_path(), "trace.json, line 1: this is no TOML"),
    ] {
        let output = cmd!(project.shell, "{program} {option} {path}").quiet().ignore_status().output()?;
        let stderr = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.code() == Some(1), "{option}: {} instead of exit status: 1", output.status);
        ensure!(stderr.contains(expected), "{option}: it says: {stderr}");
    }
    Ok(())
}

/// Whether a trace is one of eight cores, in which something of this name took time.
fn check_trace(json: &str, name: &str) -> Result<()> {
    let trace: Value = serde_json::from_str(json).context("the trace is no JSON")?;
    let events = trace.get("traceEvents").and_then(Value::as_array).context("the trace has no events")?;
    let lanes = events.iter().filter(|event| event["name"] == "thread_name");
    let lanes: Vec<_> = lanes.map(|event| (event["pid"].as_u64(), event["args"]["name"].as_str())).collect();
    for core in 0..8 {
        for lane in ["kernel", "DMA queue", "window remaps"] {
            ensure!(lanes.contains(&(Some(core), Some(lane))), "core {core} has no lane {lane:?}: {lanes:?}");
        }
    }
    let named = |event: &&Value| event["name"] == name && event["dur"].as_f64() > Some(0.0);
    ensure!(events.iter().any(|event| named(&event)), "nothing took time as {name:?}");
    Ok(())
}
