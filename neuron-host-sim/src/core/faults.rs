//! The faults of one core, equal ones together.

mod access;

pub(super) use self::access::fault as said_by_device;
use crate::fault::Fault;

/// Different faults a core may have before it is stopped.
pub(crate) const LIMIT: usize = 1000;

/// The core has reached its limit.
#[derive(Debug)]
pub(crate) struct LimitReached;

/// The faults of one core in one launch, in the order each first happened.
#[derive(Debug, Default)]
pub(crate) struct FaultLog(Vec<Fault>);

impl FaultLog {
    /// One more fault.
    pub(crate) fn add(&mut self, fault: Fault) -> Result<(), LimitReached> {
        match self.0.iter_mut().find(|known| known.is_like(&fault)) {
            Some(known) => {
                known.absorb(&fault);
                return Ok(());
            }
            None => self.0.push(fault),
        }
        if self.is_full() { Err(LimitReached) } else { Ok(()) }
    }

    /// Is the limit reached?
    pub(crate) fn is_full(&self) -> bool {
        self.0.len() >= LIMIT
    }

    pub(crate) fn faults(&self) -> &[Fault] {
        &self.0
    }
}
