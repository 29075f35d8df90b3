//! Whole rows in a tile, and what to do with a row that is longer.

use neuron_device::prelude::*;

use crate::rows::{TILE, rows_and_columns, whole_rows};

/// [`softmax`](crate::softmax::softmax) of contiguous tensors, staged through TCM; the same bits.
///
/// A copy takes about as long for a short row as for a tile, so as many rows come at once as a tile holds. They are in
/// TCM then, and every pass over them is a loop over a slice; `exp` is computed once, as its results have a place too.
///
/// A row that is longer than a tile is read three times, by streams, whose iterators go through the same formulas.
///
/// # Errors
/// Another rank than 2; a tensor that is not contiguous.
///
/// ```
/// use neuron_device::op;
/// use neuron_host_sim::{HostTensor, Simulator, args};
/// let softmax = op!(neuron_examples::softmax_staged::softmax_staged);
/// let mut sim = Simulator::new()?;
///
/// let report = sim.launch(softmax, &args![&HostTensor::from_slice(&[3, 2], &[0.5_f32; 6])?])?;
/// report.assert_clean();
/// assert_eq!(report.output().to_host().to_vec::<f32>()?, [0.5; 6]);
///
/// let report = sim.launch(softmax, &args![&HostTensor::from_slice(&[1, 4096], &[7.0_f32; 4096])?])?;
/// report.assert_clean();
/// assert_eq!(report.output().to_host().to_vec::<f32>()?, [1.0 / 4096.0; 4096]);
/// assert_eq!(report.total().copies.bytes_in, 3 * 4 * 4096);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[custom_op]
pub fn softmax_staged(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let [rows, columns] = rows_and_columns(&x.spec()?, x.name())?;
    match_dtype!(x, f32 | f16 | bf16 as T => if columns <= TILE {
        short_rows::<T>(q7, x, out, [rows, columns])
    } else {
        long_rows::<T>(q7, x, out, [rows, columns])
    })
}

fn short_rows<T: Number>(q7: &Q7, x: &Tensor, out: &mut Tensor, sizes: [u32; 2]) -> Result<()> {
    let (mut tile, mut powers) = (q7.tcm_malloc::<T>(TILE)?, q7.tcm_malloc::<f32>(TILE)?);
    for span in whole_rows(q7, sizes) {
        let rows = x.tensor_to_tcm(q7, span, &mut tile)?;
        for row in rows.chunks_exact_mut(sizes[1] as usize) {
            let largest = row.iter().map(|v| v.cast()).fold(f32::NEG_INFINITY, math::max);
            let powers = powers.write_from(row.iter().map(|v| math::exp(v.cast::<f32>() - largest)));
            let sum: f32 = powers.iter().sum();
            for (v, power) in row.iter_mut().zip(powers) {
                *v = (*power / sum).cast();
            }
        }
        out.tcm_to_tensor(q7, span.offset, rows)?;
    }
    Ok(())
}

fn long_rows<T: Number>(q7: &Q7, x: &Tensor, out: &mut Tensor, [rows, columns]: [u32; 2]) -> Result<()> {
    for row in q7.partition(rows) {
        let start = u64::from(row) * u64::from(columns);
        let range = start..start + u64::from(columns);
        let values = || Ok(x.read_stream_accessor::<T>(q7, range.clone())?.map(|v| v.cast::<f32>()));
        let largest = values()?.fold(f32::NEG_INFINITY, math::max);
        let power = |v| math::exp(v - largest);
        let sum: f32 = values()?.map(power).sum();
        let mut results = out.write_stream_accessor::<T>(q7, range.clone())?;
        results.write_from(values()?.map(|v| (power(v) / sum).cast()));
    }
    Ok(())
}
