#![no_main]

use std::cell::RefCell;

use libfuzzer_sys::fuzz_target;
use neuron_tests::fuzz::{Fed, TARGETS};

thread_local! {
    static FED: RefCell<Fed> = RefCell::new((TARGETS[0].start)());
}

fuzz_target!(|bytes: &[u8]| {
    FED.with_borrow_mut(|fed| fed.feed(bytes));
});
