//! Recorded results whose test is gone: nothing reads them, so nothing would notice if they were wrong.

#[cfg(test)]
mod tests;

use super::{Finding, Tree};

/// Snapshots without their source, compiler messages without their program, and results nobody has accepted.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.texts().filter(|(path, _)| path.ends_with(".snap")) {
        match source(text) {
            None => findings.push(Finding::file(path, "the snapshot does not say which test made it")),
            Some(source) if !tree.has(source) => {
                findings.push(Finding::file(
                    path,
                    format!("the snapshot's test file {source} is gone; delete it"),
                ));
            }
            Some(_) => {}
        }
    }
    for path in tree.ending_in(".stderr") {
        let program = format!("{}.rs", path.trim_end_matches(".stderr"));
        if !tree.has(&program) {
            findings
                .push(Finding::file(path, format!("the program {program} it belongs to is gone; delete it")));
        }
    }
    for path in tree.ending_in(".snap.new").chain(tree.ending_in(".pending-snap")) {
        findings.push(Finding::file(path, "a snapshot nobody has accepted; run `cargo xtask bless`"));
    }
    findings
}

/// The test file named in the head of a snapshot, which stands between two lines of dashes.
fn source(snapshot: &str) -> Option<&str> {
    let head = snapshot.strip_prefix("---\n")?.split("\n---").next()?;
    head.lines().find_map(|line| line.strip_prefix("source:")).map(|source| source.trim().trim_matches('"'))
}
