//! What counts as a difference, and that the tables leave no op out.

use std::string::String;
use std::vec::Vec;

use neuron_device::{Counters, Dtype};

use super::{Strictness, difference, trials};
use crate::kernels::libraries;
use crate::reply::{CoreEnd, Reply};

fn end(error: Option<&str>) -> CoreEnd {
    CoreEnd { error: error.map(String::from), counters: Counters::default(), fingerprint: 0 }
}

fn ran(ends: &[CoreEnd], values: &[f32]) -> Reply {
    let answer = values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<_>>();
    Reply::Ran { cores: ends.into(), answer }
}

fn results(expected: &Reply, found: &Reply) -> Option<String> {
    difference(Dtype::F32, expected, found, Strictness::Results)
}

#[test]
fn one_bit_is_a_difference() {
    let expected = ran(&[end(None)], &[1.0, -0.0, 2.0]);
    assert_eq!(results(&expected, &expected), None);
    let found = ran(&[end(None)], &[1.0, 0.0, 2.0_f32.next_up()]);
    let words = "2 elements of f32 differ, the first at 1 of the storage: 00000000 instead of 80000000";
    assert_eq!(results(&expected, &found).unwrap(), words);
    let shorter = ran(&[end(None)], &[1.0]);
    assert_eq!(results(&expected, &shorter).unwrap(), "4 bytes of output instead of 12");
}

#[test]
fn nans_are_equal_to_each_other_and_to_nothing_else() {
    let quiet = ran(&[end(None)], &[f32::NAN]);
    let other = ran(&[end(None)], &[f32::from_bits(0xFF80_0001)]);
    assert_eq!(results(&quiet, &other), None);
    assert!(results(&quiet, &ran(&[end(None)], &[f32::INFINITY])).is_some());
    // The same bytes as integers are not.
    assert!(difference(Dtype::I32, &quiet, &other, Strictness::Results).is_some());
}

#[test]
fn ends_of_cores_are_compared_as_strictly_as_asked() {
    let expected = ran(&[end(None), end(Some("no"))], &[]);
    let error = ran(&[end(None), end(Some("yes"))], &[]);
    assert_eq!(results(&expected, &error).unwrap(), r#"core 1: "yes" instead of "no""#);
    let none = ran(&[end(None), end(None)], &[]);
    assert_eq!(results(&expected, &none).unwrap(), r#"core 1: "no error" instead of "no""#);
    assert_eq!(results(&expected, &ran(&[end(None)], &[])).unwrap(), "1 cores instead of 2");
    let refused = Reply::Refused("because".into());
    assert_eq!(results(&expected, &refused).unwrap(), "a refusal (because) instead of a run");

    let changed = |change: fn(&mut CoreEnd)| {
        let mut ends = [end(None), end(Some("no"))];
        change(&mut ends[0]);
        ran(&ends, &[])
    };
    let stores = changed(|end| end.counters.stores = 1);
    assert_eq!(results(&expected, &stores).unwrap(), "core 0: 0 loads and 1 stores instead of 0 and 0");
    let everything = |found: &Reply| difference(Dtype::F32, &expected, found, Strictness::Everything);
    for strict in [changed(|end| end.counters.windows[2].hits = 1), changed(|end| end.fingerprint = 1)] {
        assert_eq!(results(&expected, &strict), None);
        assert!(everything(&strict).is_some());
    }
}

#[test]
fn every_op_is_tried_on_one_core_and_on_eight() {
    let trials = trials();
    for op in libraries().flat_map(|library| library.ops()) {
        let mut of_op = trials.iter().filter(|trial| std::ptr::eq(trial.op, *op));
        assert!(of_op.clone().any(|trial| trial.allows(8)), "{op:?}");
        assert!(of_op.any(|trial| trial.allows(1)), "{op:?}");
    }
}
