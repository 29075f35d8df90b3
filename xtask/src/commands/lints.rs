//! `cargo xtask lints`: the list in examples/clippy.toml refuses what it must and nothing else. It stands guard over
//! kernels alone, which follow it, so without this nobody would see it fail.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use xshell::cmd;

use crate::outcome::Outcome;
use crate::project::{Project, on_path};

/// The file whose marked lines must be refused.
const KERNEL: &str = "tests/lints/kernel.rs";

/// Ends a line that must be refused.
const MARK: &str = "//~ refused";

/// Crates the file uses, as little of them as it needs.
const STUBS: [&str; 2] = ["half", "num_traits"];

/// What the reason of every entry speaks of.
const WAY_OUT: &str = "neuron_device::math";

/// The part of a compiler message that is needed here.
#[derive(Debug, Deserialize)]
struct Message {
    rendered: Option<String>,
    code: Option<Code>,
    #[serde(default)]
    spans: Vec<Span>,
}

#[derive(Debug, Deserialize)]
struct Code {
    code: String,
}

#[derive(Debug, Deserialize)]
struct Span {
    line_start: usize,
}

/// Runs clippy on the file with the list of the examples, and compares lines.
pub(crate) fn run(project: &Project) -> Result<Outcome> {
    let driver = "clippy-driver";
    if !on_path(driver) {
        return project
            .missing("clippy-driver is not on PATH; it comes with clippy: `rustup component add clippy`");
    }
    let shell = &project.shell;
    let folder = tempfile::tempdir().context("cannot make a folder for the stubs")?;
    let out = folder.path();
    let flags = ["--edition", "2024", "--crate-type", "lib", "--emit", "metadata"];
    let mut kernel = cmd!(shell, "{driver} {flags...} --error-format json -L {out} --out-dir {out} {KERNEL}");
    for stub in STUBS {
        cmd!(shell, "rustc {flags...} --crate-name {stub} --out-dir {out} tests/lints/{stub}.rs")
            .quiet()
            .run()?;
        kernel = kernel.args(["--extern", stub]);
    }
    let output = kernel.env("CLIPPY_CONF_DIR", project.root.join("examples")).quiet().output()?;
    let refused = refused(&String::from_utf8_lossy(&output.stderr))?;
    ensure!(output.status.success(), "clippy ended with {} on {KERNEL}", output.status);

    let text = shell.read_file(KERNEL)?;
    let wanted = marked(&text);
    let told = |lines: &[usize]| lines.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    let passed: Vec<usize> = wanted.difference(&refused).copied().collect();
    ensure!(passed.is_empty(), "examples/clippy.toml lets pass {KERNEL}, lines {}", told(&passed));
    let extra: Vec<usize> = refused.difference(&wanted).copied().collect();
    ensure!(extra.is_empty(), "examples/clippy.toml refuses {KERNEL}, lines {}", told(&extra));
    ensure!(!wanted.is_empty(), "no line of {KERNEL} ends with {MARK}");
    println!("clippy refuses {} lines of {KERNEL} and lets the others pass", wanted.len());
    Ok(Outcome::Passed)
}

/// The lines a file says are to be refused, from 1.
fn marked(text: &str) -> BTreeSet<usize> {
    (1..).zip(text.lines()).filter(|(_, line)| line.ends_with(MARK)).map(|(line, _)| line).collect()
}

/// The lines clippy refused, by its messages, one a line of JSON. Another message, or a reason without a way out, is an
/// error.
fn refused(messages: &str) -> Result<BTreeSet<usize>> {
    let mut lines = BTreeSet::new();
    for message in messages.lines() {
        let message: Message = serde_json::from_str(message)
            .with_context(|| format!("clippy said something unexpected: {message}"))?;
        // The count at the end.
        if message.spans.is_empty() {
            continue;
        }
        let rendered = message.rendered.unwrap_or_default();
        let lint = message.code.map(|code| code.code).unwrap_or_default();
        ensure!(lint == "clippy::disallowed_methods", "clippy says of {KERNEL} also\n{rendered}");
        ensure!(rendered.contains(WAY_OUT), "a reason that does not name {WAY_OUT}:\n{rendered}");
        lines.extend(message.spans.iter().map(|span| span.line_start));
    }
    Ok(lines)
}
