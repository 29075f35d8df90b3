//! A sweep by streams: the buffers are somebody else's care.

use neuron_device::prelude::*;

/// [`relu`](crate::relu::relu) of contiguous tensors, by a stream that reads and one that writes.
///
/// Each stream keeps 4 KiB of TCM, and copies when that is used up; chunk by chunk the loop runs over slices. A stream
/// takes a range of elements, such as a core's share.
///
/// # Errors
/// A tensor that is not contiguous.
///
/// ```
/// use neuron_device::op;
/// use neuron_host_sim::{HostTensor, Simulator, args};
/// let x = HostTensor::from_slice(&[2, 2], &[-1.5_f32, 2.5, -0.0, f32::NEG_INFINITY])?;
/// let report = Simulator::new()?.launch(op!(neuron_examples::relu_streamed::relu_streamed), &args![&x])?;
/// report.assert_clean();
/// assert_eq!(report.output().to_host().to_vec::<f32>()?, [0.0, 2.5, -0.0, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[custom_op]
pub fn relu_streamed(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    match_dtype!(x, f32 | f16 | bf16 | i8 | u8 | i16 | i32 | i64 as T => {
        let share = q7.partition_flat(x.numel());
        let mut src = x.read_stream_accessor::<T>(q7, share)?;
        let mut dst = out.write_stream_accessor::<T>(q7, share)?;
        let zero = T::ZERO;
        while let Some(chunk) = src.next_chunk() {
            dst.write_map(chunk, |v| if v < zero { zero } else { v });
        }
        Ok(())
    })
}
