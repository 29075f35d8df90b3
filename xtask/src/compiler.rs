//! The compiler in use, as far as a library built for it must match it.

#[cfg(test)]
mod tests;

use anyhow::{Context, Result};
use xshell::{Shell, cmd};

/// What `rustc --version --verbose` says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Compiler {
    pub(crate) release: String,
    pub(crate) commit: String,
    /// The target it runs on.
    pub(crate) host: String,
}

impl Compiler {
    /// The one that cargo would call here.
    pub(crate) fn in_use(sh: &Shell) -> Result<Self> {
        let text = cmd!(sh, "rustc --version --verbose").quiet().read()?;
        parse(&text).with_context(|| format!("cannot read the version of rustc from {text:?}"))
    }

    /// The name of a folder for what belongs to it. The commit tells apart nightlies, which share a release name.
    pub(crate) fn folder(&self) -> String {
        let short: String = self.commit.chars().take(9).collect();
        format!("{}-{short}", self.release)
    }
}

fn parse(text: &str) -> Option<Compiler> {
    let field =
        |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).map(|v| v.trim().to_owned());
    Some(Compiler { release: field("release:")?, commit: field("commit-hash:")?, host: field("host:")? })
}
