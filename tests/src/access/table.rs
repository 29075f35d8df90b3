//! The outcome as text for a terminal.

use core::fmt;
use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use super::crossover::Clock;
use super::grid::Place;
use super::measure::Kind;
use super::result::{Outcome, Point};
use super::way::Way;

/// Columns by length, at most, and as many by stride.
const COLUMNS: usize = 5;

/// What is shown of the ways: the others are in the JSON.
pub(super) const SHOWN: [Way; 9] = [
    Way::Accessor,
    Way::Elements,
    Way::StreamElements,
    Way::StreamChunks,
    Way::Tiles(64),
    Way::Tiles(1024),
    Way::Tiles(4096),
    Way::Tiles(16384),
    Way::Strided,
];

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "relu, ns an element, {} simulated cores", self.cores)?;
        for kind in self.kinds() {
            for clock in Clock::ALL {
                self.table(f, kind, clock)?;
            }
        }
        writeln!(f)?;
        for crossover in &self.crossovers {
            writeln!(f, "{:>4}, {}", crossover.kind.dtype().name(), crossover.text())?;
        }
        Ok(())
    }
}

impl Outcome {
    /// By length at stride 1, and beside it by stride at one length.
    fn table(&self, f: &mut fmt::Formatter<'_>, kind: Kind, clock: Clock) -> fmt::Result {
        let (dtype, length) = (kind.dtype().name(), self.grid.at_every_stride());
        let label = match clock {
            Clock::Modelled => "modelled, not measured on a device",
            Clock::Host => "host, one thread, nothing checked; (…): times what plain Rust takes",
        };
        let by_length = some(self.grid.lengths()).into_iter();
        let by_length = by_length.map(|length| (length.to_string(), Place { length, stride: 1 }));
        let by_stride = some(self.grid.strides()).into_iter().filter(|&stride| stride > 1);
        let by_stride = by_stride.map(|stride| (format!("{length} / {stride}"), Place { length, stride }));
        let columns: Vec<(String, Place)> = by_length.chain(by_stride).collect();
        let native = (clock == Clock::Host).then_some(None);
        writeln!(f, "\n{dtype}, {label}")?;
        write!(f, "  {:<20}", "elements / stride")?;
        columns.iter().try_for_each(|(head, _)| write!(f, " {head:>15}"))?;
        writeln!(f)?;
        for way in SHOWN.into_iter().map(Some).chain(native) {
            write!(f, "  {:<20}", way.map_or_else(|| "native".into(), Way::name))?;
            for (_, place) in &columns {
                write!(f, " {:>15}", cell(self.point(kind, way, *place), clock))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// Some of them, the first and the last among them.
fn some(all: &[u32]) -> Vec<u32> {
    let step = (all.len().saturating_sub(1)).div_ceil(COLUMNS - 1).max(1);
    let mut some: Vec<u32> = all.iter().rev().step_by(step).copied().collect();
    some.extend(all.first().filter(|first| !some.contains(first)));
    some.sort_unstable();
    some
}

fn cell(point: Option<&Point>, clock: Clock) -> String {
    let Some((point, ns)) = point.and_then(|point| Some((point, point.ns(clock)?))) else {
        return "–".into();
    };
    match point.native_ns {
        Some(native) if clock == Clock::Host => format!("{ns:.2} ({:.1})", ns / native),
        _ => format!("{ns:.2}"),
    }
}
