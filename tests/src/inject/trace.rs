//! [`Traces`]: every access of every core of a launch on flat memory, one core after the other.

mod observed;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::vec;
use std::vec::Vec;

use anyhow::{Result, anyhow};
use neuron_device::{FlatPlatform, Q7, Tcm};

use self::observed::Observed;
use super::launches::Launch;
use crate::flat::{self, MEMORY_BYTES};

/// What one core did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CoreTrace {
    /// Accesses outside their tensors.
    pub(super) faults: u64,
    /// Reads of scratch that this core had not written.
    pub(super) unwritten: u64,
    /// Copies that it began and did not wait for.
    pub(super) pending: u64,
    /// Did it return an error, panic or go on without end?
    pub(super) failed: bool,
    /// Of all accesses in their order.
    pub(super) fingerprint: u64,
    /// How many they are.
    pub(super) accesses: u64,
    /// The bytes it accessed, and whether it wrote them.
    pub(super) touched: BTreeMap<u64, bool>,
}

/// What all cores did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Traces {
    pub(super) cores: Vec<CoreTrace>,
    /// The bytes of the output's storage afterwards.
    pub(super) output: Vec<u8>,
    /// Their addresses.
    pub(super) place: Range<u64>,
}

impl Traces {
    /// The bytes that a core wrote and another one accessed.
    pub(super) fn shared(&self) -> BTreeSet<u64> {
        let mut writers: BTreeMap<u64, usize> = BTreeMap::new();
        let mut shared = BTreeSet::new();
        for (core, trace) in self.cores.iter().enumerate() {
            for (&byte, _) in trace.touched.iter().filter(|(_, written)| **written) {
                if *writers.entry(byte).or_insert(core) != core {
                    shared.insert(byte);
                }
            }
        }
        for (core, trace) in self.cores.iter().enumerate() {
            let foreign =
                trace.touched.keys().filter(|byte| writers.get(byte).is_some_and(|&writer| writer != core));
            shared.extend(foreign);
        }
        shared
    }

    /// The bytes of the output that were written.
    pub(super) fn output_written(&self) -> BTreeSet<u64> {
        let written = self.cores.iter().flat_map(|core| &core.touched).filter(|(_, written)| **written);
        written.map(|(&byte, _)| byte).filter(|byte| self.place.contains(byte)).collect()
    }

    /// Did every core return, and none leave a tensor or a copy, read what was not written, or meet another?
    pub(super) fn are_clean(&self) -> bool {
        let clean =
            |core: &CoreTrace| core.faults == 0 && core.unwritten == 0 && core.pending == 0 && !core.failed;
        self.cores.iter().all(clean) && self.shared().is_empty()
    }
}

/// Flat memory for launches, zero between them.
pub(super) struct Memory(Vec<u64>);

impl Memory {
    pub(super) fn new() -> Self {
        Self(vec![0; MEMORY_BYTES as usize / 8])
    }

    /// Run a launch again, with whichever mutant lives.
    pub(super) fn run(&mut self, launch: &Launch) -> Result<Traces> {
        self.play(&launch.case)
    }

    /// Play a case.
    pub(super) fn play(&mut self, case: &[u8]) -> Result<Traces> {
        let (case, op) = flat::prepare(case, &mut self.0).map_err(|refusal| anyhow!("{refusal}"))?;
        let (mut cores, mut tcm) = (Vec::new(), Tcm::new());
        for core in 0..case.cores {
            let mut platform = Observed::new(flat::platform(&case, core, &mut self.0, &mut tcm));
            let ended = catch_unwind(AssertUnwindSafe(|| Q7::enter(&mut platform, |q7| op.launch(q7))));
            let failed = !matches!(ended, Ok(Ok(())));
            cores.push(CoreTrace { failed, ..platform.into_trace() });
        }
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut self.0);
        let output = bytes[flat::within(&case.answer)].to_vec();
        flat::touched(&case).for_each(|range| bytes[flat::within(&range)].fill(0));
        let base = FlatPlatform::BASE.get();
        Ok(Traces { cores, output, place: base + case.answer.start..base + case.answer.end })
    }
}
