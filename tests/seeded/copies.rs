//! Where values went that nobody had written.

use crate::suite::launch::Machines;
use crate::suite::seeds;

/// The first copy of the seed of this name: which element was read, and where its bits were written next.
fn copy(name: &str) -> Option<String> {
    let seed = seeds().into_iter().find(|seed| seed.op.name() == name).unwrap();
    let report = seed.run(&mut Machines::on_threads(1));
    let fault = report.faults().iter().find(|fault| fault.verdict.name() == "never_initialised").unwrap();
    let copied = fault.copied.as_ref()?;
    assert!(copied.site.file().starts_with("tests/seeded/suite/"), "{}", copied.site);
    Some(format!("{}{} to {}{}", fault.argument, fault.first, copied.argument, copied.first))
}

#[test]
fn a_copy_is_named_if_it_is_what_the_core_did_next() {
    assert_eq!(copy("reads_an_empty_input").as_deref(), Some("x[0] to out[0]"));
    assert_eq!(copy("pointer_reads_an_empty_input").as_deref(), Some("x[0] to out[0]"));
    assert_eq!(copy("reads_a_half_written_input").as_deref(), Some("x[1] to out[1]"));
    assert_eq!(copy("reads_what_was_left_out").as_deref(), Some("x[7] to out[7]"));
    assert_eq!(copy("copies_fresh_scratch").as_deref(), Some("scratch[0] to scratch[0]"));
    // By the last element of a share, and by a core that is not the first.
    assert_eq!(copy("accessor_reads_an_empty_input").as_deref(), Some("x[7] to out[0]"));
    // What is written next is a sum, though of zeros.
    assert_eq!(copy("adds_to_a_fresh_output"), None);
    assert_eq!(copy("pointer_adds_to_a_fresh_output"), None);
}
