//! Names of libraries and versions of compilers.

use std::path::Path;

use super::{Compiler, is_library, parse_compiler};

#[test]
fn a_library_is_told_by_its_whole_name() {
    assert!(is_library(Path::new("deps/libcore-0123abcd.rlib"), "core"));
    assert!(is_library(Path::new("libcompiler_builtins-7f.rlib"), "compiler_builtins"));
    for other in ["libcore-0123abcd.rmeta", "libcorelike-0.rlib", "core-0.rlib", "libcore.rlib"] {
        assert!(!is_library(Path::new(other), "core"), "{other}");
    }
}

#[test]
fn the_compiler_is_named_by_release_and_commit() {
    let text = "rustc 1.95.0 (598 2026-04-14)\nbinary: rustc\ncommit-hash: 59807616e1\nrelease: 1.95.0\n";
    let expected = Compiler { release: "1.95.0".to_owned(), commit: "59807616e1".to_owned() };
    assert_eq!(parse_compiler(text), Some(expected));
    assert_eq!(parse_compiler("rustc 1.95.0"), None);
}
