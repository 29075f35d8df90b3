//! A stop as text for people.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use neuron_device::Access;

use super::stop::{Step, Stop};
use super::until::Until;
use crate::core::Outcome;
use crate::core::faults::LIMIT;

/// Lines of source before and after the one that matters.
const AROUND: u32 = 2;

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}, core {} of {}, {}", self.op, self.core, self.cores, self.place())?;
        let count = |n: u64, noun| format!("{n} {noun}{}", if n == 1 { "" } else { "s" });
        let (loads, stores) = (count(self.loads, "load"), count(self.stores, "store"));
        writeln!(f, "so far: {loads}, {stores}, {}", count(self.translations, "translation"))?;
        if let Some(fault) = &self.fault {
            write!(f, "\nfault: {fault}")?;
            if let (Some(address), None) = (fault.address, &self.access) {
                writeln!(f, "   the element would be at {address}")?;
            }
        }
        if let Some(step) = &self.access {
            writeln!(f, "\n{}", said(step))?;
            match (step.record, step.local) {
                (Some(record), Some(local)) => {
                    writeln!(f, "   at {}, through window {record}, where it is {local}", step.address)?;
                }
                _ => writeln!(f, "   at {}", step.address)?,
            }
        }
        writeln!(f, "\nwindows")?;
        for (record, base) in self.windows.iter().enumerate() {
            match base {
                Some(base) => writeln!(f, "   {record}: shows HBM from {base} on")?,
                None => writeln!(f, "   {record}: not mapped")?,
            }
        }
        if let Some(value) = &self.value {
            let dtype = value.dtype.map_or(String::new(), |dtype| format!(" ({dtype})"));
            writeln!(f, "\n{}{}{dtype}, at {}", value.argument, value.index, value.address)?;
            match &value.before_launch {
                Some(before) => writeln!(f, "   before the launch: {before}")?,
                None => writeln!(f, "   before the launch: nothing was written there")?,
            }
            if value.left_out > 0 {
                writeln!(f, "   {} older accesses of this core are left out", value.left_out)?;
            }
            value.accesses.iter().try_for_each(|step| writeln!(f, "   {}", said(step)))?;
            if value.accesses.is_empty() {
                writeln!(f, "   core {} did not access it", self.core)?;
            }
        }
        if !self.last.is_empty() {
            writeln!(f, "\nlast accesses")?;
            self.last.iter().try_for_each(|step| writeln!(f, "   {}", said(step)))?;
        }
        Ok(())
    }
}

impl Stop {
    /// The text, and below it the lines of source around the place and around every access to the element, if their files
    /// are found from `folder`: kernels know their files by the path the compiler was given, which cargo counts from the
    /// workspace's root.
    pub fn to_text(&self, folder: &Path) -> String {
        let fault = self.fault.iter().flat_map(|fault| fault.lines.iter().map(|line| line.site));
        let history = self.value.iter().flat_map(|value| value.accesses.iter().map(|step| step.site));
        let sites = self.access.iter().map(|step| step.site).chain(fault).chain(history);
        let mut files: Vec<(&str, BTreeSet<u32>)> = Vec::new();
        for site in sites {
            match files.iter_mut().find(|(file, _)| *file == site.file()) {
                Some((_, lines)) => drop(lines.insert(site.line())),
                None => files.push((site.file(), BTreeSet::from([site.line()]))),
            }
        }
        let excerpts = files.iter().filter_map(|(file, lines)| excerpt(folder, file, lines));
        excerpts.fold(self.to_string(), |text, excerpt| text + &excerpt)
    }

    /// Where it is, in words.
    fn place(&self) -> String {
        match (&self.outcome, &self.until) {
            (Some(outcome), _) => format!("at its end: it {}", ended(outcome)),
            (None, Until::Access { access, nth, .. }) => {
                let done = if *access == Access::Write { "write" } else { "read" };
                match self.value.as_ref() {
                    Some(value) => {
                        format!("at its {} {done} of {}{}", ordinal(*nth), value.argument, value.index)
                    }
                    None => format!("at its {} {done}", ordinal(*nth)),
                }
            }
            (None, Until::Fault(Some(which))) => format!("at fault {which} of the report"),
            (None, _) => "at its first fault".to_owned(),
        }
    }
}

/// An access in a line.
fn said(step: &Step) -> String {
    let Step { nth, argument, index, value, site, .. } = step;
    let what = match (step.access, &step.replaced) {
        (Access::Read, _) if !step.held => format!("read {argument}{index}: {value} (no value was there)"),
        (Access::Read, _) => format!("read {argument}{index}: {value}"),
        (Access::Write, Some(before)) => format!("wrote {argument}{index}: {before} → {value}"),
        (Access::Write, None) => format!("wrote {argument}{index}: {value}"),
    };
    format!("access {nth} {what}, at {}:{}:{}", site.file(), site.line(), site.column())
}

fn ended(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Returned => "returned".to_owned(),
        Outcome::Failed(error) => format!("returned an error: {error}"),
        Outcome::Panicked(message) => format!("panicked: {message}"),
        Outcome::Stopped => format!("was stopped after {LIMIT} different faults"),
        Outcome::StackOverflow => "was stopped: its stack overflowed".to_owned(),
        Outcome::NoProgress => "was stopped: no progress".to_owned(),
    }
}

fn ordinal(nth: u64) -> String {
    let ending = match (nth % 10, nth % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{nth}{ending}")
}

/// These lines of a file, marked, with those around them; `None` if the file is not found.
fn excerpt(folder: &Path, file: &str, marked: &BTreeSet<u32>) -> Option<String> {
    let source = std::fs::read_to_string(folder.join(file)).ok()?;
    let near = |number: u32| marked.iter().any(|line| line.abs_diff(number) <= AROUND);
    let lines: Vec<(u32, &str)> = (1..).zip(source.lines()).filter(|&(number, _)| near(number)).collect();
    let width = lines.last()?.0.to_string().len();
    let mut text = format!("\n{file}\n");
    let mut before = None;
    for (number, line) in lines {
        if before.is_some_and(|before| before + 1 < number) {
            text += "  …\n";
        }
        before = Some(number);
        let mark = if marked.contains(&number) { '>' } else { ' ' };
        let shown = format!("{mark} {number:>width$} | {line}");
        text += shown.trim_end();
        text.push('\n');
    }
    Some(text)
}

#[test]
fn ordinals_end_as_they_are_spoken() {
    let said = [1, 2, 3, 4, 11, 12, 13, 21, 102, 111, 113].map(ordinal);
    let expected = ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th", "113th"];
    assert_eq!(said, expected);
}
