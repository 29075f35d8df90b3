//! [`CostModel`]: what things cost on the machine.

use std::path::Path;

use super::error::CostModelError;
use super::file;
use super::modelled::Modelled;
use super::price::Prices;
use super::replay::replay;
use super::settings::SETTINGS;
use super::span::Nobody;
use super::stream::Stream;
use super::timeline::Timeline;

/// What things cost on the machine: named settings, each with a source in the file they are read from.
///
/// The default is `neuron-host-sim/cost-model.toml`. To change it, change a field, or copy the file and edit it.
///
/// ```
/// use neuron_host_sim::cost::{CostModel, CostModelError};
/// let mut posted = CostModel::default();
/// (posted.hbm.read_ns, posted.hbm.write_ns) = (400.0, 0.0);
/// // The text is a file for `from_file`, with the comments of the original:
/// let text = posted.to_toml();
/// assert_eq!(CostModel::from_toml(&text)?, posted);
///
/// let error = CostModel::from_toml(&text.replace("read_ns", "read_us")).unwrap_err();
/// assert!(matches!(error, CostModelError::Unknown { line, .. } if text.lines().nth(line - 1) == Some("read_ns = 400")));
/// assert!(error.to_string().ends_with("there is no setting hbm.read_us: did you mean hbm.read_ns?"));
/// # Ok::<(), CostModelError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct CostModel {
    /// The core itself.
    pub core: CoreCosts,
    /// Its TCM.
    pub tcm: TcmCosts,
    /// Accesses to HBM.
    pub hbm: HbmCosts,
    /// The window table.
    pub window: WindowCosts,
    /// Its DMA queue.
    pub dma: DmaCosts,
    /// Copies by the core.
    pub copy: CopyCosts,
    /// Declared compute.
    pub compute: ComputeCosts,
    /// What is around the op.
    pub launch: LaunchCosts,
}

/// The core itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct CoreCosts {
    /// Clock, in GHz.
    pub clock_ghz: f64,
    /// A fence beside those of a window miss and of a DMA call, in ns.
    pub fence_ns: f64,
}

/// The core's TCM.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct TcmCosts {
    /// Cycles until a loaded value can be used.
    pub load_latency_cycles: f64,
    /// Bytes a cycle that are loaded or stored one after the other.
    pub bytes_per_cycle: f64,
    /// How often each byte a copy brought is taken to be loaded, where loads are not counted.
    pub loads_per_staged_byte: f64,
    /// How often each byte a copy takes away is taken to be stored, where stores are not counted.
    pub stores_per_staged_byte: f64,
}

/// Accesses to HBM.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct HbmCosts {
    /// Reading an element through a mapped window, in ns.
    pub read_ns: f64,
    /// Writing one, in ns.
    pub write_ns: f64,
    /// What the transfers of all cores share, in GiB/s.
    pub share_gib_per_s: f64,
}

/// The window table.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct WindowCosts {
    /// Mapping a window, in ns.
    pub miss_ns: f64,
}

/// The DMA queue of a core.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct DmaCosts {
    /// From the call to the first byte, in ns.
    pub call_ns: f64,
    /// What a descriptor takes at least, in ns.
    pub descriptor_floor_ns: f64,
    /// Bytes a ns of a descriptor that has HBM for itself.
    pub bytes_per_ns: f64,
}

/// Copies by the core.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct CopyCosts {
    /// Bytes a step of `C_MEMCPY`. A step is an access to HBM and one to TCM.
    pub c_bytes_per_step: f64,
    /// Bytes a step of `VEC_MEMCPY`.
    pub vec_bytes_per_step: f64,
}

/// Declared compute. A latency is what passes beyond the cycle of the issue until the result can be used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ComputeCosts {
    /// Latency of [`ScalarAlu`](super::Unit::ScalarAlu).
    pub scalar_alu_latency_cycles: f64,
    /// Latency of [`ScalarMul`](super::Unit::ScalarMul).
    pub scalar_mul_latency_cycles: f64,
    /// Latency of [`VectorAlu`](super::Unit::VectorAlu).
    pub vector_alu_latency_cycles: f64,
    /// Latency of [`VectorMac`](super::Unit::VectorMac).
    pub vector_mac_latency_cycles: f64,
    /// Latency of [`VectorFma`](super::Unit::VectorFma).
    pub vector_fma_latency_cycles: f64,
    /// Operations issued a cycle.
    pub ops_per_cycle: f64,
    /// Bits of a vector.
    pub vector_bits: f64,
    /// How many times as long a float multiply-add takes: 1 in hardware; what-if, in software.
    pub soft_float_factor: f64,
}

/// What is around the op.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct LaunchCosts {
    /// The model around the op, once a launch, in ns. Free: see [`fit`](super::fit).
    pub overhead_ns: f64,
}

impl Default for CostModel {
    fn default() -> Self {
        Self::from_toml(file::DEFAULT).expect("cost-model.toml is complete and in its ranges")
    }
}

impl CostModel {
    /// No cost at all, which is out of range: to be filled.
    pub(crate) fn unset() -> Self {
        Self {
            core: CoreCosts::default(),
            tcm: TcmCosts::default(),
            hbm: HbmCosts::default(),
            window: WindowCosts::default(),
            dma: DmaCosts::default(),
            copy: CopyCosts::default(),
            compute: ComputeCosts::default(),
            launch: LaunchCosts::default(),
        }
    }

    /// The settings of a text like that of `cost-model.toml`.
    ///
    /// # Errors
    /// It is no TOML, a setting is missing or unknown, or is no number, or out of its range.
    pub fn from_toml(text: &str) -> Result<Self, CostModelError> {
        file::read("the cost model", text)
    }

    /// The settings of a file.
    ///
    /// # Errors
    /// As [`from_toml`](Self::from_toml); or the file cannot be read.
    ///
    /// ```
    /// use neuron_host_sim::cost::CostModel;
    /// assert_eq!(CostModel::from_file("cost-model.toml")?, CostModel::default());
    /// let error = CostModel::from_file("no-model.toml").unwrap_err();
    /// assert!(error.to_string().starts_with("no-model.toml cannot be read: "));
    /// # Ok::<(), neuron_host_sim::cost::CostModelError>(())
    /// ```
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, CostModelError> {
        let path = path.as_ref();
        let text = std::fs::read_to_string(path)
            .map_err(|error| CostModelError::Read { path: path.to_owned(), error })?;
        file::read(&path.display().to_string(), &text)
    }

    /// The text of `cost-model.toml` with these settings, its comments included.
    pub fn to_toml(&self) -> String {
        file::write(self)
    }

    /// Is every setting in its range? [`replay`](Self::replay) and the others ask it first.
    ///
    /// # Errors
    /// The first setting that is not.
    ///
    /// ```
    /// use neuron_host_sim::cost::CostModel;
    /// let mut model = CostModel::default();
    /// model.dma.call_ns = f64::NAN;
    /// let text = "the cost model: dma.call_ns is NaN, and must be a number of ns from 0 to 1000000";
    /// assert_eq!(model.check().unwrap_err().to_string(), text);
    /// ```
    pub fn check(&self) -> Result<(), CostModelError> {
        SETTINGS.iter().try_for_each(|setting| setting.check(setting.get(self), "the cost model", None))
    }

    /// The modelled time of a launch, whose cores left these streams. Two calls give the same, on any host.
    ///
    /// # Errors
    /// A setting is out of its range.
    pub fn replay(&self, streams: &[Stream]) -> Result<Modelled, CostModelError> {
        Ok(replay(&Prices::new(self)?, streams, &mut Nobody))
    }

    /// The same, and what happened when.
    ///
    /// # Errors
    /// As [`replay`](Self::replay).
    pub fn timeline(&self, streams: &[Stream]) -> Result<(Modelled, Timeline), CostModelError> {
        let mut timeline = Timeline::new(streams.len());
        let modelled = replay(&Prices::new(self)?, streams, &mut timeline);
        timeline.sort();
        Ok((modelled, timeline))
    }
}

#[cfg(test)]
mod tests;
