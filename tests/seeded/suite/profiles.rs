//! What the `Documented` profile does not allow of kernels that are right on the machine that was observed.

use neuron_device::prelude::*;
use neuron_host_sim::Profile;

use super::launch::{Launch, launch, ramp, ramp_of};
use super::raw::load_nx;

pub(super) fn launches() -> Vec<Launch> {
    let all = vec![
        launch(op!(n03_accessors), |_| ramp(&[64])),
        launch(op!(streams), |_| ramp(&[64])),
        launch(op!(returned), |_| ramp(&[64])),
        launch(op!(made), |_| ramp(&[64])),
        launch(op!(made_of_i64), |_| ramp(&[64])).on(1),
        launch(op!(of_i64), |_| ramp_of::<i64>(&[64])).on(8),
        launch(op!(old_address), |_| ramp(&[8])).on(8),
    ];
    all.into_iter().map(|launch| launch.under(Profile::Documented)).collect()
}

/// N03: by element on eight cores.
#[custom_op]
fn n03_accessors(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let src = x.elements::<f32>(q7)?; //~ not_documented x handle 8
    let dst = out.elements_mut::<f32>(q7)?; //~ not_documented out handle 8
    q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, src.get(i)));
    Ok(())
}

/// A stream keeps elements in TCM, and is no staging all the same.
#[custom_op]
fn streams(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let share = q7.partition_flat(x.numel());
    let mut src = x.read_stream_accessor::<f32>(q7, share.start()..share.end())?; //~ not_documented x handle 8
    let mut dst = out.write_stream_accessor::<f32>(q7, share.start()..share.end())?; //~ not_documented out handle 8
    src.by_ref().for_each(|value| dst.write(value));
    Ok(())
}

/// A tensor that is made by every core and returned.
#[custom_op]
fn returned(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    let mut made = q7.empty_like(x)?; //~ not_documented scratch allocated 8; not_documented result nowhere 1
    let mut buffer = q7.tcm_malloc::<f32>(8)?;
    for tile in q7.partition_flat(x.numel()).tiles(8) {
        let values = x.tensor_to_tcm(q7, tile, &mut buffer)?;
        made.tcm_to_tensor(q7, tile.offset, values)?;
    }
    Ok(made)
}

/// A tensor that is made by every core for itself.
#[custom_op]
fn made(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let zeros = q7.zeros(Dtype::F32, &[8])?; //~ not_documented scratch allocated 8
    let mut buffer = q7.tcm_malloc::<f32>(8)?;
    for tile in q7.partition_flat(x.numel()).tiles(8) {
        let values = zeros.tensor_to_tcm(q7, Span { offset: 0, len: tile.len }, &mut buffer)?;
        out.tcm_to_tensor(q7, tile.offset, values)?;
    }
    Ok(())
}

/// On one core a tensor may be made, and get_cpu_count is 8 there: this one does not ask.
#[custom_op]
fn made_of_i64(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    q7.zeros(Dtype::I64, &[8])?; //~ warning not_documented scratch allocated 1
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    (0..x.numel()).for_each(|i| dst.set(i, src.get(i)));
    Ok(())
}

/// Both tensors are of i64.
#[custom_op]
fn of_i64(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut buffer = q7.tcm_malloc::<i64>(8)?; //~ warning not_documented x nowhere 1; warning not_documented out nowhere 1
    for tile in q7.partition_flat(x.numel()).tiles(8) {
        let values = x.tensor_to_tcm(q7, tile, &mut buffer)?;
        out.tcm_to_tensor(q7, tile.offset, values)?;
    }
    Ok(())
}

/// The window still shows both.
#[custom_op]
fn old_address(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let old = q7.translate(x.storage()); //~ used_after_translation x translated 8
    q7.translate(x.storage().checked_add(4).unwrap()); //~ used_after_translation x translated 8
    let value = load_nx::<f32>(q7, old); //~ used_after_translation x read 8
    let mut buffer = q7.tcm_malloc::<f32>(1)?;
    for i in q7.partition_flat(x.numel()) {
        out.tcm_to_tensor(q7, i, buffer.fill(value))?;
    }
    Ok(())
}
