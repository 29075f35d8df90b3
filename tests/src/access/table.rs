//! The outcome as text for a terminal.

use core::fmt;
use std::format;
use std::string::{String, ToString};
use std::vec;
use std::vec::Vec;

use super::crossover::Clock;
use super::grid::Place;
use super::measure::Kind;
use super::result::{Outcome, Point};
use super::way::Way;

/// Columns of a table, at most.
const COLUMNS: usize = 6;

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "ns an element, {} cores; (…): times what plain Rust takes on this host", self.cores)?;
        for kind in self.kinds() {
            for clock in Clock::ALL {
                self.tables(f, kind, clock)?;
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
    fn tables(&self, f: &mut fmt::Formatter<'_>, kind: Kind, clock: Clock) -> fmt::Result {
        let (dtype, length) = (kind.dtype().name(), self.grid.at_every_stride());
        let label = match clock {
            Clock::Modelled => "modelled, not measured on a device",
            Clock::Host => "host, one thread, nothing checked",
        };
        let lengths = some(self.grid.lengths()).into_iter().map(|length| Place { length, stride: 1 });
        let strides = some(self.grid.strides()).into_iter().map(|stride| Place { length, stride });
        writeln!(f, "\n{dtype}, {label}: by length, at stride 1")?;
        self.table(f, kind, clock, lengths.map(|place| (place.length, place)).collect())?;
        writeln!(f, "{dtype}, {label}: by stride, {length} elements")?;
        self.table(f, kind, clock, strides.map(|place| (place.stride, place)).collect())
    }

    fn table(
        &self,
        f: &mut fmt::Formatter<'_>,
        kind: Kind,
        clock: Clock,
        columns: Vec<(u32, Place)>,
    ) -> fmt::Result {
        let ways = Way::all().into_iter().map(Some);
        let ways = ways.chain((clock == Clock::Host).then_some(None));
        let mut rows: Vec<Vec<String>> = vec![vec![String::new()]];
        rows[0].extend(columns.iter().map(|(head, _)| head.to_string()));
        for way in ways {
            let cells = columns.iter().map(|(_, place)| cell(self.point(kind, way, *place), clock));
            let cells: Vec<String> = cells.collect();
            if cells.iter().any(|cell| cell != "–") {
                let name = way.map_or_else(|| "native".into(), Way::name);
                rows.push(std::iter::once(name).chain(cells).collect());
            }
        }
        for row in rows {
            write!(f, "  {:<20}", row[0])?;
            row[1..].iter().try_for_each(|cell| write!(f, " {cell:>16}"))?;
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
