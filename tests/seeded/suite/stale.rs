//! Local addresses used when their time is over.

use neuron_device::WINDOW_BYTES;
use neuron_device::prelude::*;

use super::launch::{Given, Launch, Missed, launch, ramp};
use super::raw::{address, fill, load_nx, store_nx};

pub(super) fn launches() -> Vec<Launch> {
    // 80 MiB, so that it has elements in five windows and more.
    let large = |sim: &mut neuron_host_sim::Simulator| sim.zeros(Dtype::F32, &[20 << 20]).unwrap();
    vec![
        launch(op!(reads_after_a_translation), |_| Given::from([ramp(&[8]).into(), ramp(&[8]).into()])),
        launch(op!(writes_after_a_translation), |_| ramp(&[8])).on(1),
        launch(op!(d19_reads_after_a_remap), large),
        launch(op!(reads_after_accessor_remaps), large),
        launch(op!(writes_after_a_remap), large),
    ]
}

/// Seeds that are not found.
pub(super) fn missed() -> Vec<Missed> {
    vec![Missed {
        launch: launch(op!(reads_the_same_number), |sim| sim.zeros(Dtype::F32, &[20 << 20]).unwrap()),
        why: "the old local address is the very number that the last translation gave, which is good",
    }]
}

/// Elements of a window.
const WINDOW: u64 = WINDOW_BYTES / 4;

/// The windows still show both, but the library on the chip promises the last translation only.
#[custom_op]
fn reads_after_a_translation(q7: &Q7, x: &Tensor, y: &Tensor, out: &mut Tensor) -> Result<()> {
    let first = q7.translate(x.storage()); //~ warning used_after_translation x translated 8
    let second = q7.translate(y.storage()); //~ warning used_after_translation x translated 8
    let value = load_nx::<f32>(q7, first); //~ warning used_after_translation x read 8
    fill(q7, out, value + load_nx::<f32>(q7, second))
}

/// The same of a write, which lands.
#[custom_op]
fn writes_after_a_translation(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    fill(q7, out, 0.0_f32)?;
    let to = q7.translate(out.storage()); //~ warning used_after_translation out translated 1
    let from = q7.translate(x.storage()); //~ warning used_after_translation out translated 1
    let value = load_nx::<f32>(q7, from);
    store_nx(q7, to, value); //~ warning used_after_translation out written 1
    Ok(())
}

/// D19: three windows later, the first shows the fourth.
#[custom_op(shape = eight)]
fn d19_reads_after_a_remap(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let old = q7.translate(address::<f32>(x, 0)); //~ used_after_remap x translated 8
    q7.translate(address::<f32>(x, WINDOW + 5));
    q7.translate(address::<f32>(x, 2 * WINDOW + 5));
    q7.translate(address::<f32>(x, 3 * WINDOW + 5)); //~ used_after_remap x remapped 8
    let value = load_nx::<f32>(q7, old); //~ used_after_remap x read 8
    fill(q7, out, value)
}

/// Accesses by index translate too.
#[custom_op(shape = eight)]
fn reads_after_accessor_remaps(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let src = x.elements::<f32>(q7)?;
    let old = q7.translate(address::<f32>(x, 0)); //~ used_after_remap x translated 8
    let sum: f32 = (1..4).map(|window| src.get(window * WINDOW)).sum(); //~ used_after_remap x remapped 8
    let value = load_nx::<f32>(q7, old); //~ used_after_remap x read 8
    fill(q7, out, value + sum)
}

/// As D19, but the last translation is of an element as far into its window.
#[custom_op(shape = eight)]
fn reads_the_same_number(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let old = q7.translate(address::<f32>(x, 0)); //~ used_after_remap x translated 8
    q7.translate(address::<f32>(x, WINDOW));
    q7.translate(address::<f32>(x, 2 * WINDOW));
    q7.translate(address::<f32>(x, 3 * WINDOW)); //~ used_after_remap x remapped 8
    let value = load_nx::<f32>(q7, old); //~ used_after_remap x read 8
    fill(q7, out, value)
}

/// What is written through an old address would land in another tensor's window; it is dropped.
#[custom_op(shape = eight)]
fn writes_after_a_remap(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let src = x.elements::<f32>(q7)?;
    let old = q7.translate(out.storage()); //~ used_after_remap out translated 8
    let sum: f32 = (0..4).map(|window| src.get(window * WINDOW)).sum(); //~ used_after_remap out remapped 8
    store_nx(q7, old, sum); //~ used_after_remap out written 8
    fill(q7, out, sum)
}

fn eight(inputs: &[TensorSpec]) -> Result<TensorSpec> {
    TensorSpec::new(inputs[0].dtype(), &[8])
}
