//! What became of the mutants, counted.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use super::driver::Told;
use super::site::Kind;
use crate::table;

/// What a mutant must change to be one the checks have to find. `accesses` and `values` are the others: another element
/// of the right tensor is no fault of a kernel that is meant so.
const WRONG: [&str; 6] = ["address", "order", "coverage", "uninitialised", "pending", "end"];

/// Ends that the kernel, or the host before it, came to by itself.
const ENDS: [&str; 4] = ["error", "panic", "refused", "hung"];

/// What became of a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fate {
    /// No launch computes its expression.
    Unreached,
    /// Every access is what it was.
    Same,
    /// Other accesses, or in another order, with the same result.
    Harmless,
    /// Every access is allowed, and the result is another one: found by comparing it alone.
    Values,
    /// It is wrong, and a check reported a fault.
    Reported,
    /// It is wrong, and the launch ended with an error or a panic, or was stopped.
    Ended,
    /// It is wrong, and nothing was reported.
    Survived,
    /// Nothing is wrong, and a fault was reported; or the simulator's process ended.
    Alarm,
}

/// The columns of the table.
const FATES: [(Fate, &str); 8] = [
    (Fate::Unreached, "unreached"),
    (Fate::Same, "same accesses"),
    (Fate::Harmless, "same result"),
    (Fate::Values, "wrong values only"),
    (Fate::Reported, "reported"),
    (Fate::Ended, "error or panic"),
    (Fate::Survived, "survived"),
    (Fate::Alarm, "false alarm"),
];

impl Fate {
    /// By what was told.
    pub(crate) fn of(told: &Told) -> Self {
        let has = |words: &[String], any: &[&str]| words.iter().any(|word| any.contains(&word.as_str()));
        let ended = has(&told.reported, &ENDS);
        let faulty = told.reported.iter().any(|word| !ENDS.contains(&word.as_str()));
        match has(&told.changed, &WRONG) {
            _ if told.launches == 0 => Self::Unreached,
            _ if has(&told.reported, &["crash"]) => Self::Alarm,
            true if faulty => Self::Reported,
            true if ended => Self::Ended,
            true => Self::Survived,
            false if faulty || ended => Self::Alarm,
            false if has(&told.changed, &["values"]) => Self::Values,
            false if has(&told.changed, &["accesses"]) => Self::Harmless,
            false => Self::Same,
        }
    }

    /// The column's name.
    pub(crate) fn name(self) -> &'static str {
        FATES.iter().find(|(fate, _)| *fate == self).map_or("", |(_, name)| name)
    }
}

/// The counts.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    fates: BTreeMap<(Kind, Fate), usize>,
    sites: BTreeMap<Kind, BTreeSet<usize>>,
    by_check: BTreeMap<String, usize>,
}

impl Tally {
    /// One more mutant, of a site of this kind.
    pub(crate) fn note(&mut self, kind: Kind, told: &Told) {
        let fate = Fate::of(told);
        *self.fates.entry((kind, fate)).or_default() += 1;
        if fate != Fate::Unreached {
            self.sites.entry(kind).or_default().insert(told.site);
        }
        if fate == Fate::Reported {
            for word in told.reported.iter().filter(|word| !ENDS.contains(&word.as_str())) {
                *self.by_check.entry(word.clone()).or_default() += 1;
            }
        }
    }

    /// Mutants of this fate.
    pub(crate) fn count(&self, fate: Fate) -> usize {
        self.fates.iter().filter(|((_, of), _)| *of == fate).map(|(_, count)| count).sum()
    }

    /// Sites that a launch reaches.
    pub(crate) fn sites(&self) -> usize {
        self.sites.values().map(BTreeSet::len).sum()
    }

    /// Of the wrong mutants, those that were found by a check, an error or a panic, in percent: what must be high.
    pub(crate) fn found(&self) -> f64 {
        let found = self.count(Fate::Reported) + self.count(Fate::Ended);
        percent(found, found + self.count(Fate::Survived))
    }

    /// Of the wrong ones that end with no error, those that a check found, in percent.
    fn found_by_checks(&self) -> f64 {
        let found = self.count(Fate::Reported);
        percent(found, found + self.count(Fate::Survived))
    }

    /// Of all that change the result, whether by wrong accesses or not, those that were found, in percent.
    fn found_of_all(&self) -> f64 {
        let found = self.count(Fate::Reported) + self.count(Fate::Ended);
        percent(found, found + self.count(Fate::Survived) + self.count(Fate::Values))
    }

    /// The tables and the rates.
    pub(crate) fn render(&self) -> String {
        let kinds: BTreeSet<Kind> = self.fates.keys().map(|(kind, _)| *kind).collect();
        let mut rows: Vec<Vec<String>> = Vec::new();
        for kind in kinds {
            let of = |fate| self.fates.get(&(kind, fate)).copied().unwrap_or(0);
            let sites = self.sites.get(&kind).map_or(0, BTreeSet::len);
            rows.push(row(kind.function(), sites, of));
        }
        rows.push(row("all", self.sites(), |fate| self.count(fate)));
        let header: Vec<&str> =
            ["site", "sites", "mutants"].into_iter().chain(FATES.iter().map(|(_, name)| *name)).collect();
        let checks: Vec<Vec<String>> =
            self.by_check.iter().map(|(check, count)| vec![check.clone(), count.to_string()]).collect();
        format!(
            "{}\nmutants that each check reports:\n{}\n\
             {:6.2} % found of the mutants that leave a tensor, meet another core, cover another part of the output, \
             read what nobody wrote, leave a copy behind or end otherwise\n\
             {:6.2} % by a check, of those that do not merely end with an error or a panic\n\
             {:6.2} % found of all that change the result, those included that read or write other elements than they \
             should, which no check can know\n",
            table::render(&header, &rows),
            table::render(&["check", "mutants"], &checks),
            self.found(),
            self.found_by_checks(),
            self.found_of_all(),
        )
    }
}

fn row(name: &str, sites: usize, of: impl Fn(Fate) -> usize) -> Vec<String> {
    let counts: Vec<usize> = FATES.iter().map(|(fate, _)| of(*fate)).collect();
    let mut row = vec![name.to_owned(), sites.to_string(), counts.iter().sum::<usize>().to_string()];
    row.extend(counts.iter().map(ToString::to_string));
    row
}

fn percent(part: usize, whole: usize) -> f64 {
    if whole == 0 { 100.0 } else { 100.0 * part as f64 / whole as f64 }
}
