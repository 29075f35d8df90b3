//! A comparison must say what it thinks of NaN.

use neuron_device::prelude::*;

use crate::rows::rows_and_columns;

/// `x.argmax(dim=1)` of torch: the column of the largest element of each row, `[r, c]` to `[r]` of i64, over every
/// dtype.
///
/// Of equal elements it is the first. NaN is larger than everything, so the first NaN of a row is its largest; with
/// `value > largest` alone, which is false of NaN on either side, it would depend on where the NaN stands.
///
/// # Errors
/// Another rank than 2; no columns, as nothing is the largest of nothing.
///
/// ```
/// use neuron_device::op;
/// use neuron_host_sim::{HostTensor, Simulator, args};
/// let x = HostTensor::from_slice(&[3, 3], &[3.0, 1.0, 3.0, 1.0, f32::NAN, 3.0, f32::NAN, 6.0, 8.0])?;
/// let report = Simulator::new()?.launch(op!(neuron_examples::argmax::argmax), &args![&x])?;
/// report.assert_clean();
/// assert_eq!(report.output().to_host().to_vec::<i64>()?, [0, 1, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[custom_op(shape = one_column_a_row)]
pub fn argmax(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    match_dtype!(x, f32 | f16 | bf16 | i8 | u8 | i16 | i32 | i64 as T => {
        let (src, dst) = (x.accessor::<T, 2>(q7)?, out.accessor_mut::<i64, 1>(q7)?);
        for row in q7.partition(src.size(0)) {
            let (mut place, mut largest) = (0, src.get([row, 0]));
            for column in 1..src.size(1) {
                let value = src.get([row, column]);
                if above(value, largest) {
                    (place, largest) = (column, value);
                }
            }
            dst.set([row], place.into());
        }
        Ok(())
    })
}

/// Is `a` larger than `b`, if NaN is larger than everything else?
pub(crate) fn above<T: Number>(a: T, b: T) -> bool {
    let is_nan = |x: T| x.partial_cmp(&x).is_none();
    a > b || (is_nan(a) && !is_nan(b))
}

fn one_column_a_row(inputs: &[TensorSpec]) -> Result<TensorSpec> {
    match rows_and_columns(&inputs[0], "x")? {
        [_, 0] => Err(Error::message("must have columns: nothing is the largest of nothing").about("x")),
        [rows, _] => TensorSpec::new(Dtype::I64, &[rows]),
    }
}
