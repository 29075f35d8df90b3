//! Modelled time as text for people.

use std::fmt;

use super::{Modelled, ModelledCore};
use crate::cost::time::Picoseconds;

impl fmt::Display for Modelled {
    /// A line for the launch, and a table of the cores; columns in which nothing is are left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(slowest) = self.slowest() else {
            return writeln!(f, "modelled, not measured: no core");
        };
        write!(f, "modelled, not measured: {}", self.time())?;
        if self.overhead > Picoseconds::ZERO {
            write!(f, ", of which {} around the op, {}", self.overhead, slowest.time)?;
        }
        writeln!(f, ", of core {}{}", slowest.core, if self.cores.len() > 1 { ", the slowest" } else { "" })?;
        for line in table(&self.cores) {
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

fn table(cores: &[ModelledCore]) -> Vec<String> {
    let mut lines: Vec<String> = std::iter::once(" core".to_owned())
        .chain(cores.iter().map(|core| format!("{:>5}", core.core)))
        .collect();
    let mut column = |head: &str, cells: Vec<Option<String>>| {
        if cells.iter().all(Option::is_none) {
            return;
        }
        let cells = cells.into_iter().map(Option::unwrap_or_default);
        let cells: Vec<String> = std::iter::once(head.to_owned()).chain(cells).collect();
        let width = cells.iter().map(|cell| cell.chars().count()).max().unwrap_or_default();
        lines.iter_mut().zip(cells).for_each(|(line, cell)| *line += &format!("  {cell:>width$}"));
    };
    let time = |time: Picoseconds| (time > Picoseconds::ZERO).then(|| time.to_string());
    let count = |count: u64| (count > 0).then(|| count.to_string());
    column("time", cores.iter().map(|core| Some(core.time.to_string())).collect());
    for (part, (head, _)) in cores.first().iter().flat_map(|core| core.split.parts()).enumerate() {
        column(head, cores.iter().map(|core| time(core.split.parts()[part].1)).collect());
    }
    column("DMA copies", cores.iter().map(|core| count(core.dma.copies)).collect());
    column("descriptors", cores.iter().map(|core| count(core.dma.descriptors)).collect());
    column("DMA bytes", cores.iter().map(|core| count(core.dma.bytes)).collect());
    column("DMA busy", cores.iter().map(|core| time(core.dma.busy)).collect());
    column("by sharing", cores.iter().map(|core| time(core.dma.shared)).collect());
    lines
}
