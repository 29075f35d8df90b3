//! The recorded instruction counts of one processor family, and the rule by which new ones agree with them.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

/// How far a count may lie from the recorded one, as a share of it.
const TOLERANCE: f64 = 0.01;

/// Instructions per element by loop name.
pub(crate) type Counts = BTreeMap<String, f64>;

/// What `tests/counts/<arch>.json` holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Baseline {
    /// The compiler the counts were taken with; another one may well count otherwise.
    pub(crate) rustc: String,
    /// Instructions per element by loop name, two decimals.
    pub(crate) instructions_per_element: Counts,
}

/// A loop that is not as recorded; a side is `None` where the loop does not exist.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Change {
    pub(crate) name: String,
    pub(crate) old: Option<f64>,
    pub(crate) new: Option<f64>,
}

impl Baseline {
    /// Reads the file, or gives `None` where there is none.
    pub(crate) fn read(path: &Path) -> Result<Option<Self>> {
        if !path.exists() {
            return Ok(None);
        }
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        serde_json::from_str(&text)
            .with_context(|| {
                format!("{} is no record of counts; `cargo xtask bless` writes it anew", path.display())
            })
            .map(Some)
    }

    /// Writes the file, its loops in the order of their names.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let folder = path.parent().context("the file of counts lies in a folder")?;
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
        let text = serde_json::to_string_pretty(self)? + "\n";
        fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
    }

    /// The loops whose new count is out of tolerance, appeared or is gone.
    pub(crate) fn changes(&self, new: &Counts) -> Vec<Change> {
        let old = &self.instructions_per_element;
        let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        names
            .into_iter()
            .map(|name| Change {
                name: name.clone(),
                old: old.get(name).copied(),
                new: new.get(name).copied(),
            })
            .filter(|change| match (change.old, change.new) {
                (Some(old), Some(new)) => !agrees(old, new),
                _ => true,
            })
            .collect()
    }
}

/// Whether `new` lies within the tolerance around `old`, its ends included.
fn agrees(old: f64, new: f64) -> bool {
    // Counts are whole hundredths, so a far smaller slack only undoes the rounding of binary fractions.
    const SLACK: f64 = 1e-9;
    (new - old).abs() <= old.abs() * TOLERANCE + SLACK
}
