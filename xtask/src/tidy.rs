//! The tree as the tidy rules see it: the files git knows or would take, and the findings of the rules.

pub(crate) mod machine_paths;
pub(crate) mod orphans;
pub(crate) mod unfinished;

use std::collections::BTreeMap;
use std::fmt;
use std::fs;

use anyhow::{Context, Result};
use xshell::cmd;

use crate::project::Project;

/// Every file by its path from the root, with its text; a binary file has none.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    files: BTreeMap<String, Option<String>>,
}

/// Something a rule found; printed as `path:line: message`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    path: String,
    line: Option<usize>,
    message: String,
}

impl Tree {
    /// Reads the checkout: tracked files, and new ones that are not ignored, so that a finding comes before the commit.
    pub(crate) fn read(project: &Project) -> Result<Self> {
        let list =
            cmd!(project.shell, "git ls-files --cached --others --exclude-standard -z").quiet().read()?;
        let mut files = BTreeMap::new();
        for path in list.split('\0').filter(|path| !path.is_empty()) {
            let on_disk = project.root.join(path);
            if !on_disk.is_file() {
                continue; // Deleted, and git not yet told.
            }
            let bytes = fs::read(&on_disk).with_context(|| format!("cannot read {path}"))?;
            files.insert(path.to_owned(), String::from_utf8(bytes).ok());
        }
        Ok(Self { files })
    }

    /// A tree of these files, for the tests of the rules.
    #[cfg(test)]
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let files = files.iter().map(|&(path, text)| (path.to_owned(), Some(text.to_owned()))).collect();
        Self { files }
    }

    /// Whether there is a file of this path.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// All files with a text, in the order of their paths.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().filter_map(|(path, text)| Some((path.as_str(), text.as_deref()?)))
    }

    /// The paths that end so.
    pub(crate) fn ending_in<'a>(&'a self, end: &'a str) -> impl Iterator<Item = &'a str> {
        self.files.keys().map(String::as_str).filter(move |path| path.ends_with(end))
    }
}

impl Finding {
    /// About a file as a whole.
    pub(crate) fn file(path: &str, message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line: None, message: message.into() }
    }

    /// About a line, counted from zero as `enumerate` does.
    pub(crate) fn line(path: &str, index: usize, message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line: Some(index + 1), message: message.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.path, self.message),
            None => write!(f, "{}: {}", self.path, self.message),
        }
    }
}
