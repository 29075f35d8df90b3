//! Cores that wait for what no core can see.

use neuron_device::prelude::*;

use super::launch::{Launch, launch, ramp_of};
use super::raw::fill;

pub(super) fn launches() -> Vec<Launch> {
    vec![launch(op!(waits_for_the_host), |_| ramp_of::<i32>(&[8]))]
}

/// Core 3 waits until the host changes its input, which it does not while cores run.
#[custom_op]
fn waits_for_the_host(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    fill(q7, out, 0_i32)?;
    let flag = x.elements::<i32>(q7)?;
    if q7.get_cpu_id() == 3 {
        while flag.get(0) == 0 {} //~ no_progress x read 1048576
    }
    Ok(())
}
