//! A package archive, found in the machine's own apt settings so that no address of one stands in this project.

#[cfg(test)]
mod tests;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

/// Where packages come from, and the keys that sign them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Archive {
    address: String,
    keyring: Option<String>,
}

impl Archive {
    /// The first Debian archive in the machine's apt settings, which may name vendors' archives too.
    pub(super) fn of_this_machine() -> Result<Self> {
        let mut files: Vec<PathBuf> = fs::read_dir("/etc/apt/sources.list.d")
            .into_iter()
            .flatten()
            .flatten()
            .map(|e| e.path())
            .collect();
        files.sort();
        files.push(PathBuf::from("/etc/apt/sources.list"));
        files
            .iter()
            .filter_map(|file| {
                let text = fs::read_to_string(file).ok()?;
                match file.extension()?.to_str()? {
                    "sources" => from_stanzas(&text),
                    "list" => from_lines(&text),
                    _ => None,
                }
            })
            .next()
            .context("apt's settings on this machine name no Debian archive")
    }

    /// The line that names one suite of this archive to apt.
    pub(super) fn source_line(&self, suite: &str) -> String {
        let options = self.keyring.as_ref().map(|key| format!(" [signed-by={key}]")).unwrap_or_default();
        format!("deb{options} {} {suite} main\n", self.address)
    }
}

/// Whether an entry is Debian's own archive of packages: by custom a mirror's address says so, and what vendors serve
/// or what holds security updates alone does not count.
fn is_debian(address: &str, suites: &str, components: &str) -> bool {
    address.contains("debian")
        && !suites.contains("-security")
        && components.split_whitespace().any(|name| name == "main")
}

/// Reads the current format: stanzas of `Field: value` lines.
fn from_stanzas(text: &str) -> Option<Archive> {
    text.split("\n\n").find_map(|stanza| {
        let field = |name: &str| stanza.lines().find_map(|line| Some(line.strip_prefix(name)?.trim()));
        let address = field("URIs:")?.split_whitespace().next()?;
        let enabled = field("Enabled:") != Some("no");
        if !enabled || !is_debian(address, field("Suites:")?, field("Components:")?) {
            return None;
        }
        // A key may also stand in the stanza itself; apt then has to know it by itself.
        let keyring = field("Signed-By:").filter(|key| key.starts_with('/'));
        Some(Archive { address: address.to_owned(), keyring: keyring.map(str::to_owned) })
    })
}

/// Reads the older format: `deb [options] address suite components` a line.
fn from_lines(text: &str) -> Option<Archive> {
    text.lines().find_map(|line| {
        let rest = line.trim().strip_prefix("deb ")?.trim_start();
        let (options, rest) = match rest.strip_prefix('[') {
            Some(inner) => inner.split_once(']')?,
            None => ("", rest),
        };
        let (address, rest) = rest.trim_start().split_once(' ')?;
        let (suite, components) = rest.trim_start().split_once(' ')?;
        if !is_debian(address, suite, components) {
            return None;
        }
        let keyring = options.split_whitespace().find_map(|option| option.strip_prefix("signed-by="));
        Some(Archive { address: address.to_owned(), keyring: keyring.map(str::to_owned) })
    })
}
