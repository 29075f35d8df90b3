//! Versions of compilers.

use super::{Compiler, parse};

#[test]
fn the_compiler_is_named_by_release_and_commit() {
    let text = "rustc 1.95.0 (598 2026-04-14)\nbinary: rustc\ncommit-hash: 59807616e1ab\n\
                host: x86_64-unknown-linux-gnu\nrelease: 1.95.0\n";
    let expected = Compiler {
        release: "1.95.0".to_owned(),
        commit: "59807616e1ab".to_owned(),
        host: "x86_64-unknown-linux-gnu".to_owned(),
    };
    assert_eq!(parse(text).as_ref(), Some(&expected));
    assert_eq!(expected.folder(), "1.95.0-59807616e");
    assert_eq!(parse("rustc 1.95.0"), None);
}
