//! The tables: every op with the shapes and values it is tried with.

mod dtypes;
mod elementwise;
mod factories;
mod floats;
mod giants;
mod mathematics;
mod refusals;
mod rows;
mod staged;
mod ways;

use std::string::String;
use std::vec::Vec;

use neuron_device::Library;

use super::laid::Laid;
use super::trial::{Trial, Value};

/// Every trial, the ops in the order of their libraries.
pub fn trials() -> Vec<Trial> {
    let mut all = [
        floats::trials(),
        elementwise::trials(),
        rows::trials(),
        staged::trials(),
        dtypes::trials(),
        factories::trials(),
        mathematics::trials(),
        ways::trials(),
        giants::trials(),
        refusals::trials(),
    ]
    .concat();
    let place = |trial: &Trial| {
        let ops = crate::kernels::libraries().flat_map(|library| library.ops());
        ops.enumerate().find(|(_, op)| std::ptr::eq(**op, trial.op)).map(|(at, _)| at)
    };
    // Stable, so an op's own trials stay in the order they were made.
    all.sort_by_key(place);
    all
}

/// Makes a trial of a named op.
///
/// # Panics
/// If there is no op of this name.
fn trial(
    library: &'static Library,
    name: &str,
    label: impl Into<String>,
    arguments: impl Into<Vec<Value>>,
    output: Laid,
) -> Trial {
    let op = library.op(name).expect("a table names an op of the library");
    Trial { library, op, label: label.into(), arguments: arguments.into(), output, one_core: false }
}
