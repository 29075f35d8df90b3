//! The faults of one core, equal ones together.

use std::collections::HashMap;

use neuron_device::{Access, Fault as DeviceFault, Site, Sizes};

/// Different faults a core may have before it is stopped.
pub(crate) const LIMIT: usize = 1000;

/// What makes two faults of one core the same: all but the index.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    /// Which fault, and of a bounds fault which verdict of the device.
    what: (std::mem::Discriminant<DeviceFault>, Option<neuron_device::Verdict>),
    access: Option<Access>,
    argument: &'static str,
    sizes: Vec<u32>,
    site: Site,
}

/// The core has reached its limit.
#[derive(Debug)]
pub(crate) struct LimitReached;

/// Equal faults: the first of them, and how many there are.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) key: Key,
    pub(crate) first: DeviceFault,
    pub(crate) count: u64,
}

/// The faults of one core in one launch, in the order each first happened.
#[derive(Debug, Default)]
pub(crate) struct FaultLog {
    groups: Vec<Group>,
    index: HashMap<Key, usize>,
}

impl FaultLog {
    /// One more fault.
    pub(crate) fn note(&mut self, fault: &DeviceFault) -> Result<(), LimitReached> {
        let key = key(fault);
        if let Some(&at) = self.index.get(&key) {
            self.groups[at].count += 1;
            return Ok(());
        }
        self.index.insert(key.clone(), self.groups.len());
        self.groups.push(Group { key, first: *fault, count: 1 });
        if self.groups.len() < LIMIT { Ok(()) } else { Err(LimitReached) }
    }

    pub(crate) fn groups(&self) -> &[Group] {
        &self.groups
    }
}

fn key(fault: &DeviceFault) -> Key {
    let sizes = |sizes: &Sizes| sizes.as_slice().to_vec();
    let (verdict, access, argument, sizes, site) = match fault {
        DeviceFault::OutOfBounds(fault) => {
            (Some(fault.verdict), Some(fault.access), fault.argument, sizes(&fault.sizes), fault.site)
        }
        DeviceFault::TooManyRuns { argument, site, .. } => (None, None, *argument, Vec::new(), *site),
        DeviceFault::NoMemory { site, .. } => (None, None, "", Vec::new(), *site),
        // `Fault` may grow; this simulator is built with the device crate it reports.
        other => unreachable!("a fault this simulator does not know: {other:?}"),
    };
    Key { what: (std::mem::discriminant(fault), verdict), access, argument, sizes, site }
}
