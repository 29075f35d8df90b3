//! What counts as unfinished, and what only looks like it.

use super::{Tree, check};

fn found(path: &str, line: &str) -> bool {
    !check(&Tree::of(&[(path, line)])).is_empty()
}

#[test]
fn markers_and_macros_are_found_with_their_line() {
    let findings = check(&Tree::of(&[("src/a.rs", "fn a() {\n    todo!()\n}\n")]));
    let text: Vec<String> = findings.iter().map(ToString::to_string).collect();
    assert_eq!(text, ["src/a.rs:2: todo! does not land: do it, or file an issue"]);
    for line in ["// TODO later", "//TODO: later", "// FIXME", "unimplemented!(\"x\")", "core::todo!()"] {
        assert!(found("src/a.rs", line), "{line}");
    }
    assert!(found("README.md", "TODO: words"));
}

#[test]
fn longer_words_are_fine() {
    for line in ["let TODOS = 1;", "MASTODON", "mytodo!()", "let todo = 1;", "0xXXXX", "unimplemented"] {
        assert!(!found("src/a.rs", line), "{line}");
    }
}

#[test]
fn other_files_are_not_read() {
    assert!(!found("data/TODO.csv", "TODO"));
    assert!(!found("xtask/src/tidy.rs", "// TODO"));
    assert!(!found("README.md", "#[ignore]"));
}

#[test]
fn ignored_tests_are_found_in_every_form() {
    for line in ["#[ignore]", "    #[ignore = \"slow\"]", "#[ignore=\"x\"]", "#[cfg_attr(miri, ignore)]"] {
        assert!(found("tests/a.rs", line), "{line}");
    }
    for line in ["#[ignored]", "// ignore", "#[cfg_attr(test, derive(Debug))]", "let ignore = 1;"] {
        assert!(!found("tests/a.rs", line), "{line}");
    }
}
