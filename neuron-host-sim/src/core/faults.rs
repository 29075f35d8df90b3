//! The faults of one core, equal ones together.

mod access;

use neuron_device::{Fault as DeviceFault, HbmAddr, NxAddr};

use crate::fault::Fault;
use crate::subjects::Subjects;

/// Different faults a core may have before it is stopped.
pub(crate) const LIMIT: usize = 1000;

/// The core has reached its limit.
#[derive(Debug)]
pub(crate) struct LimitReached;

/// The faults of one core in one launch, in the order each first happened.
#[derive(Debug, Default)]
pub(crate) struct FaultLog(Vec<Fault>);

impl FaultLog {
    /// One more fault that the device found; `translated` says which address a local one was made from.
    pub(crate) fn note(
        &mut self,
        op: &'static str,
        said: &DeviceFault,
        subjects: Subjects<'_>,
        translated: &dyn Fn(NxAddr) -> Option<HbmAddr>,
    ) -> Result<(), LimitReached> {
        self.add(access::fault(op, said, subjects, translated))
    }

    /// One more fault.
    pub(crate) fn add(&mut self, fault: Fault) -> Result<(), LimitReached> {
        match self.0.iter_mut().find(|known| known.is_like(&fault)) {
            Some(known) => {
                known.absorb(&fault);
                return Ok(());
            }
            None => self.0.push(fault),
        }
        if self.0.len() < LIMIT { Ok(()) } else { Err(LimitReached) }
    }

    pub(crate) fn faults(&self) -> &[Fault] {
        &self.0
    }
}
