//! What a core counts.

/// How often one record of the window table was used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WindowCounters {
    /// Translations this record answered.
    pub hits: u64,
    /// Translations for which this record was mapped anew.
    pub misses: u64,
    /// Misses that took a live mapping away.
    pub evictions: u64,
}

/// What one core did in one launch.
///
/// ```
/// use neuron_device::{Counters, WindowCounters};
/// let mut counters = Counters { loads: 3, ..Counters::default() };
/// counters.windows[0] = WindowCounters { hits: 2, misses: 1, evictions: 0 };
/// assert_eq!((counters.translations(), counters.hits(), counters.misses()), (3, 2, 1));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Elements read from HBM.
    pub loads: u64,
    /// Elements written to HBM.
    pub stores: u64,
    /// One entry a record of the window table: three dynamic, two pinned.
    pub windows: [WindowCounters; super::window::RECORDS],
}

impl Counters {
    /// Addresses translated.
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
