//! A report as text for people.

use std::fmt;

use neuron_device::{CopyCounters, Counters};

use super::Report;
use crate::core::Outcome;
use crate::core::faults::LIMIT;
use crate::core::stack::StackUse;
use crate::fault::text::cores_as_words;
use crate::profile::Profile;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cores = self.cores.len();
        let plural = if cores == 1 { "" } else { "s" };
        write!(f, "{} on {cores} core{plural}: ", self.op.name())?;
        if self.is_clean() {
            writeln!(f, "clean")?;
        } else {
            let failed = self.cores.iter().filter(|core| core.outcome != Outcome::Returned).count();
            let faults = self.faults.len();
            let of_cores = if failed == 0 {
                String::new()
            } else {
                format!(", {failed} of {cores} cores did not return")
            };
            writeln!(f, "{faults} fault{}{of_cores}", if faults == 1 { "" } else { "s" })?;
        }
        if !self.checked {
            writeln!(f, "unchecked: coverage of the output and races were not judged")?;
        }
        if self.profile != Profile::Observed {
            writeln!(f, "profile: {}", self.profile.name())?;
        }
        self.what_if.words().try_for_each(|words| writeln!(f, "what if: {words}"))?;
        self.outcomes(f)?;
        for (number, fault) in (1..).zip(&self.faults) {
            match f.alternate() {
                true => write!(f, "\n{number}. {fault:#}")?,
                false => write!(f, "\n{number}. {fault}")?,
            }
        }
        if !self.faults.is_empty() {
            writeln!(f)?;
            if let Some(rerun) = (0..self.faults.len()).find_map(|fault| self.rerun(fault)) {
                writeln!(f, "replay: `report.save(FILE)`, then `{rerun}`\n")?;
            }
        }
        for allowed in &self.allowed {
            let (fault, reason) = (&allowed.fault, &allowed.reason);
            let (kind, argument, count) = (fault.kind().name(), fault.argument, fault.count);
            writeln!(f, "allowed: {kind} of `{argument}`, {count} times, first {}: {reason}", fault.first)?;
        }
        self.tables(f)?;
        for printed in &self.printed {
            let core = printed.core;
            match printed.lost {
                0 => {}
                1 => writeln!(f, "core {core} printed 1 slot that was lost, and then:")?,
                lost => writeln!(f, "core {core} printed {lost} slots that were lost, and then:")?,
            }
            printed.lines.iter().try_for_each(|line| print_line(f, core, line))?;
        }
        if f.alternate() {
            self.stack_table(f)?;
        }
        if let Some(modelled) = self.modelled() {
            write!(f, "{modelled}")?;
        }
        if self.notes.is_empty() {
            return writeln!(f, "portable to the Documented profile: yes");
        }
        writeln!(f, "portable to the Documented profile: no")?;
        for note in &self.notes {
            write!(f, "   {}: {}", note.rule.name(), note.text)?;
            match note.site {
                Some(site) => writeln!(f, " ({}:{}:{})", site.file(), site.line(), site.column())?,
                None => writeln!(f)?,
            }
        }
        Ok(())
    }
}

impl Report {
    /// What each core used of its stack, which depends on the build.
    fn stack_table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (core, stack) in self.stacks.iter().enumerate() {
            let StackUse { kind, limit, used } = stack;
            let asked = self.op.stack_size();
            let more = if *used > asked {
                format!(", more than the {asked} the op asks for")
            } else {
                String::new()
            };
            writeln!(f, "core {core} stack: {used} of {limit} bytes, {}{more}", kind.name())?;
        }
        Ok(())
    }

    /// The cores that did not return, equal ones together.
    fn outcomes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut said: Vec<(String, Vec<u32>)> = Vec::new();
        for core in &self.cores {
            let words = match &core.outcome {
                Outcome::Returned => continue,
                Outcome::Failed(error) => format!("returned an error: {error}"),
                Outcome::Panicked(message) => format!("panicked: {message}"),
                Outcome::Stopped => format!("stopped after {LIMIT} different faults"),
                Outcome::NoProgress => "stopped: no progress".to_owned(),
                Outcome::StackOverflow => "stopped: its stack overflowed".to_owned(),
            };
            match said.iter_mut().find(|(other, _)| *other == words) {
                Some((_, cores)) => cores.push(core.core),
                None => said.push((words, vec![core.core])),
            }
        }
        for (words, cores) in &said {
            writeln!(f, "{} {words}", cores_as_words(cores))?;
        }
        if self.checked && !said.is_empty() {
            writeln!(f, "elements never written were not judged, as not every core returned")?;
        }
        Ok(())
    }

    /// The counters of each core, and their sum: those of elements, and if anything was staged, those of copies.
    fn tables(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let elements = |counters: &Counters| {
            let Counters { loads, stores, .. } = *counters;
            [loads, stores, counters.translations(), counters.hits(), counters.misses(), counters.evictions()]
        };
        self.table(f, ["loads", "stores", "translations", "hits", "misses", "evictions"], elements)?;
        let total = self.total().copies;
        if total == CopyCounters::NONE {
            return Ok(());
        }
        let copies = |counters: &Counters| {
            let CopyCounters { dma_calls, descriptors, core_copies, bytes_in, bytes_out, tcm_peak, .. } =
                counters.copies;
            [dma_calls, descriptors, core_copies, bytes_in, bytes_out, tcm_peak.into()]
        };
        let head = ["dma calls", "descriptors", "core copies", "bytes in", "bytes out", "tcm peak"];
        self.table(f, head, copies)?;
        match total.unbuffered_streams {
            0 => {}
            1 => writeln!(f, "1 stream found no TCM for a buffer and went element by element")?,
            streams => {
                writeln!(f, "{streams} streams found no TCM for a buffer and went element by element")?
            }
        }
        let why = "TCM had no room for a bounce buffer, or it or the output is strided";
        match total.unstaged_returns {
            0 => Ok(()),
            1 => writeln!(f, "1 core copied its result back element by element: {why}"),
            cores => writeln!(f, "{cores} cores copied their results back element by element: {why}"),
        }
    }

    fn table<const N: usize>(
        &self,
        f: &mut fmt::Formatter<'_>,
        head: [&str; N],
        row: impl Fn(&Counters) -> [u64; N],
    ) -> fmt::Result {
        let total = row(&self.total());
        let widths: Vec<usize> =
            head.iter().zip(total).map(|(head, sum)| head.len().max(sum.to_string().len())).collect();
        write!(f, " core")?;
        head.iter().zip(&widths).try_for_each(|(head, &width)| write!(f, "  {head:>width$}"))?;
        writeln!(f)?;
        let mut line = |name: String, cells: [u64; N]| {
            write!(f, "{name:>5}")?;
            cells.iter().zip(&widths).try_for_each(|(cell, &width)| write!(f, "  {cell:>width$}"))?;
            writeln!(f)
        };
        self.cores.iter().try_for_each(|core| line(core.core.to_string(), row(&core.counters)))?;
        line("all".to_owned(), total)
    }
}
/// What a core printed, such that it neither looks like the report's own words nor moves a terminal's cursor.
fn print_line(f: &mut fmt::Formatter<'_>, core: u32, line: &str) -> fmt::Result {
    // As in C, where every line ends with one.
    let line = line.strip_suffix('\n').unwrap_or(line);
    for part in line.split('\n') {
        write!(f, "core {core} printed: ")?;
        for char in part.chars() {
            if char.is_control() && char != '\t' {
                write!(f, "{}", char.escape_default())?;
            } else {
                write!(f, "{char}")?;
            }
        }
        writeln!(f)?;
    }
    Ok(())
}
