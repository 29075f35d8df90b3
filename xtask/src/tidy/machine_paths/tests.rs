//! Absolute paths of one machine, and paths that only contain the same words.

use super::{Tree, check};

fn found(line: &str) -> bool {
    !check(&Tree::of(&[("a.stderr", line)])).is_empty()
}

#[test]
fn paths_of_one_machine_are_found_with_their_line() {
    let text = format!("fine\nerror in {}me/src/a.rs\n", format_args!("/{}/", "root"));
    let findings = check(&Tree::of(&[("tests/ui/a.stderr", &text)]));
    assert_eq!(findings.len(), 1);
    assert!(findings[0].to_string().starts_with("tests/ui/a.stderr:2: "));
    for folder in super::FOLDERS {
        assert!(found(&format!("/{folder}/someone/project")), "{folder}");
        assert!(found(&format!("--> \"file:///{folder}/a.rs\"")), "{folder}");
    }
}

#[test]
fn the_same_words_inside_a_path_are_fine() {
    for folder in super::FOLDERS {
        for line in
            [format!("src/{folder}/a.rs"), format!("./{folder}/a"), format!("host.test/{folder}/page")]
        {
            assert!(!found(&line), "{line}");
        }
        assert!(!found(&format!("{{root}}/{folder}/a")), "{folder}");
        assert!(!found(folder), "{folder}");
    }
}
