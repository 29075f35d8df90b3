//! Random programs, by the simulator and by a slow and obvious oracle. `cargo run --release -p neuron-tests --bin oracle`
//! runs many more of them.

use std::cell::RefCell;

use neuron_tests::oracle::{Machines, checked, decode};
use proptest::prelude::*;

thread_local! {
    static MACHINES: RefCell<Machines> = RefCell::default();
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 0, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn the_simulator_and_the_oracle_say_the_same(bytes in prop::collection::vec(any::<u8>(), 0..1600)) {
        let result = MACHINES.with_borrow_mut(|machines| checked(machines, &decode(&bytes)));
        prop_assert!(result.is_ok(), "{}", result.unwrap_err());
    }
}

/// A program of nothing is one, too.
#[test]
fn no_bytes_are_a_program() {
    neuron_tests::oracle::check(&[]);
}
