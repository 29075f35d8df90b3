//! `cargo xtask counts`: the instructions per element of the accessor loops, against the recorded ones.

use std::env::consts::ARCH;
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use xshell::cmd;

use crate::baseline::{Baseline, Change, Counts};
use crate::callgrind::{self, VALGRIND};
use crate::outcome::Outcome;
use crate::project::{Project, on_path};
use crate::table;

/// Elements of the shorter run; the longer one has twice as many.
const ELEMENTS: u64 = 100_000;

/// What a machine without valgrind is told.
pub(crate) const NO_VALGRIND: &str =
    "valgrind is not on PATH; it counts instructions, its package is named valgrind";

/// Measures, compares, and shows what is out of range.
pub(crate) fn run(project: &Project) -> Result<Outcome> {
    if !on_path(VALGRIND) {
        return project.missing(NO_VALGRIND);
    }
    let path = file(project);
    let Some(recorded) = Baseline::read(&path)? else {
        return project.missing(format!(
            "no counts are recorded for {ARCH}; `cargo xtask bless --only counts` writes {}",
            path.display()
        ));
    };
    let now = measure(project)?;
    let rows: Vec<Vec<String>> = now.iter().map(|(name, &new)| vec![name.clone(), show(Some(new))]).collect();
    println!("{}", table::render(&["loop", "instructions per element"], &rows));

    let changes = recorded.changes(&now);
    if !changes.is_empty() {
        print!("out of range:\n{}", render(&changes));
        let rustc = compiler(project)?;
        if rustc != recorded.rustc {
            println!("recorded with {}, measured with {rustc}", recorded.rustc);
        }
        bail!(
            "{} counts are not within 1 % of the recorded ones; if that is meant, run `cargo xtask bless`",
            changes.len()
        );
    }
    Ok(Outcome::Passed)
}

/// Measures and writes the file of this processor family.
pub(crate) fn record(project: &Project) -> Result<()> {
    let path = file(project);
    // A file that cannot be read is what this command is there to replace.
    let old = Baseline::read(&path).ok().flatten();
    let new = Baseline { rustc: compiler(project)?, instructions_per_element: measure(project)? };
    let empty = Baseline { rustc: String::new(), instructions_per_element: Counts::new() };
    let changes = old.unwrap_or(empty).changes(&new.instructions_per_element);
    if changes.is_empty() {
        println!("all counts are within 1 % of the recorded ones");
    } else {
        print!("{}", render(&changes));
    }
    new.write(&path)
}

/// Builds the loops and counts each at two lengths.
fn measure(project: &Project) -> Result<Counts> {
    project.cargo(&["build", "--release", "--package", "neuron-tests", "--bin", "accessor-loops"]).run()?;
    let program = project.release_binary("accessor-loops");
    let list = cmd!(project.shell, "{program} --list").quiet().read()?;
    let names: Vec<&str> = list.lines().map(str::trim).filter(|name| !name.is_empty()).collect();
    ensure!(!names.is_empty(), "`accessor-loops --list` names no loop");

    let mut counts = Counts::new();
    for name in names {
        let run = |elements: u64| {
            callgrind::instructions(project, &program, &[name, &elements.to_string()])
                .with_context(|| format!("cannot count the loop {name}"))
        };
        let per_element = callgrind::per_element(run(ELEMENTS)?, run(2 * ELEMENTS)?, ELEMENTS);
        ensure!(
            counts.insert(name.to_owned(), per_element).is_none(),
            "`accessor-loops --list` names {name} twice"
        );
    }
    Ok(counts)
}

/// Counts depend on the processor family, so each has a file.
fn file(project: &Project) -> PathBuf {
    project.root.join("tests/counts").join(format!("{ARCH}.json"))
}

fn compiler(project: &Project) -> Result<String> {
    Ok(cmd!(project.shell, "rustc --version").quiet().read()?)
}

fn render(changes: &[Change]) -> String {
    let rows: Vec<Vec<String>> = changes
        .iter()
        .map(|change| {
            let share = match (change.old, change.new) {
                (Some(old), Some(new)) => format!("{:+.1} %", (new / old - 1.0) * 100.0),
                (None, _) => "new".to_owned(),
                (_, None) => "gone".to_owned(),
            };
            vec![change.name.clone(), show(change.old), show(change.new), share]
        })
        .collect();
    table::render(&["loop", "recorded", "now", "change"], &rows)
}

fn show(count: Option<f64>) -> String {
    count.map_or_else(|| "-".to_owned(), |count| format!("{count:.2}"))
}
