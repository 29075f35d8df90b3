//! Tensors made by the factories of a core, copied to the output by its share.

use neuron_device::prelude::*;

/// What `q7.full` makes of `value`, of the dtype and the sizes of `x`.
#[custom_op]
pub fn full(q7: &Q7, x: &Tensor, value: Scalar, out: &mut Tensor) -> Result<()> {
    let made = q7.full(x.dtype(), x.sizes(), value)?;
    copied(q7, &made, out)
}

/// Elements of `q7.zeros` and of `q7.ones` in turns, of the dtype and the sizes of `x`.
#[custom_op]
pub fn zeros_and_ones(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let made = [q7.zeros(x.dtype(), x.sizes())?, q7.ones(x.dtype(), x.sizes())?];
    match_dtype!(x, i8 | u8 | i16 | bf16 | f16 | i32 | f32 | i64 as T => {
        let [zeros, ones] = [made[0].elements::<T>(q7)?, made[1].elements::<T>(q7)?];
        let dst = out.elements_mut::<T>(q7)?;
        for i in q7.partition_flat(dst.numel()) {
            dst.set(i, if i % 2 == 0 { zeros.get(i) } else { ones.get(i) });
        }
        Ok(())
    })
}

/// What `q7.eye` makes of the rows and columns of `x`.
#[custom_op]
pub fn eye(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let &[n, m] = x.sizes() else { return Err(Error::message("must have rows and columns").about("x")) };
    let made = q7.eye(x.dtype(), n, m)?;
    copied(q7, &made, out)
}

/// What `q7.full` makes where TCM has room for `room` bytes only.
#[custom_op]
pub fn full_in_a_corner(q7: &Q7, x: &Tensor, room: i32, out: &mut Tensor) -> Result<()> {
    // Blocks begin at multiples of 64 bytes.
    let taken = q7.tcm_largest_free() - room as u32;
    let kept = q7.tcm_malloc::<u8>(taken)?;
    let made = q7.full(x.dtype(), x.sizes(), 3)?;
    drop(kept);
    copied(q7, &made, out)
}

fn copied(q7: &Q7, made: &Tensor, out: &mut Tensor) -> Result<()> {
    match_dtype!(made, i8 | u8 | i16 | bf16 | f16 | i32 | f32 | i64 as T => {
        let (src, dst) = (made.elements::<T>(q7)?, out.elements_mut::<T>(q7)?);
        q7.partition_flat(dst.numel()).into_iter().for_each(|i| dst.set(i, src.get(i)));
        Ok(())
    })
}
