//! A sweep by tiles: copy in, compute in fast memory, copy out.

use neuron_device::{Unit, Work, prelude::*};

/// Elements of a tile: 4 KiB of f32.
const TILE: u32 = 1024;

/// [`relu`](crate::relu::relu) of contiguous tensors, staged through TCM.
///
/// `tensor_to_tcm` gives the elements as a slice, which is ordinary memory: the compiler makes of the loop over it what it
/// makes of any. The tile's length is in elements, so a tile of bytes is 1 KiB and one of f32 4 KiB.
#[custom_op]
pub fn relu_staged(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    match_dtype!(x, f32 | f16 | bf16 | i8 | u8 | i16 | i32 | i64 as T => {
        let (mut buffer, zero) = (q7.tcm_malloc::<T>(TILE)?, T::ZERO);
        for tile in q7.partition_flat(x.numel()).tiles(TILE) {
            let values = x.tensor_to_tcm(q7, tile, &mut buffer)?;
            for v in values.iter_mut() {
                *v = if *v < zero { zero } else { *v };
            }
            // A simulator sees accesses, and no compute: for modelled time, a kernel may say what that is.
            q7.declare(Work::independent(Unit::VectorAlu, 8 * size_of::<T>() as u8, tile.len.into()));
            out.tcm_to_tensor(q7, tile.offset, values)?;
        }
        Ok(())
    })
}
