//! [`SETTINGS`]: every setting of the cost model, by its name in the file.

use std::ops::RangeInclusive;

use super::error::CostModelError;
use super::model::CostModel;

/// One number of the cost model.
#[derive(Debug)]
pub(crate) struct Setting {
    pub(crate) section: &'static str,
    pub(crate) key: &'static str,
    /// As in "a number of ns".
    pub(crate) unit: &'static str,
    pub(crate) range: RangeInclusive<f64>,
    of: fn(&mut CostModel) -> &mut f64,
}

/// What anything costs a core: 1 ms is above everything that is known.
const TIME: RangeInclusive<f64> = 0.0..=1e6;
/// Latencies and factors.
const COUNT: RangeInclusive<f64> = 0.0..=1e6;
/// What is divided by.
const RATE: RangeInclusive<f64> = 1e-3..=1e5;

macro_rules! settings {
    ($($section:ident.$key:ident: $unit:literal in $range:expr;)+) => {
        /// In the order of the file.
        pub(crate) const SETTINGS: &[Setting] = &[$(Setting {
            section: stringify!($section),
            key: stringify!($key),
            unit: $unit,
            range: $range,
            of: |model| &mut model.$section.$key,
        }),+];
    };
}

settings! {
    core.clock_ghz: "GHz" in RATE;
    core.fence_ns: "ns" in TIME;
    tcm.load_latency_cycles: "cycles" in COUNT;
    tcm.bytes_per_cycle: "bytes" in RATE;
    tcm.loads_per_staged_byte: "loads" in COUNT;
    tcm.stores_per_staged_byte: "stores" in COUNT;
    hbm.read_ns: "ns" in TIME;
    hbm.write_ns: "ns" in TIME;
    hbm.share_gib_per_s: "GiB/s" in RATE;
    window.miss_ns: "ns" in TIME;
    dma.call_ns: "ns" in TIME;
    dma.descriptor_floor_ns: "ns" in TIME;
    dma.bytes_per_ns: "bytes" in RATE;
    copy.c_bytes_per_step: "bytes" in 1.0..=65536.0;
    copy.vec_bytes_per_step: "bytes" in 1.0..=65536.0;
    compute.scalar_alu_latency_cycles: "cycles" in COUNT;
    compute.scalar_mul_latency_cycles: "cycles" in COUNT;
    compute.vector_alu_latency_cycles: "cycles" in COUNT;
    compute.vector_mac_latency_cycles: "cycles" in COUNT;
    compute.vector_fma_latency_cycles: "cycles" in COUNT;
    compute.ops_per_cycle: "operations" in RATE;
    compute.vector_bits: "bits" in 8.0..=65536.0;
    compute.soft_float_factor: "times" in 1.0..=1e6;
    launch.overhead_ns: "ns" in 0.0..=1e12;
}

impl Setting {
    /// Its name, as in `hbm.read_ns`.
    pub(crate) fn name(&self) -> String {
        format!("{}.{}", self.section, self.key)
    }

    pub(crate) fn get(&self, model: &CostModel) -> f64 {
        *(self.of)(&mut { *model })
    }

    pub(crate) fn set(&self, model: &mut CostModel, value: f64) {
        *(self.of)(model) = value;
    }

    /// Is this a value it may have? `line` of `file` has it.
    pub(crate) fn check(&self, value: f64, file: &str, line: Option<usize>) -> Result<(), CostModelError> {
        if self.range.contains(&value) {
            return Ok(());
        }
        Err(CostModelError::OutOfRange {
            file: file.to_owned(),
            line,
            setting: self.name(),
            value,
            unit: self.unit,
            least: *self.range.start(),
            most: *self.range.end(),
        })
    }
}
