//! What a core counts.

/// How often one record of the window table was used.
///
/// ```
/// use neuron_device::{HbmAddr, WINDOW_BYTES, WindowCounters, WindowTable};
/// let table = WindowTable::<()>::new([None, None]);
/// for region in 0..4 {
///     let record = table.take_victim();
///     table.install(record, HbmAddr::new(region * WINDOW_BYTES), ());
/// }
/// // The fourth region took record 0 from the first.
/// assert_eq!(table.counters()[0], WindowCounters { hits: 0, misses: 2, evictions: 1 });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WindowCounters {
    /// Translations this record answered.
    pub hits: u64,
    /// Translations for which this record was mapped anew.
    pub misses: u64,
    /// Misses that took a live mapping away.
    pub evictions: u64,
}

/// What one core copied between HBM and TCM in one launch.
///
/// ```
/// use neuron_device::CopyCounters;
/// let copies = CopyCounters { dma_calls: 2, descriptors: 2, bytes_in: 4096, bytes_out: 4096, ..CopyCounters::NONE };
/// assert_eq!(copies.bytes(), 8192);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CopyCounters {
    /// Copies the DMA engine made.
    pub dma_calls: u64,
    /// Descriptor pairs of these.
    pub descriptors: u64,
    /// Copies the core made itself: `C_MEMCPY`, `VEC_MEMCPY`.
    pub core_copies: u64,
    /// Elements loaded from TCM by local address, or one by one from the buffer of a stream.
    pub tcm_loads: u64,
    /// Elements stored to TCM by local address.
    pub tcm_stores: u64,
    /// Bytes from HBM to TCM.
    pub bytes_in: u64,
    /// Bytes from TCM to HBM.
    pub bytes_out: u64,
    /// Streams that found no TCM for a buffer, and go element by element.
    pub unbuffered_streams: u64,
    /// Returned tensors that went to the output element by element: TCM had no room for a bounce buffer, or one of the two is
    /// strided.
    pub unstaged_returns: u64,
    /// The most bytes of TCM from its start that were ever in use, holes among them too.
    pub tcm_peak: u32,
}

impl CopyCounters {
    /// Nothing was copied.
    pub const NONE: Self = Self {
        dma_calls: 0,
        descriptors: 0,
        core_copies: 0,
        tcm_loads: 0,
        tcm_stores: 0,
        bytes_in: 0,
        bytes_out: 0,
        unbuffered_streams: 0,
        unstaged_returns: 0,
        tcm_peak: 0,
    };

    /// Of both; of the peak the higher one.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            dma_calls: self.dma_calls + other.dma_calls,
            descriptors: self.descriptors + other.descriptors,
            core_copies: self.core_copies + other.core_copies,
            tcm_loads: self.tcm_loads + other.tcm_loads,
            tcm_stores: self.tcm_stores + other.tcm_stores,
            bytes_in: self.bytes_in + other.bytes_in,
            bytes_out: self.bytes_out + other.bytes_out,
            unbuffered_streams: self.unbuffered_streams + other.unbuffered_streams,
            unstaged_returns: self.unstaged_returns + other.unstaged_returns,
            tcm_peak: self.tcm_peak.max(other.tcm_peak),
        }
    }

    /// Bytes copied, either way.
    pub const fn bytes(&self) -> u64 {
        self.bytes_in + self.bytes_out
    }
}

/// What one core did in one launch. Elements and translations are counted, not bytes. An access outside its
/// tensor, or where there is no memory, is no load and no store.
///
/// ```
/// use neuron_device::{Counters, WindowCounters};
/// let mut counters = Counters { loads: 3, ..Counters::default() };
/// counters.windows[0] = WindowCounters { hits: 2, misses: 1, evictions: 0 };
/// assert_eq!((counters.translations(), counters.hits(), counters.misses()), (3, 2, 1));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Elements read from HBM: by the kernel, as value arguments, and to copy a returned tensor back.
    pub loads: u64,
    /// Elements written to HBM: by the kernel, and to copy a returned tensor back.
    pub stores: u64,
    /// One entry a record of the window table: three dynamic, two pinned. No core maps pinned ones yet, so
    /// theirs are 0.
    pub windows: [WindowCounters; super::window::RECORDS],
    /// What it copied.
    pub copies: CopyCounters,
}

impl Counters {
    /// Addresses translated: hits and misses.
    pub fn translations(&self) -> u64 {
        self.hits() + self.misses()
    }

    /// Translations that needed no new mapping.
    pub fn hits(&self) -> u64 {
        self.windows.iter().map(|window| window.hits).sum()
    }

    /// Translations that mapped a window.
    pub fn misses(&self) -> u64 {
        self.windows.iter().map(|window| window.misses).sum()
    }

    /// Live mappings taken away.
    pub fn evictions(&self) -> u64 {
        self.windows.iter().map(|window| window.evictions).sum()
    }
}

#[cfg(test)]
mod tests;
