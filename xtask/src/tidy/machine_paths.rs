//! Paths that exist on one machine only: home folders, and the places where build machines keep checkouts.

#[cfg(test)]
mod tests;

use super::{Finding, Tree};

/// Folders at the root of a machine that no file of this project may name. Written without their slashes, so that
/// this file passes its own rule.
const FOLDERS: [&str; 4] = ["home", "root", "Users", "work"];

/// Looks through every text file.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.texts() {
        for (index, line) in text.lines().enumerate() {
            for folder in FOLDERS {
                let found = format!("/{folder}/");
                if starts_a_path(line, &found) {
                    let message = format!("{found} names one machine; say it relative to the checkout");
                    findings.push(Finding::line(path, index, message));
                }
            }
        }
    }
    findings
}

/// Whether `prefix` stands in the line and is not the middle of a longer path or address.
fn starts_a_path(line: &str, prefix: &str) -> bool {
    line.match_indices(prefix).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '}' | ')'))
    })
}
