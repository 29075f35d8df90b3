//! Which parts of HBM are free: first fit, in whole pages.

use std::collections::BTreeMap;

/// Allocations begin and end on pages, so that one's memory can be given back without touching another's.
pub(super) const PAGE: u64 = 4096;

/// Free ranges by start address; neighbours are joined.
#[derive(Debug)]
pub(super) struct Space {
    free: BTreeMap<u64, u64>,
}

impl Space {
    /// All of `start..end` is free.
    pub(super) fn new(start: u64, end: u64) -> Self {
        Self { free: BTreeMap::from([(start, end - start)]) }
    }

    /// The start of the first free range of `bytes` bytes, rounded up to pages; no request is empty.
    pub(super) fn allocate(&mut self, bytes: u64) -> Option<u64> {
        let bytes = rounded(bytes)?;
        let (&start, &len) = self.free.iter().find(|&(_, &len)| len >= bytes)?;
        self.free.remove(&start);
        if len > bytes {
            self.free.insert(start + bytes, len - bytes);
        }
        Some(start)
    }

    /// Take exactly these bytes, from a page boundary on; `false` if they are not free.
    pub(super) fn take(&mut self, start: u64, bytes: u64) -> bool {
        let end = rounded(bytes).and_then(|bytes| start.checked_add(bytes));
        let (Some(end), true) = (end, start.is_multiple_of(PAGE)) else { return false };
        let Some((&free, &len)) = self.free.range(..=start).next_back() else { return false };
        if end > free + len {
            return false;
        }
        self.free.remove(&free);
        if free < start {
            self.free.insert(free, start - free);
        }
        if end < free + len {
            self.free.insert(end, free + len - end);
        }
        true
    }

    /// Take back what `allocate(bytes)` gave at `start`.
    pub(super) fn release(&mut self, start: u64, bytes: u64) {
        let mut start = start;
        let mut len = rounded(bytes).expect("was allocated");
        if let Some(next) = self.free.remove(&(start + len)) {
            len += next;
        }
        if let Some((&before, &before_len)) = self.free.range(..start).next_back()
            && before + before_len == start
        {
            start = before;
            len += before_len;
        }
        self.free.insert(start, len);
    }

    /// Bytes of the largest free range.
    pub(super) fn largest(&self) -> u64 {
        self.free.values().copied().max().unwrap_or(0)
    }
}

/// Bytes an allocation really takes.
pub(super) fn rounded(bytes: u64) -> Option<u64> {
    bytes.max(1).checked_next_multiple_of(PAGE)
}

#[cfg(test)]
mod tests;
