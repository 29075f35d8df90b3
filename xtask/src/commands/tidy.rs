//! `cargo xtask tidy`: the guard on the guards. It looks at the tree, not at what the tree builds.

use anyhow::{Result, bail};

use crate::outcome::Outcome;
use crate::project::{Project, on_path};
use crate::tidy::{Tree, machine_paths, orphans, unfinished};

/// Lines from which a Rust file is worth a look for a seam.
const LONG: usize = 400;

/// Applies every rule; a long file is only warned of.
pub(crate) fn run(project: &Project) -> Result<Outcome> {
    if !on_path("git") || !project.root.join(".git").exists() {
        return project
            .missing("tidy reads the tree with git, and this is no git checkout, or git is not on PATH");
    }
    let tree = Tree::read(project)?;
    for (path, text) in tree.texts().filter(|(path, _)| path.ends_with(".rs")) {
        let lines = text.lines().count();
        if lines > LONG {
            println!("warning: {path} has {lines} lines; is there a seam?");
        }
    }

    let findings = [orphans::check(&tree), unfinished::check(&tree), machine_paths::check(&tree)].concat();
    for finding in &findings {
        println!("{finding}");
    }
    if !findings.is_empty() {
        bail!("{} findings in the tree", findings.len());
    }
    Ok(Outcome::Passed)
}
