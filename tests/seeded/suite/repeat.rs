//! The suite again and again, on different numbers of host threads: nothing may differ.

use neuron_host_sim::Report;

use super::launch::{Launch, Machines};
use super::marker::judge;

/// Numbers of host threads a launch must not depend on.
const THREADS: [usize; 3] = [1, 2, 8];

/// Run every launch `times` times on 1, 2 and 8 host threads. The answer is the
/// number of runs.
///
/// # Errors
/// A launch whose first report is not what its kernel's lines say, or of which a later one differs.
pub(crate) fn repeat(launches: &[Launch], times: u64) -> Result<u64, String> {
    let mut machines = THREADS.map(Machines::on_threads);
    let mut runs = 0;
    for launch in launches {
        let first = {
            // Dropped here: where a tensor lies, which reports say, depends on what else is kept.
            let report = launch.run(&mut machines[0]);
            judge(&report)?;
            everything(&report)
        };
        for (machines, threads) in machines.iter_mut().zip(THREADS) {
            for run in 0..times {
                let again = everything(&launch.run(machines));
                runs += 1;
                if let Some((first, again)) = first.iter().zip(&again).find(|(first, again)| first != again) {
                    let name = launch.name();
                    return Err(format!(
                        "{name}: run {run} on {threads} threads differs\n{first}\nthen\n{again}"
                    ));
                }
            }
        }
    }
    Ok(runs)
}

/// Text, JSON and the output's bytes.
fn everything(report: &Report) -> [String; 3] {
    let output = format!("{:x?}", report.output().to_host().to_bytes());
    [report.to_string(), report.to_json().to_string(), output]
}
