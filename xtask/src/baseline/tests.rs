//! The tolerance, what counts as a change, and the file.

use super::{Baseline, Change, Counts, agrees};

fn counts(list: &[(&str, f64)]) -> Counts {
    list.iter().map(|&(name, count)| (name.to_owned(), count)).collect()
}

fn baseline(list: &[(&str, f64)]) -> Baseline {
    Baseline { rustc: "rustc 1.95.0".to_owned(), instructions_per_element: counts(list) }
}

#[test]
fn one_percent_either_way_agrees_and_a_hundredth_more_does_not() {
    for (old, new, expected) in [
        (12.0, 12.12, true),
        (12.0, 11.88, true),
        (12.0, 12.13, false),
        (12.0, 11.87, false),
        (0.5, 0.51, false),
        (0.0, 0.0, true),
        (0.0, 0.01, false),
        (3.0, f64::NAN, false),
    ] {
        assert_eq!(agrees(old, new), expected, "{old} -> {new}");
    }
}

#[test]
fn a_new_loop_and_a_lost_one_are_changes_too() {
    let old = baseline(&[("kept", 4.0), ("lost", 5.0), ("slower", 6.0)]);
    let changes = old.changes(&counts(&[("kept", 4.04), ("new", 1.0), ("slower", 7.0)]));
    let change = |name: &str, old, new| Change { name: name.to_owned(), old, new };
    assert_eq!(
        changes,
        [
            change("lost", Some(5.0), None),
            change("new", None, Some(1.0)),
            change("slower", Some(6.0), Some(7.0)),
        ]
    );
}

#[test]
fn a_written_file_is_read_back() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let path = folder.path().join("counts/some_arch.json");
    assert_eq!(Baseline::read(&path).expect("no file is no error"), None);
    let written = baseline(&[("relu", 12.34), ("copy", 3.0)]);
    written.write(&path).expect("the folder is made");
    assert_eq!(Baseline::read(&path).expect("a good file"), Some(written));
}

#[test]
fn a_broken_file_is_named_with_the_way_out() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let path = folder.path().join("some_arch.json");
    std::fs::write(&path, "{\"rustc\": 1}").expect("a writable folder");
    let message = Baseline::read(&path).expect_err("no record").to_string();
    assert!(message.contains("some_arch.json") && message.contains("cargo xtask bless"), "{message}");
}
