//! The suite again and again, on different numbers of host threads: nothing may differ.

use neuron_host_sim::Report;

use super::launch::{Launch, Machines};
use super::marker::judge;

/// Numbers of host threads a launch must not depend on.
const THREADS: [usize; 3] = [1, 2, 8];

/// Launches and what each must give every time.
pub(crate) struct Recorded {
    launches: Vec<Launch>,
    /// Text, JSON and the output's bytes.
    firsts: Vec<[String; 3]>,
}

impl Recorded {
    /// The launches, each run once.
    ///
    /// # Errors
    /// A report that is not what the kernel's lines say.
    pub(crate) fn of(launches: Vec<Launch>) -> Result<Self, String> {
        let mut machines = Machines::on_threads(1);
        let first = |launch: &Launch| {
            let report = launch.run(&mut machines);
            judge(&report).map(|()| everything(&report))
        };
        let firsts = launches.iter().map(first).collect::<Result<_, _>>()?;
        Ok(Self { launches, firsts })
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.launches.len()
    }

    /// Run every launch `times` times on 1, 2 and 8 host threads: how many runs that were.
    ///
    /// # Errors
    /// A launch of which a report differs from the first.
    pub(crate) fn repeat(&self, times: u64) -> Result<u64, String> {
        let mut runs = 0;
        for (threads, mut machines) in THREADS.map(|threads| (threads, Machines::on_threads(threads))) {
            for (launch, first) in self.launches.iter().zip(&self.firsts) {
                for run in 0..times {
                    let again = everything(&launch.run(&mut machines));
                    let parts = first.iter().zip(&again);
                    if let Some((first, again)) = parts.into_iter().find(|(first, again)| first != again) {
                        return Err(format!(
                            "{}: run {run} on {threads} threads differs\n{first}\nthen\n{again}",
                            launch.name()
                        ));
                    }
                    runs += 1;
                }
            }
        }
        Ok(runs)
    }
}

fn everything(report: &Report) -> [String; 3] {
    let output = format!("{:x?}", report.output().to_host().to_bytes());
    [report.to_string(), report.to_json().to_string(), output]
}
