//! The standard library's source, in exactly the compiler's version: the toolchain's own, or Debian's, fetched once and
//! kept below the target folder.

mod archive;
mod debian;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use xshell::cmd;

use crate::compiler::Compiler;
use crate::project::{Project, on_path};

/// The `library` folder, or `None` if it has to be fetched first.
pub(crate) fn find(project: &Project, compiler: &Compiler) -> Result<Option<PathBuf>> {
    let sysroot = cmd!(project.shell, "rustc --print sysroot").quiet().read()?;
    // Where rustup puts its component rust-src.
    let component = Path::new(&sysroot).join("lib/rustlib/src/rust/library");
    let kept = debian::library_folder(&place(project, compiler), &compiler.release);
    Ok([component, kept].into_iter().find(|library| is_library(library)))
}

/// Whether this machine has what [`fetch`] fetches it with.
pub(crate) fn can_fetch() -> bool {
    on_path("apt-get") && on_path("dpkg-deb")
}

/// Fetches what [`find`] did not find, and gives the `library` folder.
pub(crate) fn fetch(project: &Project, compiler: &Compiler) -> Result<PathBuf> {
    let sh = &project.shell;
    let place = place(project, compiler);
    let parent = place.parent().context("the source has a parent folder")?;
    sh.create_dir(parent)?;
    // Fetched beside the final place and moved there whole: a run cut short leaves nothing half done.
    let work = tempfile::Builder::new().prefix(".work-").tempdir_in(parent)?;
    let fetched = work.path().join("source");
    debian::fetch_library(sh, &compiler.release, &fetched)?;
    if place.exists() {
        sh.remove_path(&place)?;
    }
    std::fs::rename(&fetched, &place).with_context(|| format!("cannot create {}", place.display()))?;
    Ok(debian::library_folder(&place, &compiler.release))
}

/// Where it is kept.
fn place(project: &Project, compiler: &Compiler) -> PathBuf {
    project.target.join("library-source").join(compiler.folder())
}

fn is_library(folder: &Path) -> bool {
    folder.join("core/src/lib.rs").is_file()
}
