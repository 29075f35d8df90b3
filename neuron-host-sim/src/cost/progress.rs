//! [`Progress`]: what a core counted so far.

/// A core's own counters at one moment. They only rise.
///
/// ```
/// use neuron_host_sim::cost::Progress;
/// let progress = Progress { loads: 3, stores: 1, ..Progress::default() };
/// assert_eq!(progress.tcm_loads, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Elements read from HBM one by one: by accessors, pointers, local addresses, and as value arguments.
    pub loads: u64,
    /// Elements written to HBM one by one.
    pub stores: u64,
    /// Windows mapped.
    pub misses: u64,
    /// Fences beside those of misses and of DMA copies.
    pub fences: u64,
    /// Elements loaded from TCM one by one, where that is counted: by a stream's iterator, by the raw layer.
    pub tcm_loads: u64,
    /// Elements stored to TCM one by one, where that is counted.
    pub tcm_stores: u64,
}

impl Progress {
    /// Every counter, in their order.
    pub(crate) fn counts(&self) -> [u64; 6] {
        let Self { loads, stores, misses, fences, tcm_loads, tcm_stores } = *self;
        [loads, stores, misses, fences, tcm_loads, tcm_stores]
    }

    /// The other way round.
    pub(crate) fn of([loads, stores, misses, fences, tcm_loads, tcm_stores]: [u64; 6]) -> Self {
        Self { loads, stores, misses, fences, tcm_loads, tcm_stores }
    }
}
