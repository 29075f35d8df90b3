//! A few values are kept in an array on the stack: a core has no heap. An op is not generic, but what it calls may be.

use neuron_device::prelude::*;

use crate::argmax::above;
use crate::rows::rows_and_columns;

/// `torch.topk(x, 1, dim=1).indices`: see [`top_4`].
#[custom_op(shape = places::<1>)]
pub fn top_1(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    top_k::<1>(q7, x, out)
}

/// `torch.topk(x, 4, dim=1).indices`: the columns of the four largest elements of each row, the largest first,
/// `[r, c]` to `[r, 4]` of i64, over every dtype.
///
/// NaN is larger than everything, as in [`argmax`](crate::argmax::argmax); of equal elements the first comes first
/// (torch promises no order). An op has one output: [`gather`](crate::gather::gather) gives the values.
///
/// # Errors
/// Another rank than 2; fewer than 4 columns.
///
/// ```
/// use neuron_device::op;
/// use neuron_examples::{gather, top_k};
/// use neuron_host_sim::{HostTensor, Simulator, args};
/// let x = HostTensor::from_slice(&[1, 6], &[2.0, 7.0, f32::NAN, -1.0, 7.0, 5.0])?;
/// let mut sim = Simulator::new()?;
/// let places = sim.launch(op!(top_k::top_4), &args![&x])?;
/// places.assert_clean();
/// assert_eq!(places.output().to_host().to_vec::<i64>()?, [2, 1, 4, 5]);
/// let values = sim.launch(op!(gather::gather), &args![&x, places.output()])?;
/// assert_eq!(values.output().to_host().to_vec::<f32>()?[1..], [7.0, 7.0, 5.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[custom_op(shape = places::<4>)]
pub fn top_4(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    top_k::<4>(q7, x, out)
}

/// `torch.topk(x, 8, dim=1).indices`: see [`top_4`].
#[custom_op(shape = places::<8>)]
pub fn top_8(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    top_k::<8>(q7, x, out)
}

fn top_k<const K: usize>(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    match_dtype!(x, f32 | f16 | bf16 | i8 | u8 | i16 | i32 | i64 as T => {
        let (src, dst) = (x.accessor::<T, 2>(q7)?, out.accessor_mut::<i64, 2>(q7)?);
        for row in q7.partition(src.size(0)) {
            let mut best = [(0, T::ZERO); K];
            for column in 0..src.size(1) {
                let value = src.get([row, column]);
                // The first columns find places free, the others may take one from the last.
                let found = K.min(column as usize);
                let rank = best[..found].iter().position(|&(_, other)| above(value, other)).unwrap_or(found);
                if rank < K {
                    best[rank..].rotate_right(1);
                    best[rank] = (column, value);
                }
            }
            for (rank, (column, _)) in (0..).zip(best) {
                dst.set([row, rank], column.into());
            }
        }
        Ok(())
    })
}

fn places<const K: usize>(inputs: &[TensorSpec]) -> Result<TensorSpec> {
    let [rows, columns] = rows_and_columns(&inputs[0], "x")?;
    if columns < K as u32 {
        return Err(Error::message("must have at least as many columns as the op finds").about("x"));
    }
    TensorSpec::new(Dtype::I64, &[rows, K as u32])
}
