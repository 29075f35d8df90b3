//! A sweep by tiles: copy in, compute in fast memory, copy out.

use neuron_device::{Unit, Work, prelude::*};

/// Elements of a tile: 4 KiB of f32.
const TILE: u32 = 1024;

/// [`relu`](crate::relu::relu) of contiguous tensors, staged through TCM.
///
/// `tensor_to_tcm` gives the elements as a slice, which is ordinary memory: the compiler makes of the loop over it what it
/// makes of any. The tile's length is in elements, so a tile of bytes is 1 KiB and one of f32 4 KiB.
///
/// # Errors
/// A tensor that is not contiguous.
///
/// ```
/// use neuron_device::op;
/// use neuron_host_sim::{HostTensor, Simulator, args};
/// let x = HostTensor::from_slice(&[10_000], &(-5000..5000).collect::<Vec<i32>>())?;
/// let report = Simulator::new()?.launch(op!(neuron_examples::relu_staged::relu_staged), &args![&x])?;
/// report.assert_clean();
/// assert_eq!(report.output().to_host().to_vec::<i32>()?[4998..5003], [0, 0, 0, 1, 2]);
/// // No element was translated; each core's 1250 came in by two copies and left by two.
/// assert_eq!((report.total().loads, report.total().copies.dma_calls), (0, 8 * 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
