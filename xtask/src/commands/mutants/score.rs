//! How many mutants the tests caught, by what cargo-mutants wrote.

#[cfg(test)]
mod tests;

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;

use super::module::Module;
use crate::table;

/// Percent of a module's mutants that must be caught.
pub(super) const AT_LEAST: u32 = 90;

/// The part of `outcomes.json` that is needed here.
#[derive(Debug, Deserialize)]
struct Outcomes {
    outcomes: Vec<Tested>,
    /// Null as long as the tool works.
    end_time: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Tested {
    scenario: Scenario,
    summary: Summary,
}

#[derive(Debug, Deserialize)]
enum Scenario {
    /// The tree as it is.
    Baseline,
    /// One change to it.
    Mutant { file: String },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
enum Summary {
    Success,
    CaughtMutant,
    MissedMutant,
    Unviable,
    Failure,
    Timeout,
}

/// What became of a module's mutants.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Score {
    caught: u32,
    missed: u32,
    /// Tests that never ended. Nobody would overlook that, so they count as caught.
    timeouts: u32,
    /// Does not compile, and is left out.
    unviable: u32,
}

impl Score {
    fn count(&mut self, summary: Summary) -> Result<()> {
        *match summary {
            Summary::CaughtMutant => &mut self.caught,
            Summary::MissedMutant => &mut self.missed,
            Summary::Timeout => &mut self.timeouts,
            Summary::Unviable => &mut self.unviable,
            Summary::Success | Summary::Failure => bail!("a mutant was judged {summary:?}"),
        } += 1;
        Ok(())
    }

    const fn noticed(&self) -> u32 {
        self.caught + self.timeouts
    }

    /// Is the target met? A module without mutants meets it.
    pub(super) const fn is_enough(&self) -> bool {
        100 * self.noticed() >= AT_LEAST * (self.noticed() + self.missed)
    }
}

/// The scores of `modules`, by the text of `outcomes.json`.
pub(super) fn read(text: &str, package: &str, modules: &[Module]) -> Result<Vec<(Module, Score)>> {
    let Outcomes { outcomes, end_time } =
        serde_json::from_str(text).context("this is not what cargo-mutants writes")?;
    let mut scores: Vec<(Module, Score)> = modules.iter().map(|&module| (module, Score::default())).collect();
    for Tested { scenario, summary } in outcomes {
        match scenario {
            Scenario::Baseline => ensure!(
                summary == Summary::Success,
                "the unit tests of {package} fail without any mutant: {summary:?}"
            ),
            Scenario::Mutant { file } => {
                let belongs = |module: &Module| {
                    module.files().iter().any(|known| file == format!("{package}/src/{known}"))
                };
                let score = scores.iter_mut().find(|(module, _)| belongs(module));
                score
                    .with_context(|| format!("a mutant of {file}, which no module has"))?
                    .1
                    .count(summary)?;
            }
        }
    }
    ensure!(end_time.is_some(), "cargo-mutants did not come to its end");
    Ok(scores)
}

/// The table: module, counts, ratio, target, verdict.
pub(super) fn render(scores: &[(Module, Score)]) -> String {
    let rows: Vec<Vec<String>> = scores
        .iter()
        .map(|(module, score)| {
            let Score { caught, missed, timeouts, unviable } = *score;
            let judged = score.noticed() + missed;
            let ratio = if judged == 0 {
                "-".to_owned()
            } else {
                format!("{:.1} %", 100.0 * f64::from(score.noticed()) / f64::from(judged))
            };
            let verdict = if score.is_enough() { "met" } else { "MISSED" };
            let counts = [caught, missed, timeouts, unviable].map(|count| count.to_string());
            [
                vec![module.name().to_owned()],
                counts.to_vec(),
                vec![ratio, format!("{AT_LEAST} %"), verdict.to_owned()],
            ]
            .concat()
        })
        .collect();
    let header = ["module", "caught", "missed", "timeout", "unviable", "ratio", "at least", "verdict"];
    table::render(&header, &rows)
}
