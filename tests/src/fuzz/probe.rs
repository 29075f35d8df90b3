//! The kernel that records are launched with: it touches little of each tensor, in every way.

use neuron_device::prelude::*;

/// Tensors and values of every sort; the output has eight elements, whatever they are.
#[custom_op(shape = eight)]
#[expect(clippy::too_many_arguments, reason = "one of every sort")]
pub(super) fn probe(
    q7: &Q7,
    x: &Tensor,
    count: i32,
    factor: f32,
    long: i64,
    y: &Tensor,
    alpha: Scalar,
    out: &mut Tensor,
) -> Result<()> {
    let mut sum = i64::from(count) ^ long ^ i64::from(factor.to_bits()) ^ alpha.to::<i64>();
    sum ^= alpha.checked_to::<i32>().map_or(0, i64::from);
    for tensor in [x, y] {
        let read =
            match_dtype!(tensor, i8 | u8 | i16 | bf16 | f16 | i32 | f32 | i64 as T => read::<T>(q7, tensor));
        sum ^= read?;
    }
    let dst = out.elements_mut::<i64>(q7)?;
    for i in q7.partition_flat(dst.numel()) {
        dst.set(i, sum);
    }
    Ok(())
}

fn eight(_: &[TensorSpec]) -> Result<TensorSpec> {
    TensorSpec::new(Dtype::I64, &[8])
}

/// Some elements of a tensor, and of views of it.
fn read<T: Element>(q7: &Q7, tensor: &Tensor) -> Result<i64> {
    let (src, numel) = (tensor.elements::<T>(q7)?, tensor.numel());
    let mut sum = 0;
    for i in [0, numel / 2, numel.wrapping_sub(1)] {
        if i < numel {
            sum ^= src.get(i).cast::<i64>();
        }
    }
    if tensor.dim() > 1 {
        let turned = tensor.transpose(0, 1)?;
        sum ^= i64::from(turned.size(0));
    }
    if tensor.dim() > 0 && tensor.size(0) > 0 {
        sum ^= tensor.narrow(0, tensor.size(0) - 1, 1)?.numel() as i64;
    }
    if tensor.is_contiguous() {
        let few = numel.min(8);
        let mut buffer = q7.tcm_malloc::<T>(8)?;
        if few > 0 {
            let copied =
                tensor.tensor_to_tcm(q7, Span { offset: numel - few, len: few as u32 }, &mut buffer)?;
            sum ^= copied.iter().fold(0, |sum, value| sum ^ value.cast::<i64>());
        }
        sum ^= tensor.read_stream_accessor::<T>(q7, ..few)?.fold(0, |sum, value| sum ^ value.cast::<i64>());
    }
    Ok(sum)
}
