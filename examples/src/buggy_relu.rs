//! A published mistake, and what the simulator says about it.
//!
//! The vendor's multicore ReLU sample gives every core `n / cores` elements and the last one the rest as well; then
//! every core computes its start from *its own* length. The last core's length is larger, so it starts too far, copies
//! from and to places past the end, and leaves the elements before its start to nobody (`docs/cases.md`, N01). On the
//! chip nothing notices. Where the length divides, nothing is wrong.

use neuron_device::prelude::*;

/// Elements of a tile, the sample's.
const TILE: u32 = 1024;

/// The sample as published, with its mistake, over a contiguous tensor of f32, staged through TCM. Use
/// [`relu_staged`](crate::relu_staged::relu_staged) instead.
#[custom_op]
pub fn buggy_relu(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (id, count) = (u64::from(q7.get_cpu_id()), u64::from(q7.get_cpu_count()));
    let mut len = x.numel() / count;
    if id == count - 1 {
        len = x.numel() - len * (count - 1);
    }
    // The mistake: the start must be computed from the common length, not from the last core's.
    let start = id * len;
    let mut buffer = q7.tcm_malloc::<f32>(TILE)?;
    for at in (0..len).step_by(TILE as usize) {
        let tile = Span { offset: start + at, len: (len - at).min(TILE.into()) as u32 };
        let values = x.tensor_to_tcm(q7, tile, &mut buffer)?;
        for v in values.iter_mut() {
            *v = if *v < 0.0 { 0.0 } else { *v };
        }
        out.tcm_to_tensor(q7, tile.offset, values)?;
    }
    Ok(())
}
