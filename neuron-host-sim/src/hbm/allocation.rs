//! A live range of HBM, given back when the last handle to it goes.

use std::sync::{Arc, PoisonError};

use neuron_device::HbmAddr;

use super::Hbm;
use super::space::rounded;

/// No free range is large enough.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exhausted {
    pub(crate) asked: u64,
    pub(crate) largest_free: u64,
}

/// The storage of one or more tensors.
#[derive(Debug)]
pub(crate) struct Allocation {
    hbm: Arc<Hbm>,
    start: HbmAddr,
    bytes: u64,
}

impl Allocation {
    /// `bytes` bytes, all zero, on a page boundary.
    pub(crate) fn new(hbm: &Arc<Hbm>, bytes: u64) -> Result<Arc<Self>, Exhausted> {
        let mut space = hbm.space();
        match space.allocate(bytes) {
            Some(start) => Ok(Arc::new(Self { hbm: Arc::clone(hbm), start: HbmAddr::new(start), bytes })),
            None => Err(Exhausted { asked: bytes, largest_free: space.largest() }),
        }
    }

    pub(crate) fn hbm(&self) -> &Arc<Hbm> {
        &self.hbm
    }

    pub(crate) fn start(&self) -> HbmAddr {
        self.start
    }

    /// `bytes` bytes from `offset` on, copied to the host as whole words. Waits for a launch to end.
    pub(crate) fn read(&self, offset: u64, bytes: u64) -> Vec<u64> {
        assert!(offset + bytes <= self.bytes);
        let mut words = vec![0; bytes.div_ceil(8) as usize];
        let _idle = self.hbm.in_use.read().unwrap_or_else(PoisonError::into_inner);
        let from = HbmAddr::new(self.start.get() + offset);
        self.hbm.read(from, &mut bytemuck::cast_slice_mut(&mut words)[..bytes as usize]);
        words
    }

    /// Write these bytes at the start. Waits for a launch to end.
    pub(crate) fn write(&self, bytes: &[u8]) {
        self.write_at(0, bytes);
    }

    /// Write these bytes `offset` bytes from the start. Waits for a launch to end.
    pub(crate) fn write_at(&self, offset: u64, bytes: &[u8]) {
        self.write_pieces(std::iter::once((offset, bytes)));
    }

    /// Write each of these pieces so many bytes from the start. Waits for a launch to end, and none begins in between.
    pub(crate) fn write_pieces<'b>(&self, pieces: impl Iterator<Item = (u64, &'b [u8])>) {
        let _idle = self.hbm.in_use.write().unwrap_or_else(PoisonError::into_inner);
        for (offset, bytes) in pieces {
            assert!(offset + bytes.len() as u64 <= self.bytes);
            self.hbm.write(HbmAddr::new(self.start.get() + offset), bytes);
        }
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        // Cleared while still ours: the next owner finds zeros.
        let whole = rounded(self.bytes).expect("was allocated");
        self.hbm.clear(self.start, whole);
        self.hbm.space().release(self.start.get(), self.bytes);
    }
}
