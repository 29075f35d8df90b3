//! Two buffers for one tensor: the next tile arrives while the core works on this one.

use neuron_device::{Unit, Work, prelude::*};

/// Elements of a tile: five tiles of f32 fit in TCM.
const TILE: u32 = 512;

/// [`vector_add`](crate::vector_add::vector_add) of contiguous tensors, staged through TCM and double-buffered.
///
/// `tensor_to_tcm_async` takes the buffer away, so nobody can touch it while the copy is under way, and `wait` gives it
/// back with its elements. Each round waits for its tiles, has the next two copied into the buffers that are free, adds,
/// and sends the sums off; the sums of the round before have left by then, and their buffer is free for the next one.
///
/// An error between two copies would leave one of them behind that nobody waits for. So what can be refused is refused
/// before the first one begins.
///
/// # Errors
/// A tensor that is not contiguous, or not of f32; other sizes in `y`.
///
/// ```
/// use neuron_device::op;
/// use neuron_host_sim::{HostTensor, Simulator, args};
/// let x = HostTensor::from_slice(&[5000], &[1.0_f32; 5000])?;
/// let y = HostTensor::from_slice(&[5000], &[2.0_f32; 5000])?;
/// let vector_add = op!(neuron_examples::vector_add_staged::vector_add_staged);
/// let report = Simulator::new()?.launch(vector_add, &args![&x, &y, 0.5_f32])?;
/// report.assert_clean();
/// assert_eq!(report.output().to_host().to_vec::<f32>()?, [2.0; 5000]);
/// // Each core's 625 elements are two tiles: three tensors, two copies each.
/// assert_eq!(report.total().copies.dma_calls, 8 * 3 * 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[custom_op]
pub fn vector_add_staged(q7: &Q7, x: &Tensor, y: &Tensor, alpha: f32, out: &mut Tensor) -> Result<()> {
    y.expect_sizes(x.sizes())?;
    for tensor in [x, y, out] {
        tensor.expect_dtype(Dtype::F32)?;
        tensor.expect_contiguous()?;
    }
    let mut tiles = q7.partition_flat(x.numel()).tiles(TILE);
    let Some(first) = tiles.next() else { return Ok(()) };
    let room = || -> Result<_> { Ok([q7.tcm_malloc::<f32>(TILE)?, q7.tcm_malloc(TILE)?]) };
    let fetch = |tile, [xs, ys]: [_; 2]| -> Result<_> {
        Ok((tile, [x.tensor_to_tcm_async(q7, tile, xs)?, y.tensor_to_tcm_async(q7, tile, ys)?]))
    };
    let mut free = room()?;
    let mut coming = Some(fetch(first, room()?)?);
    let mut leaving = None;
    while let Some((tile, copies)) = coming {
        let [mut xs, ys] = copies.map(|copy| copy.wait());
        coming = tiles.next().map(|next| fetch(next, free)).transpose()?;
        for (x, y) in xs.iter_mut().zip(&*ys) {
            *x += alpha * y;
        }
        // In modelled time the copies that are under way overlap with it.
        q7.declare(Work::independent(Unit::VectorFma, 32, tile.len.into()));
        let sums = out.tcm_to_tensor_async(q7, tile.offset, xs)?;
        let left = leaving.replace(sums).map(|copy| copy.wait().into_buf());
        free = [left.map_or_else(|| q7.tcm_malloc(TILE), Ok)?, ys.into_buf()];
    }
    leaving.map(|copy| copy.wait());
    Ok(())
}
