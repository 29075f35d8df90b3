//! Ops that differ in which core does what.

use neuron_device::prelude::*;

/// `x + 1` in the returning form, this core's share cut into tiles of 5.
#[custom_op]
pub fn tiles(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    let mut result = q7.empty_like(x)?;
    let (src, dst) = (x.elements::<i32>(q7)?, result.elements_mut::<i32>(q7)?);
    for Span { offset, len } in q7.partition_flat(src.numel()).tiles(5) {
        for i in offset..offset + u64::from(len) {
            dst.set(i, src.get(i).wrapping_add(1));
        }
    }
    Ok(result)
}

/// `x + 2` in the returning form, in eight rounds over the cores: as many separate pieces a core as it may write.
#[custom_op]
pub fn rounds(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    const ROUNDS: u64 = 8;
    let mut result = q7.empty_like(x)?;
    let (src, dst) = (x.elements::<i64>(q7)?, result.elements_mut::<i64>(q7)?);
    let (id, count) = (u64::from(q7.get_cpu_id()), u64::from(q7.get_cpu_count()));
    let len = src.numel().div_ceil(ROUNDS * count);
    for round in 0..ROUNDS {
        let start = (round * count + id) * len;
        for i in start..(start + len).min(src.numel()) {
            dst.set(i, src.get(i).wrapping_add(2));
        }
    }
    Ok(result)
}

/// `x * x`, shared out by the ceiling split.
#[custom_op]
pub fn ceiling(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    for i in q7.partition_ceil(src.numel()) {
        let v = src.get(i);
        dst.set(i, v * v);
    }
    Ok(())
}

/// `x / 3`, shared out in whole tiles of 16; what a core does with an element shows how long its tile is.
#[custom_op]
pub fn whole_tiles(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    for span in q7.partition_tiles(src.numel(), 16) {
        for i in span.offset..span.offset + u64::from(span.len) {
            dst.set(i, src.get(i) / 3.0 + span.len as f32);
        }
    }
    Ok(())
}

/// Which core wrote an element, and how many there are: `100 * get_cpu_count() + get_cpu_id()`.
#[custom_op(shape = as_i32)]
pub fn who(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let dst = out.elements_mut::<i32>(q7)?;
    for i in q7.partition_flat(x.numel()) {
        dst.set(i, (100 * q7.get_cpu_count() + q7.get_cpu_id()) as i32);
    }
    Ok(())
}

fn as_i32(inputs: &[TensorSpec]) -> Result<TensorSpec> {
    TensorSpec::new(Dtype::I32, inputs[0].sizes())
}
