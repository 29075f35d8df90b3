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
