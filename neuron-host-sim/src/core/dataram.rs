//! The memory of a simulated core.

use std::io;

use memmap2::{MmapMut, MmapRaw};
use neuron_device::{Dataram, NxAddr};

/// When a simulated DMA engine moves the bytes of a copy. Nothing may depend on it: a kernel that waits for its copies,
/// and leaves their memory alone until then, gives the same either way.
///
/// ```
/// use neuron_host_sim::DmaTiming;
/// assert_eq!(DmaTiming::default(), DmaTiming::AtOnce);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DmaTiming {
    /// When its doorbell is rung: as early as can be.
    #[default]
    AtOnce,
    /// When the core waits for it: as late as can be, and never if it does not.
    AtWait,
}

/// Where an aligned, private 64 KiB come from: a mapping, to which there are no references but the kernel's.
#[derive(Debug)]
pub(crate) struct CoreMemory {
    memory: MmapRaw,
    pool: u32,
}

impl CoreMemory {
    /// All zero, `pool` bytes of it for kernels.
    pub(crate) fn new(pool: u32) -> io::Result<Self> {
        let memory = MmapMut::map_anon(Dataram::MOST_BYTES as usize)?.into();
        Ok(Self { memory, pool })
    }

    /// Bytes for kernels.
    pub(super) fn pool(&self) -> u32 {
        self.pool
    }

    /// It, as a kernel may use it.
    pub(super) fn dataram(&self) -> Dataram {
        let native = std::ptr::NonNull::new(self.memory.as_mut_ptr()).expect("a mapping is not at 0");
        // SAFETY: the mapping begins on a page and has 64 KiB, at least as many as the pool; it lives as long as the core,
        // and is accessed through what is handed out here only.
        unsafe { Dataram::new(native, self.pool) }
    }

    /// Write `byte` to all of a block. The core waits.
    pub(super) fn fill(&self, local: NxAddr, bytes: u64, byte: u8) {
        if let Some(native) = self.dataram().native(local, bytes) {
            // SAFETY: `native` found all of it in the pool; the kernel was not given it yet.
            unsafe { std::ptr::write_bytes(native, byte, bytes as usize) }
        }
    }

    /// What these hold; `None` if they are not all in the pool. The core waits, and no slice of them is written through.
    pub(super) fn read(&self, local: NxAddr, bytes: u64) -> Option<Vec<u8>> {
        let native = self.dataram().native(local, bytes)?;
        let mut held = vec![0; bytes as usize];
        // SAFETY: `native` found all of it in the pool, which is initialised, and the core, whose alone it is, waits.
        unsafe { std::ptr::copy_nonoverlapping(native, held.as_mut_ptr(), held.len()) };
        Some(held)
    }

    /// Write these, if there is room for all of them in the pool. The core waits, and has no slice of it.
    pub(super) fn write(&self, local: NxAddr, bytes: &[u8]) -> bool {
        let Some(native) = self.dataram().native(local, bytes.len() as u64) else { return false };
        // SAFETY: as in `read`.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), native, bytes.len()) };
        true
    }
}
