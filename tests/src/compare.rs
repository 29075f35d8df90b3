//! The comparison: every op over tables of shapes and values, in the simulator and on flat memory, here and on the
//! 32-bit core.

mod difference;
mod flat_memory;
mod identity;
mod image;
mod laid;
mod placement;
mod setting;
mod shape;
mod simulated;
mod summary;
#[cfg(test)]
mod tests;
mod trial;
mod trials;
mod values;

use std::string::String;
use std::vec::Vec;

use anyhow::{Context, Result};

pub use self::difference::{Strictness, difference};
pub use self::flat_memory::FlatMemory;
pub use self::identity::refuses_wrong_images;
pub use self::image::Image;
pub use self::laid::Laid;
pub use self::placement::place;
pub use self::setting::{SETTINGS, Setting};
pub use self::simulated::{Simulators, launch};
pub use self::summary::Summary;
pub use self::trial::{Trial, Value};
pub use self::trials::trials;
use crate::reply::Reply;

/// A trial in a setting: what the simulator makes of it, or why it makes nothing of it, and the case to be run.
#[derive(Debug)]
pub struct Prepared<'t> {
    /// The trial.
    pub trial: &'t Trial,
    /// Its setting.
    pub setting: Setting,
    /// What is right.
    pub expected: Result<Reply, String>,
    /// What the image is sent.
    pub case: Vec<u8>,
}

/// Launch every trial in the simulator, in every setting it allows.
///
/// # Errors
/// A simulator or a case that cannot be made: a mistake of the tables.
pub fn prepare(trials: &[Trial]) -> Result<Vec<Prepared<'_>>> {
    let mut simulators = Simulators::new()?;
    let mut prepared = Vec::new();
    for trial in trials {
        for setting in SETTINGS.into_iter().filter(|setting| trial.allows(setting.cores)) {
            let expected = simulators.launch(trial, setting.cores);
            // A stamp is a launch's own.
            let case = place(trial, &setting, prepared.len() as u64 + 1)
                .with_context(|| std::format!("{} cannot be a case", trial.name()))?;
            prepared.push(Prepared { trial, setting, expected, case });
        }
    }
    Ok(prepared)
}

/// Run every case on flat memory in this process and on `image`, and compare with the simulator's.
///
/// # Errors
/// An image that cannot be started at all.
pub fn run(prepared: &[Prepared<'_>], image: &Image) -> Result<Summary> {
    let cases: Vec<&[u8]> = prepared.iter().map(|prepared| prepared.case.as_slice()).collect();
    let found = image.run(&cases)?;
    let mut memory = FlatMemory::zeroed();
    let mut summary = Summary::default();
    for (prepared, found) in prepared.iter().zip(&found) {
        let here = memory.run(&prepared.case);
        summary.note(prepared, judge(prepared, &here, found));
    }
    Ok(summary)
}

/// What is wrong with a case, if anything.
fn judge(
    prepared: &Prepared<'_>,
    here: &Result<Reply, String>,
    found: &Result<Reply, String>,
) -> Option<String> {
    let dtype = prepared.trial.output.dtype();
    let said = |who: &str, reply: &Result<Reply, String>| {
        reply.clone().map_err(|error| std::format!("{who}: {error}"))
    };
    let compared = || {
        let expected = said("simulator", &prepared.expected)?;
        let here = said("flat memory of this process", here)?;
        let found = said("image", found)?;
        let of = |who: &str, difference: Option<String>| match difference {
            Some(difference) => Err(std::format!("{who}: {difference}")),
            None => Ok(()),
        };
        of("simulator to flat memory", difference(dtype, &expected, &here, Strictness::Results))?;
        of("this processor to the image's", difference(dtype, &here, &found, Strictness::Everything))?;
        // Equal to what is equal to the simulator's, but NaNs make that less than obvious.
        of("simulator to image", difference(dtype, &expected, &found, Strictness::Results))
    };
    compared().err()
}
