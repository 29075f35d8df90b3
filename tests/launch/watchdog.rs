//! The end of a process whose kernel does not end, or whose kernel's panic does not.

use std::process::Command;

#[test]
fn a_loop_without_accesses_ends_the_process_and_names_op_and_core() {
    let output = Command::new(env!("CARGO_BIN_EXE_endless")).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(101), "{said}");
    assert!(said.contains("op `endless` did not end within 100ms: core 1 is in a loop"), "{said}");
    assert_eq!(output.stdout, b"", "no report");
}

/// A panic cannot be left in its middle, so that nothing is left but to say why.
#[test]
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
fn a_stack_that_overflows_in_a_panics_drops_ends_the_process_and_says_so() {
    let output = Command::new(env!("CARGO_BIN_EXE_endless")).arg("drop").output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && said.contains("about to be dropped"), "{said}");
    assert!(said.contains("a kernel panicked, and what it dropped then overflowed its stack"), "{said}");
    assert_eq!(output.stdout, b"", "no report");
}
