//! Seeds that stage, under the circumstances that must not matter.

use std::collections::BTreeSet;

use neuron_host_sim::DmaTiming;

use crate::suite::launch::Machines;
use crate::suite::marker::{judge, marked};
use crate::suite::{clean, seeds};

fn at(timing: DmaTiming) -> Machines {
    Machines::new(move |builder| builder.host_threads(1).dma_timing(timing).build().unwrap())
}

/// A fault does not wait until the engine is slow, and what is right does not depend on its being fast.
#[test]
fn copies_at_the_wait_change_no_fault() {
    let mut machines = at(DmaTiming::AtWait);
    let judged = |launch: &crate::suite::launch::Launch| judge(&launch.run(&mut machines)).err();
    let wrong: Vec<String> = seeds().iter().chain(&clean()).filter_map(judged).collect();
    assert!(wrong.is_empty(), "{} launches:\n\n{}", wrong.len(), wrong.join("\n\n"));
}

/// D02, D04, D07 to D11, D14, D28, S16, as far as one core can do it: what is marked for eight is found on one.
#[test]
fn d_and_s_rows_are_found_on_one_core() {
    // What takes two cores, and what they leave out if there is one.
    const SHARED: [&str; 4] =
        ["written_by_several_cores", "written_and_read", "lost_in_a_line", "never_written"];
    let is_row = |name: &str| {
        let id = name.split('_').next().unwrap_or_default();
        id.len() == 3 && id.starts_with(['d', 's']) && id[1..].bytes().all(|byte| byte.is_ascii_digit())
    };
    let mut rows = 0;
    for timing in [DmaTiming::AtOnce, DmaTiming::AtWait] {
        let mut machines = at(timing);
        for seed in seeds().into_iter().filter(|seed| is_row(seed.op.name())) {
            let is_own = |verdict: &String| !SHARED.contains(&verdict.as_str());
            let wanted = marked(seed.op).into_iter().map(|told| told.verdict);
            let wanted: BTreeSet<String> = wanted.filter(is_own).collect();
            let report = seed.on(1).run(&mut machines);
            let found = report.faults().iter().map(|fault| fault.verdict.name().to_owned());
            let found: BTreeSet<String> = found.filter(is_own).collect();
            assert_eq!(wanted, found, "{report}");
            rows += 1;
        }
    }
    assert!(rows >= 2 * 10, "{rows}");
}
