//! The words of a fault of each verdict, as an author reads them. Changed by `cargo xtask bless` alone.

use std::fmt::Write as _;

use neuron_host_sim::Verdict;

use crate::suite::launch::Machines;
use crate::suite::seeds;

#[test]
fn a_fault_of_each_verdict() {
    let mut text = String::new();
    for verdict in Verdict::ALL {
        // The first seed that has one, on machines nobody used, so that addresses do not depend on the other seeds.
        let found = seeds().iter().find_map(|seed| {
            let report = seed.run(&mut Machines::on_threads(1));
            report.faults().iter().find(|fault| fault.verdict == verdict).map(ToString::to_string)
        });
        let found = found.unwrap_or_else(|| panic!("no seed of {verdict:?}"));
        writeln!(text, "== {}\n{found}", verdict.name()).unwrap();
    }
    insta::assert_snapshot!(text);
}
