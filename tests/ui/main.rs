//! What the compiler says to an author, and that it says nothing where nothing is wrong.

use std::fs;
use std::path::Path;

#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.pass("ui/pass/*.rs");
    cases.compile_fail("ui/fail/*.rs");
    for snapshot in snapshots() {
        cases.pass(snapshot);
    }
}

/// The snapshots of expansions as programs: what a reader of a snapshot reads is Rust that compiles.
fn snapshots() -> Vec<String> {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../neuron-macros/backend/src/expansion/snapshots");
    let to = Path::new(env!("CARGO_TARGET_TMPDIR")).join("snapshots");
    fs::create_dir_all(&to).unwrap();
    let mut programs = Vec::new();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "snap") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        // A snapshot begins with two `---` lines and what insta keeps between them.
        let expansion = text.splitn(3, "---\n").nth(2).unwrap();
        let program = to.join(path.file_name().unwrap()).with_extension("rs");
        let source = format!("#![allow(dead_code, non_upper_case_globals)]\n{expansion}\nfn main() {{}}\n");
        fs::write(&program, source).unwrap();
        programs.push(program.to_str().unwrap().to_owned());
    }
    assert!(!programs.is_empty());
    programs
}
