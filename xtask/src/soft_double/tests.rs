//! Names out of symbols, and what is no object.

use super::{ROUTINES, callers, path};

#[test]
fn a_symbol_gives_a_path_without_its_hash() {
    assert_eq!(path("_ZN15neuron_examples4gelu4gelu17h0123456789abcdefE"), "neuron_examples::gelu::gelu");
    assert_eq!(path("__adddf3"), "__adddf3");
}

#[test]
fn routines_are_of_f64_and_sorted() {
    assert!(ROUTINES.is_sorted() && ROUTINES.iter().all(|routine| routine.contains("df")));
}

#[test]
fn what_is_no_object_is_an_error() {
    assert!(callers(b"text").is_err());
}
