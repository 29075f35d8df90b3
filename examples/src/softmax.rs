//! Passes over a row: largest, sum, result, and only the last one rounds.

use neuron_device::prelude::*;

/// `x.softmax(dim=1)` of torch: `exp(x) / sum(exp(x))` along each row, over f32, f16 or bf16 and `[r, c]`.
///
/// The largest element is taken off first, so that no `exp` overflows. A NaN in a row makes all of it NaN, and so does
/// a row whose largest is infinite, of either sign: `math::max` keeps NaN, where `f32::max` would drop it. Between
/// reading and writing everything is f32. `exp` is computed twice, as a row has no place in a core's registers, and in
/// `out` it would be rounded.
///
/// # Errors
/// Another rank than 2.
///
/// ```
/// use neuron_device::op;
/// use neuron_host_sim::{HostTensor, Simulator, args};
/// let x = HostTensor::from_slice(&[2, 2], &[1000.0_f32, 1000.0, f32::NAN, 1.0])?;
/// let report = Simulator::new()?.launch(op!(neuron_examples::softmax::softmax), &args![&x])?;
/// report.assert_clean();
/// let out = report.output().to_host().to_vec::<f32>()?;
/// assert_eq!(out[..2], [0.5, 0.5]);
/// assert!(out[2].is_nan() && out[3].is_nan());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[custom_op]
pub fn softmax(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    match_dtype!(x, f32 | f16 | bf16 as T => {
        let (src, dst) = (x.accessor::<T, 2>(q7)?, out.accessor_mut::<T, 2>(q7)?);
        let columns = src.size(1);
        for row in q7.partition(src.size(0)) {
            let at = |column| src.get([row, column]).cast::<f32>();
            let largest = (0..columns).map(at).fold(f32::NEG_INFINITY, math::max);
            let power = |column| math::exp(at(column) - largest);
            let sum: f32 = (0..columns).map(power).sum();
            for column in 0..columns {
                dst.set([row, column], (power(column) / sum).cast());
            }
        }
        Ok(())
    })
}
