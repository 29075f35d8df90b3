//! Tensors that are views: of one storage, with gaps, repeated, across the edge of a window, made in the kernel.

use neuron_device::WINDOW_BYTES;
use neuron_device::prelude::*;
use neuron_host_sim::Simulator;

use super::super::launch::{Given, Launch, launch, ramp, ramp_of};
use super::super::raw::share;

pub(super) fn launches() -> Vec<Launch> {
    vec![
        launch(op!(sum), |_| {
            let all = ramp(&[10, 8]);
            Given::from([all.narrow(0, 0, 6).unwrap().into(), all.narrow(0, 4, 6).unwrap().into()])
        })
        .labelled("of two views that overlap"),
        launch(op!(sum), |_| {
            let all = ramp(&[8, 8]);
            Given::from([all.clone().into(), all.transpose(0, 1).unwrap().into()])
        })
        .labelled("with itself, turned"),
        launch(op!(sum), |_| {
            let row = ramp(&[1, 8]);
            Given::from([row.expand(&[5, 8]).unwrap().into(), ramp(&[5, 8]).into()])
        })
        .labelled("with a row repeated"),
        launch(op!(sum), |sim| {
            // Rows of one storage: one is read, another written.
            let all = sim.upload(&ramp(&[6, 8])).unwrap();
            let rows = |from: u32| all.narrow(0, from, 2).unwrap();
            Given::from([rows(0).into(), rows(2).into()]).into_output(rows(4))
        })
        .labelled("of parts of the output's storage"),
        launch(op!(sum), |sim| {
            let out = sim.empty(Dtype::F32, &[9, 20]).unwrap().slice(1, 1, 20, 5).unwrap();
            Given::from([ramp(&[9, 4]).into(), ramp(&[9, 4]).into()]).into_output(out)
        })
        .labelled("into every fifth column"),
        launch(op!(sum), |sim| {
            let out = sim.zeros(Dtype::F32, &[4, 9]).unwrap().transpose(0, 1).unwrap();
            Given::from([ramp(&[9, 4]).into(), ramp(&[9, 4]).into()]).into_output(out)
        })
        .labelled("into a transposed output"),
        launch(op!(sum), |_| Given::from([ramp(&[2; 8]).into(), ramp(&[2; 8]).into()]))
            .labelled("of eight dimensions"),
        launch(op!(halves_apart), |_| ramp_of::<i32>(&[30])),
        launch(op!(row_by_row), |_| ramp_of::<i32>(&[9, 5])),
        launch(op!(doubled), across_the_edge).labelled("across the edge of a window"),
        launch(op!(doubled), |sim| Given::from(ramp_of::<i32>(&[30])).into_output(edge(sim)))
            .labelled("into the edge of a window"),
        launch(op!(four_windows), |sim| sim.zeros(Dtype::I32, &[16 << 20]).unwrap()).on(2),
    ]
}

/// 30 elements of which the first are in one window and the last in the next.
fn edge(sim: &mut Simulator) -> neuron_host_sim::HbmTensor {
    let all = sim.zeros(Dtype::I32, &[8 << 20]).unwrap();
    let before = (WINDOW_BYTES - all.storage().window_offset()) / 4;
    all.narrow(0, before as u32 - 13, 30).unwrap()
}

fn across_the_edge(sim: &mut Simulator) -> neuron_host_sim::HbmTensor {
    let x = edge(sim);
    x.copy_from(&ramp_of::<i32>(&[30])).unwrap();
    x
}

#[custom_op]
fn sum(q7: &Q7, x: &Tensor, y: &Tensor, out: &mut Tensor) -> Result<()> {
    let (xs, ys, dst) = (x.elements::<f32>(q7)?, y.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    share(q7, x).for_each(|i| dst.set(i, xs.get(i) + ys.get(i)));
    Ok(())
}

/// The output by two views of it, with two accessors.
#[custom_op]
fn halves_apart(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let src = x.elements::<i32>(q7)?;
    let (mut low, mut high) = (out.narrow(0, 0, 15)?, out.narrow(0, 15, 15)?);
    let (low, high) = (low.elements_mut::<i32>(q7)?, high.elements_mut::<i32>(q7)?);
    for i in q7.partition_flat(15) {
        low.set(i, src.get(i));
        high.set(i, src.get(15 + i));
    }
    Ok(())
}

/// A view for every row, more than a core keeps apart.
#[custom_op]
fn row_by_row(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    for i in q7.partition(x.size(0)) {
        let (from, mut to) = (x.select(0, i)?, out.select(0, i)?);
        let (src, dst) = (from.elements::<i32>(q7)?, to.elements_mut::<i32>(q7)?);
        (0..src.numel()).for_each(|j| dst.set(j, src.get(j)));
    }
    Ok(())
}

#[custom_op]
fn doubled(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<i32>(q7)?, out.elements_mut::<i32>(q7)?);
    share(q7, x).for_each(|i| dst.set(i, 2 * src.get(i)));
    Ok(())
}

/// One window too many, in turn: slow, and right.
#[custom_op(shape = eight)]
fn four_windows(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<i32>(q7)?, out.elements_mut::<i32>(q7)?);
    let window = WINDOW_BYTES / 4;
    for i in q7.partition_flat(dst.numel()) {
        dst.set(i, (0..4).map(|nth| src.get(nth * window + i)).sum());
    }
    Ok(())
}

fn eight(inputs: &[TensorSpec]) -> Result<TensorSpec> {
    TensorSpec::new(inputs[0].dtype(), &[8])
}
