//! Runs the seeded suite many times and compares every report with the first: `seeded-runs TIMES`.

mod suite;

use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, anyhow};

fn main() -> Result<ExitCode> {
    let times = std::env::args().nth(1).context("say how many runs of each launch: seeded-runs TIMES")?;
    let times: u64 = times.parse().with_context(|| format!("`{times}` is no number of runs"))?;
    for (what, launches) in [("faulty", suite::seeds()), ("clean", suite::clean())] {
        let start = Instant::now();
        let runs = suite::repeat(&launches, times).map_err(|difference| anyhow!(difference))?;
        let seconds = start.elapsed().as_secs_f64();
        println!("{what}: {} launches, {runs} runs, all alike, in {seconds:.0} s", launches.len());
    }
    for missed in suite::missed() {
        println!("missed: {}, as {}", missed.launch.name(), missed.why);
    }
    Ok(ExitCode::SUCCESS)
}
