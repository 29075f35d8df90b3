//! The end of a process whose kernel does not end.

use std::process::Command;

#[test]
fn a_loop_without_accesses_ends_the_process_and_names_op_and_core() {
    let output = Command::new(env!("CARGO_BIN_EXE_endless")).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(101), "{said}");
    assert!(said.contains("op `endless` did not end within 100ms: core 1 is in a loop"), "{said}");
    assert_eq!(output.stdout, b"", "no report");
}
