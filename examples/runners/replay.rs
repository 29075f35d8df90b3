//! Runs a saved launch of one of this package's ops again: what `cargo xtask replay` calls.

use std::process::ExitCode;

fn main() -> ExitCode {
    neuron_host_sim::replay::main(neuron_examples::LIBRARIES)
}
