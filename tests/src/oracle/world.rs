//! What there is before a launch: memory, byte by byte, and tensors.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::vec::Vec;

use super::known::{Known, Role};
use super::program::Form;

/// Memory and tensors.
#[derive(Debug)]
pub(super) struct World {
    /// Bytes; those that are not here are 0.
    pub(super) memory: BTreeMap<u64, u8>,
    /// Bytes somebody wrote.
    pub(super) initialised: BTreeSet<u64>,
    /// `x`, `y`, `z`, the script and the output.
    pub(super) passed: Vec<Known>,
    pub(super) form: Form,
    /// Where each core's scratch begins.
    pub(super) scratch: Vec<u64>,
    /// Where there is memory.
    pub(super) hbm: Range<u64>,
}

impl World {
    /// The host wrote these bytes.
    pub(super) fn write(&mut self, addr: u64, bytes: &[u8]) {
        for (at, &byte) in (addr..).zip(bytes) {
            self.memory.insert(at, byte);
            self.initialised.insert(at);
        }
    }

    /// Of bytes.
    pub(super) fn read(&self, range: Range<u64>) -> Vec<u8> {
        range.map(|addr| self.memory.get(&addr).copied().unwrap_or(0)).collect()
    }

    pub(super) fn output(&self) -> &Known {
        self.passed.iter().find(|tensor| tensor.role == Role::Output).expect("a launch has an output")
    }
}
