//! [`Prices`]: the settings as whole numbers, so that no sum depends on an order.

use super::error::CostModelError;
use super::model::CostModel;
use super::transfer::{Direction, Transfer};
use neuron_device::{CopyMethod, Unit, Work};

/// Time in parts of a picosecond, 2^32 of them.
pub(crate) type Parts = u128;

const PARTS: f64 = 4_294_967_296.0;

/// What time goes to, but for waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    Accesses,
    Misses,
    Fences,
    Tcm,
    Copies,
    Compute,
}

impl Cause {
    pub(crate) const COUNT: usize = 6;
}

/// What each counter of [`Progress`](super::Progress) is priced as, in its order.
pub(crate) const COUNTED: [Cause; 6] =
    [Cause::Accesses, Cause::Accesses, Cause::Misses, Cause::Fences, Cause::Tcm, Cause::Tcm];

/// The settings as whole numbers.
#[derive(Debug)]
pub(crate) struct Prices {
    pub(crate) model: CostModel,
    /// Of each counter of [`Progress`](super::Progress), in its order.
    pub(crate) counted: [Parts; 6],
    staged_load: Parts,
    staged_store: Parts,
    load_latency: Parts,
    /// By `C_MEMCPY`, by `VEC_MEMCPY`.
    steps: [StepPrice; 2],
    units: [UnitPrice; Unit::COUNT],
    vector_bits: u64,
    /// Picoseconds from a call to its first byte.
    pub(crate) call: u64,
    /// Picoseconds of a descriptor at least.
    pub(crate) floor: u64,
    /// Bytes a second of one transfer, which are also 10^-12 bytes a picosecond.
    pub(crate) rate: u64,
    /// The same, of all transfers together.
    pub(crate) share: u64,
    /// Picoseconds of the model around the op.
    pub(crate) overhead: u64,
}

#[derive(Clone, Copy, Debug)]
struct StepPrice {
    bytes: u64,
    to_tcm: Parts,
    to_hbm: Parts,
}

#[derive(Clone, Copy, Debug)]
struct UnitPrice {
    issue: Parts,
    chained: Parts,
    latency: Parts,
}

/// Numbers are in their ranges, so none is negative or lost.
fn parts(picoseconds: f64) -> Parts {
    (picoseconds * PARTS).round() as Parts
}

impl Prices {
    pub(crate) fn new(model: &CostModel) -> Result<Self, CostModelError> {
        model.check()?;
        let CostModel { core, tcm, hbm, window, dma, copy, compute, launch } = *model;
        let ns = |ns: f64| ns * 1e3;
        let cycles = |cycles: f64| cycles * 1e3 / core.clock_ghz;
        let bytes = |bytes: f64| cycles(bytes / tcm.bytes_per_cycle);
        let (read, write, latency) = (ns(hbm.read_ns), ns(hbm.write_ns), cycles(tcm.load_latency_cycles));
        let step = |step: f64| StepPrice {
            bytes: step as u64,
            to_tcm: parts(read + bytes(step)),
            to_hbm: parts(latency + bytes(step) + write),
        };
        let unit = |latency: f64, factor: f64| UnitPrice {
            issue: parts(cycles(factor / compute.ops_per_cycle)),
            chained: parts(cycles(factor * (latency + 1.0))),
            latency: parts(cycles(factor * latency)),
        };
        Ok(Self {
            model: *model,
            counted: [read, write, ns(window.miss_ns), ns(core.fence_ns), latency, cycles(1.0)].map(parts),
            staged_load: parts(bytes(tcm.loads_per_staged_byte)),
            staged_store: parts(bytes(tcm.stores_per_staged_byte)),
            load_latency: parts(latency),
            steps: [step(copy.c_bytes_per_step), step(copy.vec_bytes_per_step)],
            units: [
                unit(compute.scalar_alu_latency_cycles, 1.0),
                unit(compute.scalar_mul_latency_cycles, 1.0),
                unit(compute.vector_alu_latency_cycles, 1.0),
                unit(compute.vector_mac_latency_cycles, 1.0),
                unit(compute.vector_fma_latency_cycles, compute.soft_float_factor),
            ],
            vector_bits: compute.vector_bits as u64,
            call: ns(dma.call_ns).round() as u64,
            floor: ns(dma.descriptor_floor_ns).round() as u64,
            rate: (dma.bytes_per_ns * 1e9).round() as u64,
            share: (hbm.share_gib_per_s * f64::from(1 << 30)).round() as u64,
            overhead: ns(launch.overhead_ns).round() as u64,
        })
    }

    /// Picoseconds of mapping a window.
    pub(crate) fn miss(&self) -> u64 {
        picoseconds(self.counted[2])
    }

    /// What the core is taken to do in TCM with the bytes of a copy, where that is not counted.
    pub(crate) fn staged(&self, direction: Direction, bytes: u32) -> Parts {
        match direction {
            Direction::ToTcm if self.staged_load > 0 && bytes > 0 => {
                self.load_latency + self.staged_load.saturating_mul(bytes.into())
            }
            Direction::ToTcm => 0,
            Direction::ToHbm => self.staged_store.saturating_mul(bytes.into()),
        }
    }

    /// A copy by the core. By DMA it is none of the core's.
    pub(crate) fn copied(&self, transfer: &Transfer) -> Parts {
        let step = match transfer.method {
            CopyMethod::CMemcpy => self.steps[0],
            CopyMethod::VecMemcpy => self.steps[1],
            CopyMethod::Dma => return 0,
        };
        let price = if transfer.direction == Direction::ToTcm { step.to_tcm } else { step.to_hbm };
        let each = u64::from(transfer.each);
        let (whole, rest) = (u64::from(transfer.bytes) / each, u64::from(transfer.bytes) % each);
        let steps = whole * each.div_ceil(step.bytes) + rest.div_ceil(step.bytes);
        price.saturating_mul(steps.into())
    }

    /// Declared compute.
    pub(crate) fn computed(&self, work: &Work) -> Parts {
        let price = self.units[work.unit() as usize];
        let lanes =
            if work.unit().is_vector() { (self.vector_bits / u64::from(work.bits())).max(1) } else { 1 };
        match work.operations().div_ceil(lanes) {
            0 => 0,
            steps if work.is_chain() => price.chained.saturating_mul(steps.into()),
            steps => price.latency.saturating_add(price.issue.saturating_mul(steps.into())),
        }
    }
}

/// Whole picoseconds, the nearest: a cycle's parts are rounded too, some of them down.
pub(crate) fn picoseconds(parts: Parts) -> u64 {
    u64::try_from(parts.saturating_add(1 << 31) >> 32).unwrap_or(u64::MAX)
}
