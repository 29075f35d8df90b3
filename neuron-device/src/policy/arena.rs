//! The core's HBM scratch: a bump allocator, emptied at every op.

use crate::words::addr::HbmAddr;

/// Bytes handed out from one end of a range, never given back.
#[derive(Clone, Debug)]
pub(crate) struct Arena {
    base: HbmAddr,
    len: u64,
    used: u64,
}

/// Default alignment of a block, in bytes (`docs/machine.md`, section 8).
const ALIGN: u64 = 64;

impl Arena {
    /// All of `len` bytes at `base`, free.
    pub(crate) const fn new(base: HbmAddr, len: u64) -> Self {
        Self { base, len, used: 0 }
    }

    /// `bytes` bytes at a multiple of 64; `None` if they do not fit.
    pub(crate) fn allocate(&mut self, bytes: u64) -> Option<HbmAddr> {
        let free_from = self.base.checked_add(self.used)?.get().checked_next_multiple_of(ALIGN)?;
        let start = free_from.checked_sub(self.base.get())?;
        let end = start.checked_add(bytes)?;
        if end > self.len {
            return None;
        }
        self.used = end;
        Some(HbmAddr::new(free_from))
    }

    /// Bytes not handed out.
    pub(crate) const fn free(&self) -> u64 {
        self.len - self.used
    }

    /// Bytes in all.
    pub(crate) const fn len(&self) -> u64 {
        self.len
    }
}

#[cfg(test)]
mod tests;
