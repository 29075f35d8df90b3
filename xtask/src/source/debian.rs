//! The standard library's source from Debian's `rust-src`, in exactly the compiler's version, without a change to the
//! machine's own package lists. The archive's address comes from the machine's apt settings.

#[cfg(test)]
mod tests;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use xshell::{Shell, cmd};

use super::archive::Archive;

/// The suites that carry recent compilers, the likeliest first. Which version a suite holds changes with time.
const SUITES: [&str; 3] = ["trixie-backports", "forky", "sid"];

/// The `library` folder in a folder that holds the package's source.
pub(super) fn library_folder(source: &Path, release: &str) -> PathBuf {
    source.join(in_package(release))
}

/// The `library` folder in the package.
fn in_package(release: &str) -> String {
    format!("usr/src/rustc-{release}/library")
}

/// Puts the source of release `release` below `into`.
pub(super) fn fetch_library(sh: &Shell, release: &str, into: &Path) -> Result<()> {
    let archive = Archive::of_this_machine()?;
    let mut refusals = Vec::new();
    for suite in SUITES {
        match fetch(sh, &archive, suite, release, into) {
            Ok(()) => return Ok(()),
            Err(error) => refusals.push(format!("{suite}: {error:#}")),
        }
    }
    bail!("Debian's rust-src {release} is not to be had ({})", refusals.join("; "));
}

/// One suite: its package list into a scratch folder, then the package, then the one folder of it that is needed.
fn fetch(sh: &Shell, archive: &Archive, suite: &str, release: &str, into: &Path) -> Result<()> {
    let scratch = tempfile::tempdir()?;
    let root = scratch.path();
    fs::create_dir_all(root.join("lists/partial"))?;
    fs::create_dir_all(root.join("cache/archives/partial"))?;
    fs::write(root.join("sources.list"), archive.source_line(suite))?;
    let options = &apt_options(root);

    println!("looking for rust-src {release} in Debian's {suite}");
    cmd!(sh, "apt-get {options...} update").quiet().run()?;
    let offers = cmd!(sh, "apt-cache {options...} madison rust-src").quiet().read()?;
    let version = version_of(&offers, release).with_context(|| {
        let seen: Vec<&str> = versions(&offers).collect();
        format!("it has {}", if seen.is_empty() { "none".to_owned() } else { seen.join(", ") })
    })?;
    {
        let _in_scratch = sh.push_dir(root);
        cmd!(sh, "apt-get {options...} download rust-src={version}").quiet().run()?;
    }
    let package = sh
        .read_dir(root)?
        .into_iter()
        .find(|path| path.extension().is_some_and(|end| end == "deb"))
        .context("apt-get downloaded no package")?;

    unpack(&package, &format!("./{}", in_package(release)), into)?;
    let found = super::is_library(&library_folder(into, release));
    ensure!(found, "the package has no core/src/lib.rs");
    Ok(())
}

/// Options that keep apt from reading or writing the machine's package lists.
fn apt_options(root: &Path) -> Vec<String> {
    let root = root.display();
    [
        format!("Dir::Etc::SourceList={root}/sources.list"),
        "Dir::Etc::SourceParts=/dev/null".to_owned(),
        format!("Dir::State::Lists={root}/lists"),
        format!("Dir::Cache={root}/cache"),
        "Acquire::Languages=none".to_owned(),
        "Acquire::Retries=3".to_owned(),
        "Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false".to_owned(),
        // The scratch folder is closed to the user apt would switch to when root calls it.
        "APT::Sandbox::User=root".to_owned(),
    ]
    .into_iter()
    .flat_map(|option| ["-o".to_owned(), option])
    .chain(["-qq".to_owned()])
    .collect()
}

/// Streams the package's files into tar, which keeps one folder: the whole would be several hundred megabytes.
fn unpack(package: &Path, folder: &str, into: &Path) -> Result<()> {
    fs::create_dir_all(into)?;
    let mut files = Command::new("dpkg-deb")
        .arg("--fsys-tarfile")
        .arg(package)
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start dpkg-deb")?;
    let pipe = files.stdout.take().context("dpkg-deb has no output")?;
    let unpacked = Command::new("tar").arg("-xC").arg(into).arg(folder).stdin(pipe).status();
    let read = files.wait()?;
    let unpacked = unpacked.context("cannot start tar")?;
    ensure!(read.success() && unpacked.success(), "cannot unpack {}: {read}, {unpacked}", package.display());
    Ok(())
}

/// The package versions in `apt-cache madison`'s answer: `name | version | where`.
fn versions(offers: &str) -> impl Iterator<Item = &str> {
    offers.lines().filter_map(|line| Some(line.split('|').nth(1)?.trim()))
}

/// The package version made from this very release: `1.95.0+dfsg1-1`, not `1.95.01-1`.
fn version_of<'a>(offers: &'a str, release: &str) -> Option<&'a str> {
    versions(offers)
        .find(|version| version.strip_prefix(release).is_some_and(|rest| rest.starts_with(['+', '-', '~'])))
}
