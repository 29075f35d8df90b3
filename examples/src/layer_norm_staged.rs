//! What every row needs is copied once.

use neuron_device::prelude::*;

use crate::rows::{TILE, rows_and_columns, whole_rows};

/// [`layer_norm`](crate::layer_norm::layer_norm) of contiguous tensors, staged through TCM; the same bits.
///
/// `weight` and `bias` stay in TCM while the rows come and go, so they are copied once a core, and by a core that has
/// rows only. Rows that are longer than a tile go by streams, and so do `weight` and `bias`, anew for each of them. Where
/// the elements come from makes no difference to `mean_and_scale`: it takes what gives an iterator over them.
///
/// # Errors
/// Another rank than 2; other sizes in `weight` or `bias`; a tensor that is not contiguous.
///
/// ```
/// use neuron_device::op;
/// use neuron_host_sim::{HostTensor, Simulator, args};
/// let x = HostTensor::from_slice(&[2, 4], &[1.0_f32, 5.0, 5.0, 1.0, 7.0, 7.0, 7.0, 7.0])?;
/// let (weight, bias) = (HostTensor::from_slice(&[4], &[3.0_f32; 4])?, HostTensor::from_slice(&[4], &[0.5_f32; 4])?);
/// let layer_norm = op!(neuron_examples::layer_norm_staged::layer_norm_staged);
/// let report = Simulator::new()?.launch(layer_norm, &args![&x, &weight, &bias, 1.0e-5_f32])?;
/// report.assert_clean();
/// assert_eq!(report.output().to_host().to_vec::<f32>()?[4..], [0.5; 4]);
/// // Two cores have a row each: `x`, `weight`, `bias` and `out`.
/// assert_eq!(report.total().copies.dma_calls, 2 * 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[custom_op]
pub fn layer_norm_staged(
    q7: &Q7,
    x: &Tensor,
    weight: &Tensor,
    bias: &Tensor,
    eps: f32,
    out: &mut Tensor,
) -> Result<()> {
    let sizes = rows_and_columns(&x.spec()?, x.name())?;
    weight.expect_sizes(&sizes[1..])?;
    bias.expect_sizes(&sizes[1..])?;
    match_dtype!(x, f32 | f16 | bf16 as T => if sizes[1] <= TILE {
        short_rows::<T>(q7, x, [weight, bias], eps, out, sizes)
    } else {
        long_rows::<T>(q7, x, [weight, bias], eps, out, sizes)
    })
}

fn short_rows<T: Number>(
    q7: &Q7,
    x: &Tensor,
    [weight, bias]: [&Tensor; 2],
    eps: f32,
    out: &mut Tensor,
    sizes: [u32; 2],
) -> Result<()> {
    let mut tiles = whole_rows(q7, sizes).peekable();
    if tiles.peek().is_none() {
        return Ok(());
    }
    let room = || q7.tcm_malloc::<T>(TILE);
    let (mut tile, mut weights, mut biases) = (room()?, room()?, room()?);
    let all = Span { offset: 0, len: sizes[1] };
    let weights = weight.tensor_to_tcm(q7, all, &mut weights)?;
    let biases = bias.tensor_to_tcm(q7, all, &mut biases)?;
    for span in tiles {
        let rows = x.tensor_to_tcm(q7, span, &mut tile)?;
        for row in rows.chunks_exact_mut(sizes[1] as usize) {
            let [mean, scale] = mean_and_scale(|| Ok(row.iter().copied()), sizes[1], eps)?;
            for (v, (&weight, &bias)) in row.iter_mut().zip(weights.iter().zip(&*biases)) {
                *v = normed(*v, mean, scale, weight, bias);
            }
        }
        out.tcm_to_tensor(q7, span.offset, rows)?;
    }
    Ok(())
}

fn long_rows<T: Number>(
    q7: &Q7,
    x: &Tensor,
    [weight, bias]: [&Tensor; 2],
    eps: f32,
    out: &mut Tensor,
    [rows, columns]: [u32; 2],
) -> Result<()> {
    for row in q7.partition(rows) {
        let start = u64::from(row) * u64::from(columns);
        let range = start..start + u64::from(columns);
        let values = || x.read_stream_accessor::<T>(q7, range.clone());
        let [mean, scale] = mean_and_scale(values, columns, eps)?;
        let weights = weight.read_stream_accessor::<T>(q7, ..)?;
        let biases = bias.read_stream_accessor::<T>(q7, ..)?;
        let mut results = out.write_stream_accessor::<T>(q7, range.clone())?;
        let elements = values()?.zip(weights.zip(biases));
        results.write_from(elements.map(|(v, (weight, bias))| normed(v, mean, scale, weight, bias)));
    }
    Ok(())
}

/// What to take off each element of a row, and what to multiply it by then.
fn mean_and_scale<T: Number, I: Iterator<Item = T>>(
    row: impl Fn() -> Result<I>,
    columns: u32,
    eps: f32,
) -> Result<[f32; 2]> {
    let mean = row()?.map(|v| v.cast::<f32>()).sum::<f32>() / columns as f32;
    let squares = row()?.map(|v| (v.cast::<f32>() - mean) * (v.cast::<f32>() - mean));
    Ok([mean, 1.0 / math::sqrt(squares.sum::<f32>() / columns as f32 + eps)])
}

fn normed<T: Number>(v: T, mean: f32, scale: f32, weight: T, bias: T) -> T {
    ((v.cast::<f32>() - mean) * scale * weight.cast::<f32>() + bias.cast::<f32>()).cast()
}
