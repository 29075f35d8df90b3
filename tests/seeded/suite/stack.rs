//! Kernels that need more stack than there is.

use std::hint::black_box;

use neuron_device::prelude::*;

use super::launch::{Launch, launch, ramp_of};
use super::raw::fill;

pub(super) fn launches() -> Vec<Launch> {
    vec![launch(op!(recurses), |_| ramp_of::<i32>(&[8]))]
}

/// Core 3 calls itself without an end.
#[custom_op] //~ host
fn recurses(q7: &Q7, _x: &Tensor, out: &mut Tensor) -> Result<()> {
    fill(q7, out, 0_i32)?;
    if q7.get_cpu_id() == 3 {
        out.elements_mut::<i32>(q7)?.set(3, deeper(0)); //~ stack_overflow stack stack@host 1
    }
    Ok(())
}

#[inline(never)]
fn deeper(depth: i32) -> i32 {
    if black_box(depth) < 0 { 0 } else { black_box(deeper(depth.wrapping_add(1))) + 1 }
}
