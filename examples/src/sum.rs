//! Partial sums, and the host adds them up.

use neuron_device::prelude::*;

/// Parts of a tensor, each summed by one core: as many as the machine has cores.
pub const PARTS: u32 = 8;

/// Sums side by side: with one alone, each addition would wait for the one before.
const LANES: usize = 16;

/// `x.sum()` of torch in [`PARTS`] parts, over a contiguous tensor of every dtype: f32 for floats, i64 for integers.
///
/// Cores have no way to wait for each other, so none can add up what the others found. Each writes its own sums, and the
/// host adds eight numbers. Only then are they rounded to the dtype of the elements.
///
/// The parts do not depend on the number of cores, nor does the order within them. So the sum has the same bits on any
/// number, where a part a core would round differently.
///
/// # Errors
/// A tensor that is not contiguous.
///
/// ```
/// use neuron_device::{Element, bf16, op};
/// use neuron_host_sim::{HostTensor, Simulator, args};
/// let x = HostTensor::from_slice(&[70_000], &[bf16::ONE; 70_000])?;
/// let report = Simulator::new()?.launch(op!(neuron_examples::sum::sum), &args![&x])?;
/// report.assert_clean();
/// let parts = report.output().to_host().to_vec::<f32>()?;
/// assert_eq!(parts, [8750.0; 8]);
/// // The host's part:
/// let sum: bf16 = parts.iter().sum::<f32>().cast();
/// assert_eq!(sum, bf16::from_f32(70_144.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[custom_op(shape = one_a_part)]
pub fn sum(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    if x.dtype().is_float() {
        match_dtype!(x, f32 | f16 | bf16 as T => add_up::<T, f32>(q7, x, out))
    } else {
        match_dtype!(x, i8 | u8 | i16 | i32 | i64 as T => add_up::<T, i64>(q7, x, out))
    }
}

fn add_up<T: Number, A: Number>(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let parts = q7.partition_flat(PARTS.into());
    let mut sums = out.write_stream_accessor::<A>(q7, parts)?;
    for part in parts {
        let [start, end] = [part, part + 1].map(|at| x.numel() * at / u64::from(PARTS));
        let mut values = x.read_stream_accessor::<T>(q7, start..end)?;
        let mut lanes = [A::ZERO; LANES];
        while let Some(chunk) = values.next_chunk() {
            let (whole, rest) = chunk.as_chunks::<LANES>();
            whole.iter().for_each(|values| add_each(&mut lanes, values));
            add_each(&mut lanes, rest);
        }
        sums.write(lanes.into_iter().fold(A::ZERO, A::wrapping_add));
    }
    Ok(())
}

fn add_each<T: Number, A: Number>(lanes: &mut [A; LANES], values: &[T]) {
    for (lane, v) in lanes.iter_mut().zip(values) {
        *lane = lane.wrapping_add(v.cast());
    }
}

fn one_a_part(inputs: &[TensorSpec]) -> Result<TensorSpec> {
    TensorSpec::new(if inputs[0].dtype().is_float() { Dtype::F32 } else { Dtype::I64 }, &[PARTS])
}
