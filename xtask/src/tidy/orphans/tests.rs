//! Recorded results with and without what made them.

use super::{Tree, check};

fn findings(files: &[(&str, &str)]) -> Vec<String> {
    check(&Tree::of(files)).iter().map(ToString::to_string).collect()
}

#[test]
fn a_snapshot_beside_its_test_is_fine() {
    let snapshot = "---\nsource: tests/tests/report.rs\nexpression: text\n---\nsource: elsewhere.rs\n";
    let files = [("tests/tests/report.rs", ""), ("tests/tests/snapshots/report__clean.snap", snapshot)];
    assert!(findings(&files).is_empty());
}

#[test]
fn a_snapshot_without_its_test_is_an_orphan() {
    let files = [("a.snap", "---\nsource: \"tests/gone.rs\"\n---\ntext\n"), ("b.snap", "text\n")];
    assert_eq!(
        findings(&files),
        [
            "a.snap: the snapshot's test file tests/gone.rs is gone; delete it",
            "b.snap: the snapshot does not say which test made it",
        ]
    );
}

#[test]
fn compiler_messages_need_their_program() {
    let files = [("ui/a.rs", ""), ("ui/a.stderr", "error"), ("ui/b.stderr", "error")];
    assert_eq!(findings(&files), ["ui/b.stderr: the program ui/b.rs it belongs to is gone; delete it"]);
}

#[test]
fn results_nobody_accepted_are_found() {
    let files = [("a.snap.new", ""), (".b.rs.pending-snap", "")];
    assert_eq!(findings(&files).len(), 2);
}
