//! No kernel computes in f64, which the core does not have.

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use xshell::cmd;

use crate::project::Project;
use crate::soft_double::{Callers, callers};
use crate::sysroot::{Library, TARGET};

/// The file whose marked functions must be found, and no others.
const KERNEL: &str = "tests/lints/double.rs";

/// Ends the line of a function that must be found.
const MARK: &str = "//~ f64";

/// The crates whose functions must not.
const JUDGED: [&str; 2] = ["neuron_examples", "neuron_device"];

/// The crate that may: what it computes in f64 inside is its way to an f32 that is right to the last bit.
const MATHEMATICS: &str = "libm";

/// What cargo says of a crate it has built.
#[derive(Debug, Deserialize)]
struct Artifact {
    target: Target,
    filenames: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Target {
    name: String,
}

/// Looks through the libraries that `messages` says were built, one a line of JSON.
pub(super) fn judge(project: &Project, library: &Library, messages: &str) -> Result<()> {
    let told = prove(project, library)?;
    let mut found = Callers::new();
    for krate in JUDGED {
        found.extend(callers(&read(project, messages, krate)?)?);
    }
    // Small functions of it are compiled where they are used.
    let of_libm = |function: &str| function.trim_start_matches('<').starts_with(&format!("{MATHEMATICS}::"));
    found.retain(|function, _| !of_libm(function));
    let list = |(function, routines): (String, BTreeSet<String>)| {
        format!("\n  {function}: {}", routines.into_iter().collect::<Vec<_>>().join(", "))
    };
    let list: String = found.into_iter().map(list).collect();
    ensure!(
        list.is_empty(),
        "functions that compute in f64, which the core does not have, so that each operation is a call of hundreds of \
         cycles; compute in f32, or in i64 where more digits are needed:{list}"
    );
    let inside = callers(&read(project, messages, MATHEMATICS)?)?.len();
    println!(
        "no function of {} computes in f64 ({told} of {KERNEL} are found to); {inside} of {MATHEMATICS} do inside",
        JUDGED.join(" and ")
    );
    Ok(())
}

/// Shows that functions that compute in f64 are found: how many are.
fn prove(project: &Project, library: &Library) -> Result<usize> {
    let shell = &project.shell;
    let folder = tempfile::tempdir().context("cannot make a folder for the object")?;
    let object = folder.path().join("double.o");
    let flags = ["--edition", "2024", "--crate-type", "lib", "--emit", "obj", "-O", "--target", TARGET];
    let mut compile = cmd!(shell, "rustc {flags...} {KERNEL} -o {object}");
    if let Library::Private(sysroot) = library {
        compile = compile.arg("--sysroot").arg(sysroot);
    }
    compile.quiet().run()?;
    let name = |path: &String| path.rsplit("::").next().unwrap_or_default().to_owned();
    let found: BTreeSet<String> = callers(&shell.read_binary_file(object)?)?.keys().map(name).collect();
    let wanted = marked(&shell.read_file(KERNEL)?);
    ensure!(
        found == wanted,
        "of {KERNEL} the functions {found:?} are found to compute in f64, and {wanted:?} are marked"
    );
    Ok(found.len())
}

/// The functions whose lines say that they are to be found.
fn marked(text: &str) -> BTreeSet<String> {
    let name = |line: &str| Some(line.strip_prefix("pub fn ")?.split('(').next()?.to_owned());
    text.lines().filter(|line| line.ends_with(MARK)).filter_map(name).collect()
}

/// The library of a crate.
fn read(project: &Project, messages: &str, krate: &str) -> Result<Vec<u8>> {
    let artifacts = messages.lines().filter_map(|line| serde_json::from_str::<Artifact>(line).ok());
    let file = artifacts
        .filter(|artifact| artifact.target.name == krate)
        .flat_map(|artifact| artifact.filenames)
        .find(|name| name.ends_with(".rlib"))
        .with_context(|| format!("cargo built no library {krate}"))?;
    Ok(project.shell.read_binary_file(file)?)
}
