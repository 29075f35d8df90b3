//! Accesses outside a tensor by local address.

use neuron_device::prelude::*;

use super::launch::{Launch, launch, ramp};
use super::layouts;
use super::raw::{address, fill, further, load_nx, share, store_nx};

pub(super) fn launches() -> Vec<Launch> {
    vec![
        launch(op!(local_reads_past), |_| ramp(&[17])),
        launch(op!(local_reads_before), layouts::from_one),
        launch(op!(local_reads_a_gap), layouts::every_second),
        launch(op!(local_reads_the_neighbour), layouts::pages),
        launch(op!(local_reads_no_tensor), |_| ramp(&[8])),
        launch(op!(local_writes_past), layouts::in_the_middle),
        launch(op!(local_writes_before), layouts::in_the_middle),
        launch(op!(local_writes_a_gap), layouts::with_gaps),
        launch(op!(local_writes_past_scratch), |_| ramp(&[8])),
        launch(op!(local_reads_a_half), |_| ramp(&[8])),
        launch(op!(local_writes_two_as_one), |_| ramp(&[8])),
    ]
}

/// The last core reads behind the last element.
#[custom_op]
fn local_reads_past(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let dst = out.elements_mut::<f32>(q7)?;
    for i in share(q7, x) {
        let here = q7.translate(address::<f32>(x, i));
        dst.set(i, load_nx(q7, further(here, 4))); //~ past_the_end x read 1
    }
    Ok(())
}

/// `x` begins at the second element of its storage.
#[custom_op]
fn local_reads_before(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let first = q7.translate(address::<f32>(x, 1));
    let before = load_nx::<f32>(q7, further(first, -4)); //~ before_the_start x read 8
    fill(q7, out, before)
}

/// The stride of `x`, 2, is forgotten.
#[custom_op]
fn local_reads_a_gap(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let first = q7.translate(address::<f32>(x, 0));
    let second = load_nx::<f32>(q7, further(first, 4)); //~ in_a_gap x read 8
    fill(q7, out, second)
}

/// A page behind the start of `x` begins `y`; the address was translated for `x`.
#[custom_op]
fn local_reads_the_neighbour(q7: &Q7, x: &Tensor, y: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = y;
    let first = q7.translate(address::<f32>(x, 0));
    let behind = load_nx::<f32>(q7, further(first, 4096)); //~ in_another_tensor x read 8
    fill(q7, out, behind)
}

/// A megabyte from `x` there is nothing of this launch.
#[custom_op]
fn local_reads_no_tensor(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let stray = q7.translate(address::<f32>(x, 1 << 18));
    let stray = load_nx::<f32>(q7, stray); //~ in_no_tensor - read 8
    fill(q7, out, stray)
}

/// Behind the last element of the output.
#[custom_op]
fn local_writes_past(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    fill(q7, out, 0.0_f32)?;
    let last = q7.translate(address::<f32>(out, 4 + x.numel() - 1));
    store_nx(q7, further(last, 4), 1.0_f32); //~ past_the_end out written 8
    Ok(())
}

/// Before the first element of the output.
#[custom_op]
fn local_writes_before(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    fill(q7, out, 0.0_f32)?;
    let first = q7.translate(address::<f32>(out, 4));
    store_nx(q7, further(first, -4), 1.0_f32); //~ before_the_start out written 8
    Ok(())
}

/// Between the first two elements of the output.
#[custom_op]
fn local_writes_a_gap(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    fill(q7, out, 0.0_f32)?;
    let first = q7.translate(address::<f32>(out, 0));
    store_nx(q7, further(first, 4), 1.0_f32); //~ in_a_gap out written 8
    Ok(())
}

/// Behind a tensor on the core's scratch.
#[custom_op]
fn local_writes_past_scratch(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let scratch = q7.empty_like(x)?;
    let first = q7.translate(scratch.storage());
    store_nx(q7, further(first, 4 * 8), 1.0_f32); //~ past_the_end scratch written 8
    fill(q7, out, 0.0_f32)
}

/// The lower half of the first element.
#[custom_op]
fn local_reads_a_half(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let first = q7.translate(x.storage());
    let half = load_nx::<i16>(q7, first); //~ other_width x read 8
    fill(q7, out, f32::from(half))
}

/// The first two elements of the output at once.
#[custom_op]
fn local_writes_two_as_one(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    fill(q7, out, 0.0_f32)?;
    let first = q7.translate(out.storage());
    store_nx(q7, first, 0_i64); //~ other_width out written 8
    Ok(())
}
