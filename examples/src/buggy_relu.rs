//! A published mistake, and what the simulator says about it.
//!
//! The vendor's multicore ReLU sample gives every core `n / cores` elements and the last one the rest as well; then
//! every core computes its start from *its own* length. The last core's length is larger, so it starts too far, reads
//! and writes past the end, and leaves the elements before its start to nobody (`docs/cases.md`, N01). On the chip
//! nothing notices. Where the length divides, nothing is wrong.

use neuron_device::prelude::*;

/// The sample's split, with its mistake, over f32 of any sizes. Use [`relu`](crate::relu::relu) instead.
#[custom_op]
pub fn buggy_relu(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (id, count) = (u64::from(q7.get_cpu_id()), u64::from(q7.get_cpu_count()));
    let mut len = x.numel() / count;
    if id == count - 1 {
        len = x.numel() - len * (count - 1);
    }
    // The mistake: the start must be computed from the common length, not from the last core's.
    let start = id * len;
    let src = x.elements::<f32>(q7)?;
    let dst = out.elements_mut::<f32>(q7)?;
    for i in start..start + len {
        let v = src.get(i);
        dst.set(i, if v < 0.0 { 0.0 } else { v });
    }
    Ok(())
}
