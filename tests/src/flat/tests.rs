//! Cases that do not fit the memory, and what is left in it.

use core::ops::Range;

use std::string::String;
use std::vec;
use std::vec::Vec;

use super::{MEMORY_BYTES, play};
use crate::case::Case;
use crate::compare::{SETTINGS, Trial, place, trials};
use crate::reply::Reply;
use crate::runtime::Direct;

fn relu() -> Trial {
    trials().into_iter().find(|trial| trial.name() == "relu [9]").unwrap()
}

/// Plays a case of `relu`, changed, over a memory of this many bytes.
fn played(memory: &mut [u64], change: impl FnOnce(&mut Case<'_>)) -> Reply {
    let bytes = place(&relu(), &SETTINGS[0], 1).unwrap();
    let mut case = Case::decode(&bytes).unwrap();
    change(&mut case);
    let (mut changed, mut reply) = (Vec::new(), Vec::new());
    case.encode(&mut changed);
    play(&changed, memory, &mut reply, &mut Direct::default());
    Reply::decode(&reply).unwrap().0
}

fn refusal(change: impl FnOnce(&mut Case<'_>)) -> String {
    match played(&mut vec![0; 1 << 17], change) {
        Reply::Refused(reason) => reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let library = refusal(|case| case.library = "none");
    assert_eq!(library, "no library none: host and image are of different builds");
    assert_eq!(refusal(|case| case.op = "none"), "no op none in library examples");
    let outside = "the case's scratch or one of its pieces lies outside the memory";
    assert_eq!(refusal(|case| case.pieces[0].offset = 1 << 20), outside);
    assert_eq!(refusal(|case| case.pieces[0].offset = u64::MAX), outside);
    assert_eq!(refusal(|case| case.scratch_start = 1 << 20), outside);
    assert_eq!(refusal(|case| case.scratch_each = u64::MAX / 8), outside);
    assert_eq!(refusal(|case| case.scratch_each = u64::MAX), outside);
    let outside = "the case's answer lies outside the memory";
    assert_eq!(refusal(|case| case.answer = 0..(1 << 20) + 1), outside);
    assert_eq!(refusal(|case| case.answer = Range { start: 8, end: 4 }), outside);
}

#[test]
fn a_core_that_would_run_the_code_of_another_is_refused() {
    let reason = refusal(|case| case.first_image += 2 << 20);
    let words = "core 0 runs the image linked at 0x84200000 in hbm_scratch, which is that of core 1: load the one linked at 0x84000000";
    assert_eq!(reason, words);
    let mut memory = vec![0; MEMORY_BYTES as usize / 8];
    assert!(matches!(played(&mut memory, |case| case.first_image = 0), Reply::Refused(_)));
    assert!(memory.iter().all(|&word| word == 0));
}

#[test]
fn the_memory_is_left_zero() {
    let mut memory = vec![0; MEMORY_BYTES as usize / 8];
    assert!(matches!(played(&mut memory, |_| {}), Reply::Ran { .. }));
    assert!(memory.iter().all(|&word| word == 0));
}
