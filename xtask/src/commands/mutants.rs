//! `cargo xtask mutants`: cargo-mutants breaks one expression at a time, and the unit tests of the device crate must
//! see it. What they let pass is shown for each module.

mod module;
mod score;

use std::fs;

use anyhow::{Context, Result, bail, ensure};

use self::module::Module;
use self::score::AT_LEAST;
use crate::outcome::Outcome;
use crate::project::{Project, on_path};

/// What a machine without the tool is told.
const NO_TOOL: &str = "cargo-mutants is not on PATH; `cargo install --locked cargo-mutants` gets it";

/// The package whose files are changed, and whose unit tests run.
const PACKAGE: &str = "neuron-device";

/// Seconds after which a test that never ends is stopped; together they take 2.
const TIMEOUT: &str = "60";

/// Which modules to test; all of them unless told.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Options {
    /// Test this module alone; may be given several times.
    #[arg(long, value_name = "MODULE")]
    only: Vec<Module>,
}

/// Runs the tool, which works on a copy of the tree, then judges each module.
pub(crate) fn run(project: &Project, options: &Options) -> Result<Outcome> {
    if !on_path("cargo-mutants") {
        return project.missing(NO_TOOL);
    }
    let modules: Vec<Module> = Module::ALL
        .into_iter()
        .filter(|module| options.only.is_empty() || options.only.contains(module))
        .collect();
    let folder = project.target.join("mutants");
    let results = folder.join("mutants.out");
    if results.exists() {
        fs::remove_dir_all(&results).with_context(|| format!("cannot remove {}", results.display()))?;
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;

    let files: Vec<String> = modules
        .iter()
        .flat_map(|module| module.files())
        .map(|file| format!("{PACKAGE}/src/{file}"))
        .collect();
    for file in &files {
        ensure!(project.root.join(file).is_file(), "{file} is gone: say in xtask where the module lies now");
    }
    project
        .cargo(&["mutants", "--no-config", "--package", PACKAGE, "--timeout", TIMEOUT])
        .args(files.iter().flat_map(|file| ["--file", file]))
        .arg("--output")
        .arg(&folder)
        .args(["--", "--lib"])
        // The copy is built in a folder of its own, not among what this tree has built.
        .env_remove("CARGO_TARGET_DIR")
        // Whether it did its work is in the file it writes; its status says that too, and that a mutant was missed.
        .ignore_status()
        .run()?;

    let path = results.join("outcomes.json");
    let text = fs::read_to_string(&path)
        .with_context(|| format!("cargo-mutants left no {}; what it says is above", path.display()))?;
    let scores = score::read(&text, PACKAGE, &modules).with_context(|| path.display().to_string())?;
    println!("\nMutants by module\n{}", score::render(&scores));
    let below: Vec<&str> =
        scores.iter().filter(|(_, score)| !score.is_enough()).map(|(module, _)| module.name()).collect();
    if !below.is_empty() {
        bail!(
            "fewer than {AT_LEAST} % caught in {}: write the missing tests, or say in CONTRIBUTING.md why a change \
             cannot be seen",
            below.join(", ")
        );
    }
    Ok(Outcome::Passed)
}
