//! [`Launch`]: ordinary inputs of an op, and what it does with them when nothing is changed.

use std::collections::BTreeMap;
use std::vec::Vec;

use anyhow::{Context, Result, ensure};
use neuron_examples::STAGED;

use super::seen::{Checked, Seen};
use super::trace::{Memory, Traces};
use crate::compare::{Laid, SETTINGS, Trial, Value, place, trials};

/// Launches an op is given, at most.
const LAUNCHES: usize = 12;

/// Elements of a launch's largest tensor, at most: mutants are many.
const ELEMENTS: usize = 700;

/// Elements beyond which each core has several tiles to stage, or buffers of a stream.
const TILES: usize = super::seen::CORES as usize * 1024;

/// A launch without a mutant.
pub(super) struct Launch {
    pub(super) trial: Trial,
    /// The same for flat memory.
    pub(super) case: Vec<u8>,
    /// The sites its kernel reaches, rising.
    pub(super) sites: Vec<usize>,
    /// What its cores do.
    pub(super) traces: Traces,
}

/// Of every op, or the one called `only`, a sample of its clean launches in the tables, from the first to the last one;
/// of an op that has none of moderate size, the smallest. An op that stages has one more, of several tiles a core: some
/// expressions are of what comes after the first.
///
/// # Errors
/// A launch that cannot be made, or that is clean by one account and not by the other.
pub(super) fn launches(
    checked: &mut Checked,
    memory: &mut Memory,
    only: Option<&str>,
) -> Result<Vec<Launch>> {
    let mut by_op: BTreeMap<(&str, &str), Vec<Trial>> = BTreeMap::new();
    // The one example that is wrong on purpose has no place here.
    let names = |name| name != "buggy_relu" && only.is_none_or(|only| only == name);
    for trial in trials().into_iter().filter(|trial| names(trial.op.name()) && is_whole(trial)) {
        by_op.entry((trial.library.name(), trial.op.name())).or_default().push(trial);
    }
    let mut launches = Vec::new();
    for ((library, _), trials) in by_op {
        let mut is_clean = |trial: &Trial| checked.launch(trial) == Seen::default();
        let (moderate, mut others): (Vec<_>, Vec<_>) =
            trials.into_iter().partition(|trial| (2..=ELEMENTS).contains(&elements(trial)));
        let chosen: Vec<Trial> = moderate.into_iter().filter(&mut is_clean).collect();
        let least = if library == STAGED.name() { TILES } else { ELEMENTS };
        others.retain(|trial| elements(trial) > least);
        others.sort_by_key(elements);
        let wants_large = chosen.is_empty() || library == STAGED.name();
        let large = wants_large.then(|| others.into_iter().find(is_clean)).flatten();
        let step = chosen.len().div_ceil(LAUNCHES).max(1);
        for trial in chosen.into_iter().step_by(step).chain(large) {
            let stamp = launches.len() as u64 + 1;
            let case = place(&trial, &SETTINGS[0], stamp).with_context(|| trial.name())?;
            neuron_mutant::reached().for_each(drop);
            let traces = memory.play(&case)?;
            let sites = neuron_mutant::reached().collect();
            ensure!(traces.are_clean(), "{} has faults on flat memory", trial.name());
            launches.push(Launch { trial, case, sites, traces });
        }
    }
    Ok(launches)
}

fn tensors(trial: &Trial) -> impl Iterator<Item = &Laid> {
    let inputs = trial.arguments.iter().filter_map(|argument| match argument {
        Value::Tensor(tensor) => Some(tensor),
        Value::Scalar(_) => None,
    });
    inputs.chain([&trial.output])
}

/// Has flat memory all of its tensors? Another element than the last one would be outside it.
fn is_whole(trial: &Trial) -> bool {
    tensors(trial).all(|tensor| !tensor.is_partial())
}

/// Elements of the largest tensor's storage.
fn elements(trial: &Trial) -> usize {
    tensors(trial).map(|tensor| tensor.bytes().len() / tensor.dtype().size() as usize).max().unwrap_or(0)
}
