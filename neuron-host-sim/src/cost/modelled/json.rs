//! Modelled time as JSON for programs.

use serde_json::{Map, Value, json};

use super::{Modelled, ModelledCore};
use crate::cost::model::CostModel;
use crate::cost::settings::SETTINGS;

impl Modelled {
    /// One JSON object; times are in picoseconds. `docs/cost-model.md` describes every field.
    ///
    /// ```
    /// use neuron_host_sim::cost::{CostModel, Progress, Stream};
    /// let mut stream = Stream::new();
    /// stream.ended(Progress { loads: 2, ..Progress::default() });
    /// let json = CostModel::default().replay(&[stream])?.to_json();
    /// assert_eq!((&json["modelled_ps"], &json["cores"][0]["accesses_ps"]), (&480_000.into(), &480_000.into()));
    /// assert_eq!(json["settings"]["hbm"]["read_ns"], 240.0);
    /// # Ok::<(), neuron_host_sim::cost::CostModelError>(())
    /// ```
    pub fn to_json(&self) -> Value {
        json!({
            "measured": false,
            "modelled_ps": self.time().get(),
            "overhead_ps": self.overhead.get(),
            "slowest_core": self.slowest().map(|core| core.core),
            "cores": self.cores.iter().map(core).collect::<Vec<_>>(),
            "settings": settings(&self.model),
        })
    }
}

fn core(core: &ModelledCore) -> Value {
    let (split, dma) = (core.split, core.dma);
    json!({
        "core": core.core,
        "time_ps": core.time.get(),
        "accesses_ps": split.accesses.get(),
        "misses_ps": split.misses.get(),
        "fences_ps": split.fences.get(),
        "tcm_ps": split.tcm.get(),
        "core_copies_ps": split.copies.get(),
        "compute_ps": split.compute.get(),
        "dma_wait_ps": split.dma_wait.get(),
        "dma": {
            "copies": dma.copies,
            "descriptors": dma.descriptors,
            "bytes": dma.bytes,
            "busy_ps": dma.busy.get(),
            "by_sharing_ps": dma.shared.get(),
        },
    })
}

fn settings(model: &CostModel) -> Value {
    let mut sections = Map::new();
    for setting in SETTINGS {
        let section = sections.entry(setting.section).or_insert_with(|| json!({}));
        section[setting.key] = setting.get(model).into();
    }
    sections.into()
}
