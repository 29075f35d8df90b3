//! The checkout this program works on: where it lies, where cargo builds, and whether a missing tool is forgiven.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use xshell::{Cmd, Shell, cmd};

use crate::outcome::Outcome;

/// The opened checkout. Commands run in its root folder.
#[derive(Debug)]
pub(crate) struct Project {
    /// Runs programs; its current folder is the root.
    pub(crate) shell: Shell,
    /// The workspace's root folder.
    pub(crate) root: PathBuf,
    /// Cargo's target folder, wherever the user's settings put it.
    pub(crate) target: PathBuf,
    /// Whether this is a CI run, where a missing tool is a failure.
    pub(crate) in_ci: bool,
}

/// The part of `cargo metadata` that is needed here.
#[derive(Debug, Deserialize)]
struct Metadata {
    workspace_root: PathBuf,
    target_directory: PathBuf,
}

impl Project {
    /// Finds the workspace this program was built from.
    pub(crate) fn open(in_ci: bool) -> Result<Self> {
        let shell = Shell::new()?;
        shell.change_dir(env!("CARGO_MANIFEST_DIR"));
        let json = cmd!(shell, "cargo metadata --no-deps --format-version 1")
            .quiet()
            .read()
            .context("cannot ask cargo where the workspace lies")?;
        let metadata: Metadata =
            serde_json::from_str(&json).context("cannot read the answer of `cargo metadata`")?;
        shell.change_dir(&metadata.workspace_root);
        Ok(Self { shell, root: metadata.workspace_root, target: metadata.target_directory, in_ci })
    }

    /// A cargo command in the root folder; rustup keeps it on the toolchain this program was started with.
    pub(crate) fn cargo<'a>(&'a self, args: &[&str]) -> Cmd<'a> {
        cmd!(self.shell, "cargo {args...}")
    }

    /// The path of a program that cargo built in release mode for the host.
    pub(crate) fn release_binary(&self, name: &str) -> PathBuf {
        self.target.join("release").join(format!("{name}{}", env::consts::EXE_SUFFIX))
    }

    /// What the missing of a tool means: a failure in CI, elsewhere a skipped command.
    pub(crate) fn missing(&self, advice: impl Into<String>) -> Result<Outcome> {
        let advice = advice.into();
        if self.in_ci {
            bail!("{advice} (with CI=true nothing may be skipped)");
        }
        Ok(Outcome::Skipped(advice))
    }
}

/// Whether a program of this name can be started by name.
pub(crate) fn on_path(program: &str) -> bool {
    let folders = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&folders).any(|folder| is_program(&folder.join(program)))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.with_extension(env::consts::EXE_EXTENSION).is_file()
}
