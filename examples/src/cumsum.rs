//! A scan: what a core found so far stays in its registers.

use neuron_device::prelude::*;

use crate::row_sum::sum_dtype;
use crate::rows::rows_and_columns;

/// `x.cumsum(dim=1)` of torch: each element of a row with all before it, over every dtype and `[r, c]`. A row is one
/// core's work: an element needs the one before.
///
/// The sum so far is kept in f32, or i64 for integers, as in [`row_sum`](crate::row_sum::row_sum); what is written is
/// rounded, and not read again, or bf16 would stop counting at 256. (torch on a CPU keeps that of f32 in f64, which
/// these cores have not: long rows of f32 differ in the last digits.)
///
/// # Errors
/// Another rank than 2.
///
/// ```
/// use neuron_device::op;
/// use neuron_host_sim::{HostTensor, Simulator, args};
/// let x = HostTensor::from_slice(&[2, 3], &[100_u8, 100, 100, 1, 2, 3])?;
/// let report = Simulator::new()?.launch(op!(neuron_examples::cumsum::cumsum), &args![&x])?;
/// report.assert_clean();
/// assert_eq!(report.output().to_host().to_vec::<i64>()?, [100, 200, 300, 1, 3, 6]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[custom_op(shape = one_an_element)]
pub fn cumsum(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    if x.dtype().is_float() {
        match_dtype!(x, f32 | f16 | bf16 as T => scan::<T, f32, T>(q7, x, out))
    } else {
        match_dtype!(x, i8 | u8 | i16 | i32 | i64 as T => scan::<T, i64, i64>(q7, x, out))
    }
}

/// From elements `T`, by way of `A`, to sums `S`.
fn scan<T: Number, A: Number, S: Number>(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.accessor::<T, 2>(q7)?, out.accessor_mut::<S, 2>(q7)?);
    for row in q7.partition(src.size(0)) {
        let mut sum = A::ZERO;
        for column in 0..src.size(1) {
            sum = sum.wrapping_add(src.get([row, column]).cast());
            dst.set([row, column], sum.cast());
        }
    }
    Ok(())
}

fn one_an_element(inputs: &[TensorSpec]) -> Result<TensorSpec> {
    let sizes = rows_and_columns(&inputs[0], "x")?;
    TensorSpec::new(sum_dtype(inputs[0].dtype()), &sizes)
}
