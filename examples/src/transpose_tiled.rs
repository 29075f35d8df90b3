//! A transposition by tiles: pieces of rows come in, pieces of columns go out.

use neuron_device::prelude::*;

use crate::rows::rows_and_columns;

/// Bytes of a tile: two fill TCM.
const TILE: u32 = 8 << 10;

/// [`transpose`](crate::transpose::transpose) by tiles in TCM, where the elements change places.
///
/// `strided_to_tcm` takes a DMA descriptor for each piece without gaps. A tile of `h` rows and `w` columns is `h` pieces
/// of `x` and becomes `w` pieces of `out`, so of all tiles with so many elements a square one takes the fewest, `1 / h +
/// 1 / w` an element. Of a matrix that is narrower, a tile has whole rows, and one descriptor brings them all; of one
/// with few rows, whole columns, which leave by one.
///
/// # Errors
/// Another rank than 2.
///
/// ```
/// use neuron_device::op;
/// use neuron_host_sim::{HostTensor, Simulator, args};
/// let x = HostTensor::from_slice(&[64, 64], &(0..4096).map(|i| i as i16).collect::<Vec<_>>())?;
/// let report = Simulator::new()?.launch(op!(neuron_examples::transpose_tiled::transpose_tiled), &args![&x])?;
/// report.assert_clean();
/// assert_eq!(report.output().to_host().to_vec::<i16>()?, x.transpose(0, 1)?.to_vec::<i16>()?);
/// // The whole matrix is one tile.
/// assert_eq!(report.total().copies.descriptors, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[custom_op(shape = columns_by_rows)]
pub fn transpose_tiled(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let [rows, columns] = rows_and_columns(&x.spec()?, x.name())?;
    match_dtype!(x, f32 | f16 | bf16 | i8 | u8 | i16 | i32 | i64 as T => {
        let tile = TILE / size_of::<T>() as u32;
        let [height, width] = sides(tile, [rows, columns]);
        let (mut lying, mut turned) = (q7.tcm_malloc::<T>(tile)?, q7.tcm_malloc::<T>(tile)?);
        let turned = turned.fill(T::ZERO);
        let across = u64::from(columns.div_ceil(width));
        for nth in q7.partition_flat(u64::from(rows.div_ceil(height)) * across) {
            let (top, left) = ((nth / across) as u32 * height, (nth % across) as u32 * width);
            let (bottom, right) = (rows.min(top.saturating_add(height)), columns.min(left.saturating_add(width)));
            let block = x.slice(0, top, bottom, 1)?.slice(1, left, right, 1)?;
            let [height, width] = [bottom - top, right - left];
            let values = block.strided_to_tcm(q7, Span { offset: 0, len: height * width }, &mut lying)?;
            let turned = &mut turned[..values.len()];
            for (column, turned) in turned.chunks_exact_mut(height as usize).enumerate() {
                for (to, &v) in turned.iter_mut().zip(values[column..].iter().step_by(width as usize)) {
                    *to = v;
                }
            }
            out.slice(0, left, right, 1)?.slice(1, top, bottom, 1)?.tcm_to_strided(q7, 0, turned)?;
        }
        Ok(())
    })
}

/// Rows and columns of a tile of at most `tile` elements that is nearest to a square within a matrix of these sizes; not
/// 0, even if there is none.
fn sides(tile: u32, [rows, columns]: [u32; 2]) -> [u32; 2] {
    let height = (tile / columns.clamp(1, tile.isqrt())).min(rows).max(1);
    [height, (tile / height).min(columns).max(1)]
}

fn columns_by_rows(inputs: &[TensorSpec]) -> Result<TensorSpec> {
    let [rows, columns] = rows_and_columns(&inputs[0], "x")?;
    TensorSpec::new(inputs[0].dtype(), &[columns, rows])
}
