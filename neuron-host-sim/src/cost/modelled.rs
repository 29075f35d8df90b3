//! [`Modelled`]: what a launch would take on the machine.

mod json;
mod text;

use super::model::CostModel;
use super::price::Prices;
use super::time::Picoseconds;

/// What a launch would take on the machine, by the [`CostModel`]: modelled, not measured.
///
/// As text by `Display`, as JSON by [`to_json`](Self::to_json).
///
/// ```
/// use neuron_host_sim::cost::{CostModel, Progress, Stream};
/// let reads = |loads| {
///     let mut stream = Stream::new();
///     stream.ended(Progress { loads, misses: 1, ..Progress::default() });
///     stream
/// };
/// let modelled = CostModel::default().replay(&[reads(100), reads(200)])?;
/// assert_eq!((modelled.slowest().unwrap().core, modelled.time().as_ns()), (1, 48_100.0));
/// assert_eq!(modelled.to_string(), "\
/// modelled, not measured: 48.100 µs, of core 1, the slowest
///  core       time   accesses      misses
///     0  24.100 µs  24.000 µs  100.000 ns
///     1  48.100 µs  48.000 µs  100.000 ns
/// ");
/// # Ok::<(), neuron_host_sim::cost::CostModelError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Modelled {
    model: CostModel,
    cores: Vec<ModelledCore>,
    overhead: Picoseconds,
}

/// The modelled time of one core.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ModelledCore {
    /// Its number, from 0.
    pub core: u32,
    /// From the launch to the end of its work, its DMA queue included.
    pub time: Picoseconds,
    /// What it went to: the parts add up to `time`.
    pub split: Split,
    /// Its DMA queue, which works beside it.
    pub dma: DmaUse,
}

/// What a core's time went to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Split {
    /// Elements in HBM, one by one.
    pub accesses: Picoseconds,
    /// Mapping windows.
    pub misses: Picoseconds,
    /// Fences by themselves.
    pub fences: Picoseconds,
    /// Loads from TCM and stores to it, those it is taken to make included.
    pub tcm: Picoseconds,
    /// Copies by the core itself: `C_MEMCPY`, `VEC_MEMCPY`.
    pub copies: Picoseconds,
    /// Declared compute.
    pub compute: Picoseconds,
    /// Waiting for its DMA queue.
    pub dma_wait: Picoseconds,
}

/// What a core's DMA queue did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DmaUse {
    /// Copies.
    pub copies: u64,
    /// Descriptors: one for each run of at most 64 KiB.
    pub descriptors: u64,
    /// Bytes.
    pub bytes: u64,
    /// How long a descriptor was worked off.
    pub busy: Picoseconds,
    /// How much of that is because other cores' transfers took their part of HBM's bandwidth.
    pub shared: Picoseconds,
}

impl Split {
    /// The parts by their names, in the order of the report.
    pub(crate) fn parts(&self) -> [(&'static str, Picoseconds); 7] {
        let Self { accesses, misses, fences, tcm, copies, compute, dma_wait } = *self;
        [
            ("accesses", accesses),
            ("misses", misses),
            ("fences", fences),
            ("TCM", tcm),
            ("core copies", copies),
            ("compute", compute),
            ("DMA wait", dma_wait),
        ]
    }

    /// All parts together.
    pub fn total(&self) -> Picoseconds {
        self.parts().into_iter().map(|(_, part)| part).sum()
    }
}

impl Modelled {
    pub(crate) fn new(prices: &Prices, cores: Vec<ModelledCore>) -> Self {
        Self { model: prices.model, cores, overhead: Picoseconds::new(prices.overhead) }
    }

    /// The settings it was modelled with.
    pub fn model(&self) -> &CostModel {
        &self.model
    }

    /// The cores, in the order of their numbers.
    pub fn cores(&self) -> &[ModelledCore] {
        &self.cores
    }

    /// The core that ends last; of several, the first. None, if there is no core.
    pub fn slowest(&self) -> Option<&ModelledCore> {
        self.cores.iter().rev().max_by_key(|core| core.time)
    }

    /// The model around the op: [`overhead_ns`](super::LaunchCosts::overhead_ns).
    pub fn overhead(&self) -> Picoseconds {
        self.overhead
    }

    /// The launch: the slowest core, and what is around the op.
    pub fn time(&self) -> Picoseconds {
        self.slowest().map_or(Picoseconds::ZERO, |core| core.time) + self.overhead
    }
}

#[cfg(test)]
mod tests;
