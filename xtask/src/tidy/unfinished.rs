//! Work left undone, and tests that do not run.

#[cfg(test)]
mod tests;

use super::{Finding, Tree};

/// Words that mark work to be done later.
const MARKERS: [&str; 3] = ["TODO", "FIXME", "XXX"];

/// Macros that stand where code is still to come.
const MACROS: [&str; 2] = ["todo!", "unimplemented!"];

/// Looks through Rust and Markdown; this program itself must name what it looks for.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let ours = |path: &str| (path.ends_with(".rs") || path.ends_with(".md")) && !path.starts_with("xtask/");
    for (path, text) in tree.texts().filter(|(path, _)| ours(path)) {
        for (index, line) in text.lines().enumerate() {
            for marker in MARKERS.into_iter().chain(MACROS).filter(|marker| has_word(line, marker)) {
                let message = format!("{marker} does not land: do it, or file an issue");
                findings.push(Finding::line(path, index, message));
            }
            if path.ends_with(".rs") && ignores_a_test(line) {
                findings.push(Finding::line(
                    path,
                    index,
                    "an ignored test; a long one gets a command of its own instead",
                ));
            }
        }
    }
    findings
}

/// Whether `word` stands in the line with no letter, digit or underscore before it, nor after it unless it is a macro.
fn has_word(line: &str, word: &str) -> bool {
    let part_of_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        !before.is_some_and(part_of_word) && (word.ends_with('!') || !after.is_some_and(part_of_word))
    })
}

/// Whether the line holds the attribute that keeps a test from running, bare or behind a condition.
fn ignores_a_test(line: &str) -> bool {
    let code = line.trim_start();
    let bare = code.contains("#[ignore]") || code.contains("#[ignore ") || code.contains("#[ignore=");
    bare || (code.starts_with("#[cfg_attr(") && has_word(code, "ignore"))
}
