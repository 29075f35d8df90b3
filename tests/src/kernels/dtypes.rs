//! Ops over tensors of each of the 8 dtypes.

use neuron_device::prelude::*;

/// `x`, bit for bit.
#[custom_op]
pub fn copy(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    match_dtype!(x, i8 | u8 | i16 | bf16 | f16 | i32 | f32 | i64 as T => map(q7, x, out, |value: T| value))
}

/// `-x`; the smallest integer stays.
#[custom_op]
pub fn negate(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    match_dtype!(x, i8 | u8 | i16 | bf16 | f16 | i32 | f32 | i64 as T => map(q7, x, out, T::wrapping_neg))
}

fn map<T: Element>(q7: &Q7, x: &Tensor, out: &mut Tensor, function: impl Fn(T) -> T) -> Result<()> {
    let (src, dst) = (x.elements::<T>(q7)?, out.elements_mut::<T>(q7)?);
    for i in q7.partition_flat(src.numel()) {
        dst.set(i, function(src.get(i)));
    }
    Ok(())
}
