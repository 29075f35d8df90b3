//! `core` for the 32-bit target: the toolchain's own, or one built here once and kept below the target folder.

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use xshell::cmd;

use crate::compiler::Compiler;
use crate::project::Project;
use crate::source;

/// The 32-bit target: 4-byte pointers, no floating-point unit, no operating system.
pub(crate) const TARGET: &str = "riscv32imac-unknown-none-elf";

/// Where the compiler finds `core` for [`TARGET`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Library {
    /// In the installed toolchain; nothing has to be said to it.
    Toolchain,
    /// In this sysroot, which the compiler must be told of.
    Private(PathBuf),
}

/// The library to use, or `None` if it has to be got first.
pub(crate) fn find(project: &Project) -> Result<Option<Library>> {
    let sh = &project.shell;
    let folder = cmd!(sh, "rustc --print target-libdir --target {TARGET}")
        .quiet()
        .read()
        .with_context(|| format!("this rustc does not know the target {TARGET}"))?;
    if holds_core(Path::new(&folder)) {
        return Ok(Some(Library::Toolchain));
    }
    let sysroot = place(project, &Compiler::in_use(sh)?);
    Ok(holds_core(&library_folder(&sysroot)).then_some(Library::Private(sysroot)))
}

/// Builds the library with this compiler from the source made for it, which is fetched if need be.
pub(crate) fn build(project: &Project) -> Result<Library> {
    let sh = &project.shell;
    let compiler = Compiler::in_use(sh)?;
    let sysroot = place(project, &compiler);
    let parent = sysroot.parent().context("a sysroot has a parent folder")?;
    sh.create_dir(parent)?;
    // All work is done beside the final place and moved there whole: a run cut short leaves nothing half done.
    let work = tempfile::Builder::new().prefix(".work-").tempdir_in(parent)?;

    let source = match source::find(project, &compiler)? {
        Some(source) => source,
        None => source::fetch(project, &compiler)?,
    };
    let built = work.path().join("sysroot");
    compile(project, &source, work.path(), &library_folder(&built))?;

    if sysroot.exists() {
        sh.remove_path(&sysroot)?;
    }
    std::fs::rename(&built, &sysroot).with_context(|| format!("cannot create {}", sysroot.display()))?;
    println!("built `core` for {TARGET} in {}", sysroot.display());
    Ok(Library::Private(sysroot))
}

/// Lets cargo build the library as the dependency of an empty crate, and keeps the three parts.
fn compile(project: &Project, source: &Path, work: &Path, into: &Path) -> Result<()> {
    let sh = &project.shell;
    let krate = work.join("crate");
    // A workspace of its own: the folder lies inside the checkout's workspace.
    sh.write_file(
        krate.join("Cargo.toml"),
        "[package]\nname = \"nothing\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
         [lib]\npath = \"nothing.rs\"\n[workspace]\n[profile.release]\ndebug = false\n",
    )?;
    sh.write_file(krate.join("nothing.rs"), "#![no_std]\n")?;

    let (manifest, build) = (krate.join("Cargo.toml"), work.join("build"));
    // A stable cargo builds the standard library only when told to act as an unstable one, and looks for the source
    // in the toolchain unless told otherwise. Both concern this build alone; what links the result needs neither.
    project
        .cargo(&["build", "--quiet", "--release", "-Zbuild-std=core,alloc", "--target", TARGET])
        .arg("-Zbuild-std-features=compiler-builtins-mem")
        .arg("--manifest-path")
        .arg(manifest)
        .arg("--target-dir")
        .arg(&build)
        .env("RUSTC_BOOTSTRAP", "1")
        .env("__CARGO_TESTS_ONLY_SRC_ROOT", source)
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .run()?;

    let deps = build.join(TARGET).join("release/deps");
    sh.create_dir(into)?;
    for name in ["core", "alloc", "compiler_builtins"] {
        let built: Vec<PathBuf> =
            sh.read_dir(&deps)?.into_iter().filter(|path| is_library(path, name)).collect();
        ensure!(built.len() == 1, "{} libraries named {name} in {}", built.len(), deps.display());
        sh.copy_file(&built[0], into)?;
    }
    Ok(())
}

/// Where the library for this compiler is kept.
fn place(project: &Project, compiler: &Compiler) -> PathBuf {
    project.target.join("rv32-sysroot").join(compiler.folder())
}

/// The folder in which the compiler looks for libraries of [`TARGET`].
fn library_folder(sysroot: &Path) -> PathBuf {
    sysroot.join("lib/rustlib").join(TARGET).join("lib")
}

fn holds_core(folder: &Path) -> bool {
    std::fs::read_dir(folder)
        .is_ok_and(|entries| entries.flatten().any(|entry| is_library(&entry.path(), "core")))
}

/// Whether this is the compiled crate `name`: lib*name*-*hash*.rlib.
fn is_library(path: &Path, name: &str) -> bool {
    let file = path.file_name().and_then(|file| file.to_str()).unwrap_or_default();
    let hash = file.strip_prefix("lib").and_then(|rest| rest.strip_prefix(name));
    hash.is_some_and(|rest| rest.starts_with('-') && rest.ends_with(".rlib"))
}
