//! An op that hands back, byte by byte, everything it was passed.

use neuron_device::prelude::*;

/// Bytes each value takes in the output: those of its type, then zeros.
pub const VALUE_BYTES: u64 = 8;

/// Values the op takes.
pub const VALUES: u64 = 5;

/// The elements of three tensors, each in the order of its indices, then five values: as they lie in HBM, bit for bit.
#[custom_op(shape = packed_shape)]
#[expect(clippy::too_many_arguments, reason = "one of every sort")]
pub fn pack(
    q7: &Q7,
    a: &Tensor,
    s: Scalar,
    b: &Tensor,
    t: Scalar,
    i: i32,
    f: f32,
    c: &Tensor,
    l: i64,
    out: &mut Tensor,
) -> Result<()> {
    let mut start = 0;
    for tensor in [a, b, c] {
        match_dtype!(tensor, i8 | u8 | i16 | bf16 | f16 | i32 | f32 | i64 as T => put::<T>(q7, tensor, out, start))?;
        start += tensor.numel() * tensor.dtype().size();
    }
    let dst = out.elements_mut::<u8>(q7)?;
    for (nth, value) in [s, t, i.into(), f.into(), l.into()].into_iter().enumerate() {
        // Each value by one core.
        if nth as u32 % q7.get_cpu_count() == q7.get_cpu_id() {
            let at = start + VALUE_BYTES * nth as u64;
            (at..).zip(value.to_bytes().0).for_each(|(at, byte)| dst.set(at, byte));
        }
    }
    Ok(())
}

fn put<T: Element>(q7: &Q7, tensor: &Tensor, out: &mut Tensor, start: u64) -> Result<()>
where
    Scalar: From<T>,
{
    let (src, dst) = (tensor.elements::<T>(q7)?, out.elements_mut::<u8>(q7)?);
    let bytes = T::DTYPE.size();
    for i in q7.partition_flat(src.numel()) {
        let value = Scalar::from(src.get(i)).to_bytes().0;
        (start + i * bytes..).zip(&value[..bytes as usize]).for_each(|(at, &byte)| dst.set(at, byte));
    }
    Ok(())
}

/// So many bytes.
fn packed_shape(inputs: &[TensorSpec]) -> Result<TensorSpec> {
    let bytes: u64 = inputs.iter().map(|input| input.numel() * input.dtype().size()).sum();
    let bytes = u32::try_from(bytes + VALUES * VALUE_BYTES);
    TensorSpec::new(Dtype::U8, &[bytes.map_err(|_| Error::message("have too many bytes together"))?])
}
