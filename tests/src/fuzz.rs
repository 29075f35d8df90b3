//! What fuzzers feed with bytes: records, signatures of kernels, `.npy` files. The targets of `fuzz/` call them under libFuzzer, and
//! `cargo xtask fuzz-smoke` with a mutator of its own, which gives the same bytes every time.
//!
//! Each says which arms of its parser the bytes reached, by name, so that one that is never reached is noticed.

mod mutate;
mod npy;
mod probe;
mod records;
mod signature;

use std::vec::Vec;

pub use self::mutate::{Mutator, corpus};
pub use self::records::Records;

/// One target: what takes bytes, and the arms it must reach.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, and that of its corpus.
    pub name: &'static str,
    /// Makes what is fed.
    pub start: fn() -> Fed,
    /// Every arm.
    pub arms: fn() -> Vec<&'static str>,
    /// Words its inputs are made of, for mutations.
    pub words: &'static [&'static str],
}

/// Every target.
pub const TARGETS: [Target; 3] = [
    Target {
        name: "records",
        start: || Fed::Records(std::boxed::Box::default()),
        arms: || records::ARMS.to_vec(),
        words: &[],
    },
    Target { name: "signature", start: || Fed::Signature, arms: signature::arms, words: signature::WORDS },
    Target { name: "npy", start: || Fed::Npy, arms: || npy::ARMS.to_vec(), words: npy::WORDS },
];

/// What takes bytes, with what it keeps from one input to the next.
#[derive(Debug)]
pub enum Fed {
    /// Argument records, by a core of the simulator and one of flat memory.
    Records(std::boxed::Box<Records>),
    /// Source of `#[custom_op]`, `neuron_library!` or `op!`.
    Signature,
    /// A `.npy` file.
    Npy,
}

impl Fed {
    /// The arms these bytes reach.
    ///
    /// # Panics
    /// If something is wrong with the parser.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<&'static str> {
        match self {
            Self::Records(records) => records.feed(bytes),
            Self::Signature => signature::feed(bytes),
            Self::Npy => npy::feed(bytes),
        }
    }
}
