//! The machine a runner runs on.

use std::time::Duration;

use neuron_host_sim::{Simulator, SimulatorError};

/// Eight cores, every check on; a kernel in an endless loop is named after a minute.
pub(crate) fn simulator() -> Result<Simulator, SimulatorError> {
    Simulator::builder().watchdog(Duration::from_secs(60)).build()
}
