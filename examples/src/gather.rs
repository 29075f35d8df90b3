//! Positions that come as data are checked before they are used.

use neuron_device::prelude::*;

use crate::rows::rows_and_columns;

/// `torch.gather(x, 1, index)`: `out[i, j] = x[i, index[i, j]]`, for `x` of every dtype and `index` of i32 or i64.
///
/// A shape function sees no values, so only the kernel can look. A core that meets an index outside `x`, or a negative
/// one, stops with an error that names it; the other cores, which see other indices, end as they would. Both tensors
/// have rank 2; `index` may have fewer rows than `x`.
///
/// # Errors
/// Another rank; more rows in `index` than in `x`; an index that is no column of `x`.
///
/// ```
/// use neuron_device::op;
/// use neuron_host_sim::{HostTensor, Simulator, args};
/// let x = HostTensor::from_slice(&[2, 3], &[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// let gather = op!(neuron_examples::gather::gather);
/// let mut sim = Simulator::new()?;
///
/// let index = HostTensor::from_slice(&[2, 2], &[2_i64, 0, 1, 1])?;
/// let report = sim.launch(gather, &args![&x, &index])?;
/// report.assert_clean();
/// assert_eq!(report.output().to_host().to_vec::<f32>()?, [3.0, 1.0, 5.0, 5.0]);
///
/// let index = HostTensor::from_slice(&[2, 2], &[2_i64, 0, 1, -1])?;
/// let text = sim.launch(gather, &args![&x, &index])?.to_string();
/// assert!(text.contains("core 1 returned an error: `index` holds -1 at [1, 1], but an index into 3 "), "{text}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[custom_op(shape = like_index)]
pub fn gather(q7: &Q7, x: &Tensor, index: &Tensor, out: &mut Tensor) -> Result<()> {
    match_dtype!(x, f32 | f16 | bf16 | i8 | u8 | i16 | i32 | i64 as T => {
        match_dtype!(index, i32 | i64 as I => pick::<T, I>(q7, x, index, out))
    })
}

fn pick<T: Element, I: Element>(q7: &Q7, x: &Tensor, index: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, places) = (x.accessor::<T, 2>(q7)?, index.accessor::<I, 2>(q7)?);
    let dst = out.accessor_mut::<T, 2>(q7)?;
    for row in q7.partition(dst.size(0)) {
        for nth in 0..dst.size(1) {
            let place = places.get([row, nth]).cast::<i64>();
            match u32::try_from(place) {
                Ok(column) if column < src.size(1) => dst.set([row, nth], src.get([row, column])),
                _ => return Err(Error::out_of_range(&[row, nth], place, src.size(1)).about("index")),
            }
        }
    }
    Ok(())
}

fn like_index(inputs: &[TensorSpec]) -> Result<TensorSpec> {
    let ([rows, _], sizes) = (rows_and_columns(&inputs[0], "x")?, rows_and_columns(&inputs[1], "index")?);
    if sizes[0] > rows {
        return Err(Error::message("must not have more rows than `x`").about("index"));
    }
    TensorSpec::new(inputs[0].dtype(), &sizes)
}
