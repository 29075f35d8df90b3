//! A view is another way to count; a copy moves the elements.

use neuron_device::prelude::*;

use crate::rows::rows_and_columns;

/// `x.t().contiguous()` of torch: `[r, c]` to `[c, r]`, over every dtype.
///
/// `x.transpose(0, 1)` is a view: two sizes and two strides change places, and no element is read. Whoever launches can
/// make it as well and save the op: every kernel here takes any strides. What takes time is to write the elements in
/// their new order, and each core does so for its share of the new rows.
///
/// The output is not like `x`, so the op has a shape function. The host asks it before the launch: by its answer the
/// output is made or judged, and what it refuses no kernel sees.
///
/// # Errors
/// Another rank than 2.
///
/// ```
/// use neuron_device::op;
/// use neuron_host_sim::{HostTensor, Simulator, args};
/// let x = HostTensor::from_slice(&[2, 3], &[1_i8, 2, 3, 4, 5, 6])?;
/// let report = Simulator::new()?.launch(op!(neuron_examples::transpose::transpose), &args![&x])?;
/// report.assert_clean();
/// assert_eq!(report.output().sizes(), [3, 2]);
/// assert_eq!(report.output().to_host().to_vec::<i8>()?, [1, 4, 2, 5, 3, 6]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[custom_op(shape = columns_by_rows)]
pub fn transpose(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let turned = x.transpose(0, 1)?;
    match_dtype!(x, f32 | f16 | bf16 | i8 | u8 | i16 | i32 | i64 as T => {
        let (src, dst) = (turned.accessor::<T, 2>(q7)?, out.accessor_mut::<T, 2>(q7)?);
        for row in q7.partition(dst.size(0)) {
            for column in 0..dst.size(1) {
                dst.set([row, column], src.get([row, column]));
            }
        }
        Ok(())
    })
}

fn columns_by_rows(inputs: &[TensorSpec]) -> Result<TensorSpec> {
    let [rows, columns] = rows_and_columns(&inputs[0], "x")?;
    TensorSpec::new(inputs[0].dtype(), &[columns, rows])
}
