//! Names of libraries.

use std::path::Path;

use super::is_library;

#[test]
fn a_library_is_told_by_its_whole_name() {
    assert!(is_library(Path::new("deps/libcore-0123abcd.rlib"), "core"));
    assert!(is_library(Path::new("libcompiler_builtins-7f.rlib"), "compiler_builtins"));
    for other in ["libcore-0123abcd.rmeta", "libcorelike-0.rlib", "core-0.rlib", "libcore.rlib"] {
        assert!(!is_library(Path::new(other), "core"), "{other}");
    }
}
