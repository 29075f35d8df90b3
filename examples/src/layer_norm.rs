//! Tensors of different rank in one kernel.

use neuron_device::prelude::*;

/// `torch.nn.functional.layer_norm(x, [c], weight, bias, eps)`: each row less its mean, over the root of its variance
/// and `eps`, times `weight`, plus `bias`, over f32, f16 or bf16.
///
/// `x` and `out` are `[r, c]`, `weight` and `bias` `[c]`, all of one dtype: every row meets the same `weight`, so it
/// has an accessor of rank 1 beside that of rank 2. Everything in between is f32. The variance is that of the row itself,
/// divided by `c`, and from a second pass: the mean of the squares less the square of the mean would lose the digits in
/// which the two differ.
///
/// # Errors
/// Another rank than 2; other sizes in `weight` or `bias`.
///
/// ```
/// use neuron_device::op;
/// use neuron_host_sim::{HostTensor, Simulator, args};
/// let x = HostTensor::from_slice(&[1, 4], &[1.0_f32, 5.0, 5.0, 1.0])?;
/// let (weight, bias) = (HostTensor::scalar(3.0_f32).expand(&[4])?, HostTensor::scalar(0.5_f32).expand(&[4])?);
/// let layer_norm = op!(neuron_examples::layer_norm::layer_norm);
/// let report = Simulator::new()?.launch(layer_norm, &args![&x, &weight, &bias, 0.0_f32])?;
/// report.assert_clean();
/// assert_eq!(report.output().to_host().to_vec::<f32>()?, [-2.5, 3.5, 3.5, -2.5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[custom_op]
pub fn layer_norm(
    q7: &Q7,
    x: &Tensor,
    weight: &Tensor,
    bias: &Tensor,
    eps: f32,
    out: &mut Tensor,
) -> Result<()> {
    match_dtype!(x, f32 | f16 | bf16 as T => {
        let (src, dst) = (x.accessor::<T, 2>(q7)?, out.accessor_mut::<T, 2>(q7)?);
        let columns = src.size(1);
        weight.expect_sizes(&[columns])?;
        bias.expect_sizes(&[columns])?;
        let (weights, biases) = (weight.accessor::<T, 1>(q7)?, bias.accessor::<T, 1>(q7)?);
        for row in q7.partition(src.size(0)) {
            let at = |column| src.get([row, column]).cast::<f32>();
            let mean = (0..columns).map(at).sum::<f32>() / columns as f32;
            let squares = (0..columns).map(|column| (at(column) - mean) * (at(column) - mean));
            let scale = 1.0 / math::sqrt(squares.sum::<f32>() / columns as f32 + eps);
            for column in 0..columns {
                let [weight, bias] = [&weights, &biases].map(|of| of.get([column]).cast::<f32>());
                dst.set([row, column], ((at(column) - mean) * scale * weight + bias).cast());
            }
        }
        Ok(())
    })
}
