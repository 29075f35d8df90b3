//! The faults of one core, equal ones together.

use std::collections::HashMap;

use neuron_device::{Access, Dtype, Fault as DeviceFault, Site};

use crate::fault::{FaultKind, Verdict};

/// Different faults a core may have before it is stopped.
pub(crate) const LIMIT: usize = 1000;

/// What makes two faults of one core the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub(crate) kind: FaultKind,
    pub(crate) verdict: Verdict,
    pub(crate) access: Access,
    pub(crate) argument: &'static str,
    pub(crate) tensor: Option<(Dtype, Vec<u32>)>,
    pub(crate) site: Site,
}

/// How often it happened.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    pub(crate) count: u64,
    /// The index, address or limit of the first.
    pub(crate) first: String,
}

/// The core has reached its limit.
#[derive(Debug)]
pub(crate) struct LimitReached;

/// The faults of one core in one launch, in the order each first happened.
#[derive(Debug, Default)]
pub(crate) struct FaultLog {
    groups: Vec<(Key, Tally)>,
    index: HashMap<Key, usize>,
}

impl FaultLog {
    /// One more fault.
    pub(crate) fn note(&mut self, fault: &DeviceFault) -> Result<(), LimitReached> {
        let (key, first) = describe(fault);
        if let Some(&at) = self.index.get(&key) {
            self.groups[at].1.count += 1;
            return Ok(());
        }
        self.index.insert(key.clone(), self.groups.len());
        self.groups.push((key, Tally { count: 1, first: first() }));
        if self.groups.len() < LIMIT { Ok(()) } else { Err(LimitReached) }
    }

    pub(crate) fn groups(&self) -> &[(Key, Tally)] {
        &self.groups
    }
}

/// A fault's key, and the words for where it happened first.
fn describe(fault: &DeviceFault) -> (Key, Box<dyn FnOnce() -> String + '_>) {
    match fault {
        DeviceFault::OutOfBounds(fault) => {
            let key = Key {
                kind: FaultKind::Bounds,
                verdict: fault.verdict.into(),
                access: fault.access,
                argument: fault.argument,
                tensor: Some((fault.dtype, fault.sizes.as_slice().to_vec())),
                site: fault.site,
            };
            (key, Box::new(|| format!("{:?}", fault.index)))
        }
        DeviceFault::TooManyRuns { argument, limit, site } => {
            let key = Key {
                kind: FaultKind::Return,
                verdict: Verdict::TooManyRuns,
                access: Access::Write,
                argument,
                tensor: None,
                site,
            };
            (key, Box::new(move || format!("piece {}", limit + 1)))
        }
        DeviceFault::NoMemory { addr, site } => {
            let key = Key {
                kind: FaultKind::Memory,
                verdict: Verdict::NoMemory,
                access: Access::Read,
                argument: "",
                tensor: None,
                site,
            };
            (key, Box::new(move || addr.to_string()))
        }
        // `Fault` may grow; this simulator is built with the device crate it reports.
        other => unreachable!("a fault this simulator does not know: {other:?}"),
    }
}
