//! What a core wrote itself, where blocks of its scratch are given back and taken again.

use crate::bitmap::Bitmap;

/// The bytes a core wrote.
#[derive(Debug, Default)]
pub(super) struct Own {
    written: Bitmap,
    /// Bytes that were allocated since, and not written again.
    fresh: Bitmap,
}

impl Own {
    /// The core writes these. Is there a byte among them it had never written?
    pub(super) fn write(&mut self, start: u64, end: u64) -> bool {
        self.fresh.remove(start, end);
        self.written.insert(start, end)
    }

    /// What was written here is nothing any more.
    pub(super) fn allocate(&mut self, start: u64, end: u64) {
        if self.written.meets(start, end) {
            self.fresh.insert(start, end);
        }
    }

    /// Is this byte the core's own?
    pub(super) fn holds(&self, byte: u64) -> bool {
        self.written.meets(byte, byte + 1) && !self.fresh.meets(byte, byte + 1)
    }

    /// The pages that were ever written, in rising order.
    pub(super) fn pages(&self) -> Vec<u64> {
        self.written.numbers()
    }
}
