//! A sum is kept in a wider type than the elements have.

use neuron_device::prelude::*;

use crate::rows::rows_and_columns;

/// `x.sum(dim=1)` of torch: `[r, c]` to `[r]`, over every dtype. A row is one core's work.
///
/// f16 counts ones up to 2048 and bf16 up to 256, where one more is rounded away. So floats are added in f32, and
/// rounded once to their own dtype. Integers are added in i64, and stay so. The sum of no columns is 0.
///
/// A tensor of more dimensions is reshaped to rows by whoever launches, `x.reshape(&[rows, columns])`: if it is
/// contiguous that is a view, without a copy.
///
/// # Errors
/// Another rank than 2.
///
/// ```
/// use neuron_device::{bf16, op};
/// use neuron_host_sim::{HostTensor, Simulator, args};
/// let row_sum = op!(neuron_examples::row_sum::row_sum);
/// let mut sim = Simulator::new()?;
///
/// let report = sim.launch(row_sum, &args![&HostTensor::from_slice(&[2, 512], &[bf16::ONE; 1024])?])?;
/// report.assert_clean();
/// assert_eq!(report.output().to_host().to_vec::<bf16>()?, [bf16::from_f32(512.0); 2]);
///
/// let report = sim.launch(row_sum, &args![&HostTensor::from_slice(&[1, 2], &[i32::MAX; 2])?])?;
/// assert_eq!(report.output().to_host().to_vec::<i64>()?, [4_294_967_294]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[custom_op(shape = one_a_row)]
pub fn row_sum(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    if x.dtype().is_float() {
        match_dtype!(x, f32 | f16 | bf16 as T => add_up::<T, f32, T>(q7, x, out))
    } else {
        match_dtype!(x, i8 | u8 | i16 | i32 | i64 as T => add_up::<T, i64, i64>(q7, x, out))
    }
}

/// From elements `T`, by way of `A`, to sums `S`.
fn add_up<T: Number, A: Number, S: Number>(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.accessor::<T, 2>(q7)?, out.accessor_mut::<S, 1>(q7)?);
    for row in q7.partition(src.size(0)) {
        let mut sum = A::ZERO;
        for column in 0..src.size(1) {
            sum = sum.wrapping_add(src.get([row, column]).cast());
        }
        dst.set([row], sum.cast());
    }
    Ok(())
}

fn one_a_row(inputs: &[TensorSpec]) -> Result<TensorSpec> {
    let [rows, _] = rows_and_columns(&inputs[0], "x")?;
    TensorSpec::new(sum_dtype(inputs[0].dtype()), &[rows])
}

/// The dtype torch gives sums of elements of this one.
pub(crate) fn sum_dtype(elements: Dtype) -> Dtype {
    if elements.is_float() { elements } else { Dtype::I64 }
}
