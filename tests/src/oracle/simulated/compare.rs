//! How the simulator and the oracle differ, in words.

use std::format;
use std::string::String;
use std::vec::Vec;

use anyhow::{Result, ensure};
use neuron_host_sim::{Fault, HbmTensor, Outcome, Report};

use crate::oracle::core::Core;
use crate::oracle::finding::{Finding, sort};
use crate::oracle::pieces::TooMany;
use crate::oracle::world::World;

/// Did the cores write more pieces than they remember that are said to have done so?
pub(super) fn compare_pieces(said: &[&Fault], cores: &[Core<'_>]) -> Option<String> {
    let said: Vec<u32> = said.iter().flat_map(|fault| fault.cores.clone()).collect();
    let wrong = cores.iter().find(|core| match core.pieces.too_many() {
        TooMany::No => said.contains(&core.id),
        TooMany::Perhaps => false,
        TooMany::Yes => !core.failed && !said.contains(&core.id),
    })?;
    Some(format!(
        "the simulator says that cores {said:?} wrote too many pieces, and core {} differs",
        wrong.id
    ))
}

pub(super) fn compare_findings(report: &Report, expected: &[Finding]) -> Option<String> {
    let mut found: Vec<Finding> = report.faults().iter().map(Finding::of).collect();
    sort(&mut found);
    let only = |these: &[Finding], those: &[Finding]| {
        these
            .iter()
            .filter(|this| !those.contains(this))
            .map(|this| format!("\n  {this:?}"))
            .collect::<String>()
    };
    (found != expected).then(|| {
        format!(
            "the faults differ\n the simulator alone:{}\n the oracle alone:{}",
            only(&found, expected),
            only(expected, &found)
        )
    })
}

pub(super) fn compare_cores(report: &Report, cores: &[Core<'_>]) -> Result<Option<String>> {
    for (said, core) in report.cores().iter().zip(cores) {
        let failed = match &said.outcome {
            Outcome::Returned => false,
            Outcome::Failed(_) => true,
            other => return Ok(Some(format!("core {} {other:?}", core.id))),
        };
        let windows = said.counters.windows;
        let of = |number: fn(&neuron_device::WindowCounters) -> u64| {
            [number(&windows[0]), number(&windows[1]), number(&windows[2])]
        };
        let found = (said.counters.loads, said.counters.stores);
        let translations =
            (of(|window| window.hits), of(|window| window.misses), of(|window| window.evictions));
        let windows = &core.windows;
        let expected = (windows.hits, windows.misses, windows.evictions);
        if (failed, found, translations) != (core.failed, (core.loads, core.stores), expected) {
            return Ok(Some(format!(
                "core {} differs: the simulator has failed {failed}, loads and stores {found:?}, hits, misses and \
                 evictions {translations:?}; the oracle {}, {:?}, {expected:?}",
                core.id,
                core.failed,
                (core.loads, core.stores)
            )));
        }
    }
    ensure!(report.cores().len() == cores.len(), "other cores");
    Ok(None)
}

pub(super) fn compare_memory(world: &World, name: &str, tensor: &HbmTensor) -> Option<String> {
    let start = tensor.storage().get();
    let all = tensor.as_strided(&[tensor.storage_elems() as u32], &[1], 0).expect("all of its storage");
    let found = all.to_host().to_bytes();
    let expected = world.read(start..start + found.len() as u64);
    let at = found.iter().zip(&expected).position(|(found, expected)| found != expected)?;
    Some(format!(
        "{name} at {} differs from byte {at} on: the simulator has {:02x?}, the oracle {:02x?}",
        tensor.storage(),
        &found[at..found.len().min(at + 16)],
        &expected[at..found.len().min(at + 16)]
    ))
}
