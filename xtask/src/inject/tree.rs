//! The copy of the tree in which the kernels have a choice at every site.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use xshell::cmd;

use super::find::find;
use super::site::Site;
use super::splice::splice;
use crate::project::Project;

/// Where kernels are that are right.
const KERNELS: [&str; 2] = ["examples/src/", "tests/src/kernels/"];

/// What is wrong there on purpose, or has no kernel's work.
const LEFT_OUT: [&str; 2] = ["examples/src/buggy_relu.rs", "tests/src/kernels/refusals.rs"];

/// The manifest of a package with kernels that has to know of neuron-mutant.
const DEPENDENT: &str = "examples/Cargo.toml";

/// A site and where it is.
#[derive(Debug, Clone)]
pub(crate) struct Placed {
    /// The file, from the root.
    pub(crate) path: String,
    /// The site in it.
    pub(crate) site: Site,
    /// Its words.
    pub(crate) text: String,
}

/// Writes the copy below `folder` and gives its sites, numbered from 1 in this order. What has not changed since the
/// last time is not written again, so that cargo does not compile it again.
///
/// # Errors
/// A file that cannot be read, parsed or written.
pub(crate) fn copy(project: &Project, folder: &Path) -> Result<Vec<Placed>> {
    let list = cmd!(project.shell, "git ls-files --cached --others --exclude-standard -z").quiet().read()?;
    let mut placed = Vec::new();
    let mut kept = BTreeSet::new();
    for path in list.split('\0').filter(|path| !path.is_empty()) {
        let from = project.root.join(path);
        if !from.is_file() {
            continue; // Deleted, and git not yet told.
        }
        let mut bytes = fs::read(&from).with_context(|| format!("cannot read {path}"))?;
        if is_kernel(path) {
            let source = String::from_utf8(bytes).with_context(|| format!("{path} is no text"))?;
            let sites = find(&source).with_context(|| path.to_owned())?;
            bytes = splice(&source, &sites, placed.len() + 1).into_bytes();
            placed.extend(sites.into_iter().map(|site| {
                let text = source[site.range.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
                Placed { path: path.to_owned(), site, text }
            }));
        } else if path == DEPENDENT {
            let manifest = String::from_utf8(bytes).with_context(|| format!("{path} is no text"))?;
            let dependencies = "[dependencies]\n";
            bytes = manifest
                .replacen(dependencies, &format!("{dependencies}neuron-mutant.workspace = true\n"), 1)
                .into_bytes();
        }
        write(&folder.join(path), &bytes)?;
        kept.insert(folder.join(path));
    }
    remove_others(folder, &kept)?;
    Ok(placed)
}

fn is_kernel(path: &str) -> bool {
    KERNELS.iter().any(|folder| path.starts_with(folder))
        && path.ends_with(".rs")
        && !LEFT_OUT.contains(&path)
}

fn write(to: &Path, bytes: &[u8]) -> Result<()> {
    if fs::read(to).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    let folder = to.parent().unwrap_or(to);
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(to, bytes))
        .with_context(|| format!("cannot write {}", to.display()))
}

/// A file that is no longer in the tree must not be found by cargo in the copy.
fn remove_others(folder: &Path, kept: &BTreeSet<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            remove_others(&path, kept)?;
        } else if !kept.contains(&path) {
            fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
        }
    }
    Ok(())
}
