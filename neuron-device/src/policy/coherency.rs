//! Which streams are open on which storage, and what may be opened beside them.

use heapless::Vec;

use crate::words::error::Site;
use crate::words::handle::Handle;

/// Storages that may have open streams at a time.
pub(crate) const STORAGES: usize = 16;

/// The streams open on one storage: one writer, or readers.
#[derive(Clone, Copy, Debug)]
struct Claim {
    storage: u64,
    handle: Handle,
    count: u32,
    /// The line that opened the first.
    opened: Site,
}

/// A handle that is open, and must not meet the one to be opened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Conflict {
    pub(crate) open: Handle,
    pub(crate) opened: Site,
}

/// More storages than a core remembers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TooManyStorages;

/// The open streams of a core, by storage. Accessors have no end, so they are not kept: who opens one asks whether a
/// stream is open.
#[derive(Debug)]
pub(crate) struct Coherency(Vec<Claim, STORAGES>);

impl Coherency {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self(Vec::new())
    }

    /// What is open on `storage` that `handle` must not meet.
    pub(crate) fn conflict(&self, storage: u64, handle: Handle) -> Option<Conflict> {
        let claim =
            self.0.iter().find(|claim| claim.storage == storage && !claim.handle.gets_along_with(handle))?;
        Some(Conflict { open: claim.handle, opened: claim.opened })
    }

    /// A stream is open on `storage` from now on.
    pub(crate) fn open(&mut self, storage: u64, handle: Handle, opened: Site) -> Result<(), TooManyStorages> {
        let known = self.0.iter_mut().find(|claim| claim.storage == storage && claim.handle == handle);
        match known {
            Some(claim) => {
                claim.count += 1;
                Ok(())
            }
            None => self.0.push(Claim { storage, handle, count: 1, opened }).map_err(|_| TooManyStorages),
        }
    }

    /// One of the streams on `storage` is closed.
    pub(crate) fn close(&mut self, storage: u64, handle: Handle) {
        let Some(at) = self.0.iter().position(|claim| claim.storage == storage && claim.handle == handle)
        else {
            return;
        };
        self.0[at].count -= 1;
        if self.0[at].count == 0 {
            self.0.swap_remove(at);
        }
    }
}

#[cfg(test)]
mod tests;
