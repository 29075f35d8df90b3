//! A live range of HBM or SBUF, given back when the last handle to it goes.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use neuron_device::{HbmAddr, Site};

use super::initialised::Initialised;
use super::map::is_in_sbuf;
use super::space::rounded;
use super::{Hbm, Memory};
use crate::threads::locked;

/// No free range is large enough.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exhausted {
    pub(crate) memory: Memory,
    pub(crate) asked: u64,
    pub(crate) largest_free: u64,
}

/// The storage of one or more tensors.
#[derive(Debug)]
pub(crate) struct Allocation {
    hbm: Arc<Hbm>,
    start: HbmAddr,
    bytes: u64,
    initialised: Mutex<Initialised>,
    /// The host's line that asked for it, if it is known.
    site: Option<Site>,
}

impl Allocation {
    /// `bytes` bytes on a page boundary, all zero; if that is what was asked for, they are `initialised`.
    #[track_caller]
    pub(crate) fn new(hbm: &Arc<Hbm>, bytes: u64, initialised: Initialised) -> Result<Arc<Self>, Exhausted> {
        Self::new_in(hbm, Memory::Hbm, bytes, initialised)
    }

    /// The same in either memory.
    #[track_caller]
    pub(crate) fn new_in(
        hbm: &Arc<Hbm>,
        memory: Memory,
        bytes: u64,
        initialised: Initialised,
    ) -> Result<Arc<Self>, Exhausted> {
        let site = Some(std::panic::Location::caller());
        let mut space = hbm.space(memory);
        match space.allocate(bytes) {
            Some(start) => Ok(Arc::new(Self {
                hbm: Arc::clone(hbm),
                start: HbmAddr::new(start),
                bytes,
                initialised: Mutex::new(initialised),
                site,
            })),
            None => Err(Exhausted { memory, asked: bytes, largest_free: space.largest() }),
        }
    }

    /// `bytes` bytes at `start`, all zero; `None` if they are not free. Which line of which host asked for them first is not
    /// known.
    pub(crate) fn at(
        hbm: &Arc<Hbm>,
        start: HbmAddr,
        bytes: u64,
        initialised: Initialised,
    ) -> Option<Arc<Self>> {
        hbm.space(memory_of(start)).take(start.get(), bytes).then(|| {
            Arc::new(Self {
                hbm: Arc::clone(hbm),
                start,
                bytes,
                initialised: Mutex::new(initialised),
                site: None,
            })
        })
    }

    /// Its addresses.
    pub(crate) fn range(&self) -> Range<u64> {
        self.start.get()..self.start.get() + self.bytes
    }

    /// Which of its bytes hold a value.
    pub(crate) fn initialised(&self) -> MutexGuard<'_, Initialised> {
        locked(&self.initialised)
    }

    /// The host's line that asked for it, if it is known.
    pub(crate) fn site(&self) -> Option<Site> {
        self.site
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
            let start = self.start.get() + offset;
            self.hbm.write(HbmAddr::new(start), bytes);
            self.initialised().insert(start, start + bytes.len() as u64);
        }
    }
}

/// The memory with this address.
fn memory_of(addr: HbmAddr) -> Memory {
    if is_in_sbuf(addr) { Memory::Sbuf } else { Memory::Hbm }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        // Cleared while still ours: the next owner finds zeros.
        let whole = rounded(self.bytes).expect("was allocated");
        self.hbm.clear(self.start, whole);
        self.hbm.space(memory_of(self.start)).release(self.start.get(), self.bytes);
    }
}
