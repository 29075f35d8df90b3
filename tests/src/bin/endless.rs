//! A launch that never ends: what the watchdog is for, which ends the process.

use std::time::Duration;

use neuron_device::prelude::*;
use neuron_host_sim::{HostTensor, Simulator, args};

/// Core 1 goes round for ever and accesses nothing.
#[custom_op]
fn endless(q7: &Q7, _x: &Tensor, _out: &mut Tensor) -> Result<()> {
    while q7.get_cpu_id() == 1 {
        std::hint::spin_loop();
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut simulator = Simulator::builder().cores(3).watchdog(Duration::from_millis(100)).build()?;
    let report = simulator.launch(op!(endless), &args![&HostTensor::scalar(1.0_f32)])?;
    println!("{report}");
    Ok(())
}
