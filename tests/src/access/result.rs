//! [`Outcome`]: everything that was measured, for programs and for the table.

use std::string::String;
use std::vec::Vec;

use neuron_host_sim::cost::CostModel;
use serde_json::{Value, json};

use super::crossover::{Clock, Crossover};
use super::grid::{Grid, Place};
use super::measure::Kind;
use super::way::Way;

/// One way over one tensor. What it has no time by is `None`: native code on a device, and a stride that a way refuses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The dtype.
    pub kind: Kind,
    /// The tensor.
    pub place: Place,
    /// The way, or plain Rust.
    pub way: Option<Way>,
    /// Nanoseconds an element on this host, on one thread: the median.
    pub host_ns: Option<f64>,
    /// The same of plain Rust, in the same run.
    pub native_ns: Option<f64>,
    /// Nanoseconds an element on the machine, all cores at once: modelled.
    pub modelled_ns: Option<f64>,
}

/// Everything that was measured.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What was tried.
    pub grid: Grid,
    /// On so many simulated cores.
    pub cores: u32,
    /// The settings of the cost model.
    pub model: CostModel,
    /// What was found.
    pub points: Vec<Point>,
    /// From where on staging wins.
    pub crossovers: Vec<Crossover>,
}

impl Point {
    /// In words.
    pub fn name(&self) -> String {
        self.way.map_or_else(|| "native".into(), Way::name)
    }

    /// Nanoseconds an element by this clock.
    pub fn ns(&self, clock: Clock) -> Option<f64> {
        match clock {
            Clock::Modelled => self.modelled_ns,
            Clock::Host => self.host_ns,
        }
    }
}

impl Outcome {
    /// The point of a way at a place.
    pub fn point(&self, kind: Kind, way: Option<Way>, place: Place) -> Option<&Point> {
        self.points.iter().find(|point| point.kind == kind && point.way == way && point.place == place)
    }

    /// The dtypes that were tried, in their order.
    pub fn kinds(&self) -> impl Iterator<Item = Kind> + '_ {
        Kind::ALL.into_iter().filter(|kind| self.points.iter().any(|point| point.kind == *kind))
    }

    /// Everything, as JSON.
    pub fn to_json(&self) -> Value {
        let crossover = |crossover: &Crossover| {
            let Crossover { kind, clock, from, .. } = crossover;
            json!({ "dtype": kind.dtype().name(), "clock": clock.name(), "from": from, "text": crossover.text() })
        };
        json!({
            "what": "relu of a tensor of one dimension at a stride into a contiguous one, nanoseconds an element",
            "host": "measured on this host: one thread, nothing checked, all cores one after the other",
            "modelled": "modelled, not measured on a device: the slowest core",
            "cores": self.cores,
            "settings": self.model.to_toml(),
            "crossovers": self.crossovers.iter().map(crossover).collect::<Vec<_>>(),
            "points": self.points.iter().map(to_json).collect::<Vec<_>>(),
        })
    }
}

fn to_json(point: &Point) -> Value {
    let Point { kind, place, way, host_ns, native_ns, modelled_ns } = *point;
    let ratio = host_ns.zip(native_ns).map(|(host, native)| host / native);
    json!({
        "dtype": kind.dtype().name(),
        "length": place.length,
        "stride": place.stride,
        "way": point.name(),
        "stages": way.map(Way::stages),
        "host_ns": host_ns,
        "host_to_native": ratio,
        "modelled_ns": modelled_ns,
    })
}
