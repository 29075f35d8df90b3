//! Runs the seeded suite many times and compares every report with the first: `seeded-runs TIMES [faulty | clean]`.

mod suite;

use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, ensure};

use crate::suite::launch::Launch;
use crate::suite::repeat::Recorded;

/// What a part of the suite is called, and its launches.
type Part = (&'static str, fn() -> Vec<Launch>);

const PARTS: [Part; 2] = [("faulty", suite::seeds), ("clean", suite::clean)];

fn main() -> Result<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    let times =
        arguments.next().context("say how many runs of each launch: seeded-runs TIMES [faulty | clean]")?;
    let times: u64 = times.parse().with_context(|| format!("`{times}` is no number of runs"))?;
    let only = arguments.next();
    let wanted = |part: &&Part| only.as_ref().is_none_or(|only| only == part.0);
    let parts: Vec<_> = PARTS.iter().filter(wanted).collect();
    ensure!(!parts.is_empty(), "there is no part {only:?} of the suite: faulty, clean");
    // Each once, before the source is changed that has the markers.
    let recorded = parts.iter().map(|(what, launches)| Ok((what, Recorded::of(launches())?)));
    let recorded = recorded.collect::<Result<Vec<_>, String>>().map_err(|difference| anyhow!(difference))?;
    for (what, recorded) in recorded {
        let start = Instant::now();
        let runs = recorded.repeat(times).map_err(|difference| anyhow!(difference))?;
        let seconds = start.elapsed().as_secs_f64();
        println!("{what}: {} launches, {runs} runs, all alike, in {seconds:.0} s", recorded.len());
    }
    for missed in suite::missed() {
        println!("missed: {}, as {}", missed.launch.name(), missed.why);
    }
    Ok(ExitCode::SUCCESS)
}
