//! Mutants of the kernels, one after another: what each changes, and what the checks say about it.
//!
//! `cargo xtask inject` builds this over a copy of the kernels in which `neuron_mutant` stands around the expressions.
//! What a mutant changes is found without the simulator, by every access of every core on [flat](crate::flat) memory.

mod change;
mod launches;
mod seen;
#[cfg(test)]
mod tests;
mod trace;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::string::String;
use std::vec::Vec;

use anyhow::{Context, Result, ensure};

use self::change::Change;
use self::launches::{Launch, launches};
use self::seen::{Checked, Seen};
use self::trace::Memory;

/// A mutant: a site and what is done there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// The site's number.
    pub site: usize,
    /// The operator's.
    pub operator: usize,
}

/// Launch every mutant that an op called `only` reaches, or any op, and tell of each in a line: site, operator, how many
/// launches reach it, what it changes, what was reported and the first launch, with tabs between.
///
/// # Errors
/// A machine without memory; a launch of the tables that is not clean; an output that cannot be written.
pub fn inject(mutants: &[Mutant], only: Option<&str>, to: &mut impl Write) -> Result<()> {
    let mut checked = Checked::new()?;
    let mut memory = Memory::new();
    let launches = launches(&mut checked, &mut memory, only)?;
    ensure!(!launches.is_empty(), "the tables have no launch of an op called {}", only.unwrap_or("anything"));
    let mut by_site: BTreeMap<usize, Vec<&Launch>> = BTreeMap::new();
    for launch in &launches {
        launch.sites.iter().for_each(|&site| by_site.entry(site).or_default().push(launch));
    }
    for mutant in mutants {
        let launches = by_site.get(&mutant.site).map_or(&[][..], Vec::as_slice);
        let (mut change, mut seen) = (Change::default(), Seen::default());
        for launch in launches {
            neuron_mutant::choose(mutant.site, mutant.operator);
            let traces = memory.run(launch);
            let found = checked.launch(&launch.trial);
            neuron_mutant::choose(0, 0);
            change.add(&launch.traces, &traces?);
            seen.add(found);
        }
        let first = launches.first().map(|launch| launch.trial.name()).unwrap_or_default();
        let (changed, reported) = (words(change.words()), words(seen.words()));
        let Mutant { site, operator } = mutant;
        writeln!(to, "{site}\t{operator}\t{}\t{changed}\t{reported}\t{first}", launches.len())?;
        to.flush()?;
    }
    Ok(())
}

/// The mutants of a text, one a line: site and operator.
///
/// # Errors
/// A line that is no mutant.
pub fn parse(text: &str) -> Result<Vec<Mutant>> {
    let mutant = |line: &str| {
        let (site, operator) = line.split_once(' ')?;
        Some(Mutant { site: site.parse().ok()?, operator: operator.parse().ok()? })
    };
    text.lines().map(|line| mutant(line).with_context(|| std::format!("`{line}` is no mutant"))).collect()
}

fn words(of: BTreeSet<&'static str>) -> String {
    let words: Vec<&str> = of.into_iter().collect();
    words.join(",")
}
