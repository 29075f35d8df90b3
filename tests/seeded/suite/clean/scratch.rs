//! Tensors on a core's scratch, written before they are read, by every way.

use neuron_device::prelude::*;

use super::super::launch::{Launch, launch, ramp};
use super::super::raw::{address, further, load, load_nx, share, store, store_nx};

pub(super) fn launches() -> Vec<Launch> {
    vec![
        launch(op!(by_elements), |_| ramp(&[40])),
        launch(op!(by_elements), |_| ramp(&[40])).labelled("in every mood").in_moods(),
        launch(op!(by_accessor), |_| ramp(&[40])),
        launch(op!(by_pointer), |_| ramp(&[40])),
        launch(op!(by_local_address), |_| ramp(&[40])),
        launch(op!(pointer_then_elements), |_| ramp(&[40])),
        launch(op!(elements_then_pointer), |_| ramp(&[40])),
        launch(op!(local_address_then_accessor), |_| ramp(&[40])),
        launch(op!(used_again_for_each_row), |_| ramp(&[20, 6])),
        launch(op!(sums_from_zero), |_| ramp(&[20, 6])),
        launch(op!(half_of_it), |_| ramp(&[40])),
        launch(op!(thirty_two_tensors), |_| ramp(&[40])),
        launch(op!(written_but_never_read), |_| ramp(&[40])),
        launch(op!(one_reader_for_two), |_| ramp(&[40])),
        launch(op!(through_a_view), |_| ramp(&[6, 8])),
    ]
}

#[custom_op]
fn by_elements(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut scratch = q7.empty_like(x)?;
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    let cells = scratch.elements_mut::<f32>(q7)?;
    share(q7, x).for_each(|i| cells.set(i, src.get(i)));
    share(q7, x).for_each(|i| dst.set(i, cells.get(i)));
    Ok(())
}

/// One element after the other: written, read, written, read.
#[custom_op]
fn by_accessor(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut scratch = q7.empty(Dtype::F32, &[2, 2])?;
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    let cells = scratch.accessor_mut::<f32, 2>(q7)?;
    for i in share(q7, x) {
        cells.set([1, 0], src.get(i));
        dst.set(i, cells.get([1, 0]));
    }
    Ok(())
}

#[custom_op]
fn by_pointer(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let cell = q7.empty_like(x)?.q7_data_ptr::<f32>()?;
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    for i in share(q7, x) {
        store(q7, cell.add(i).unwrap(), src.get(i));
        dst.set(i, load(q7, cell.add(i).unwrap()));
    }
    Ok(())
}

#[custom_op]
fn by_local_address(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let scratch = q7.empty_like(x)?;
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    let first = q7.translate(scratch.storage());
    for i in share(q7, x) {
        store_nx(q7, further(first, 4 * i as i32), src.get(i));
        dst.set(i, load_nx(q7, further(first, 4 * i as i32)));
    }
    Ok(())
}

/// The reader was opened before anything was written.
#[custom_op]
fn pointer_then_elements(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let scratch = q7.empty_like(x)?;
    let first = scratch.q7_data_ptr::<f32>()?;
    let (cells, dst) = (scratch.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    for i in share(q7, x) {
        store(q7, first.add(i).unwrap(), i as f32);
        dst.set(i, cells.get(i));
    }
    Ok(())
}

#[custom_op]
fn elements_then_pointer(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut scratch = q7.empty_like(x)?;
    let first = scratch.q7_data_ptr::<f32>()?;
    let (cells, dst) = (scratch.elements_mut::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    for i in share(q7, x) {
        cells.set(i, i as f32);
        dst.set(i, load(q7, first.add(i).unwrap()));
    }
    Ok(())
}

#[custom_op]
fn local_address_then_accessor(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let scratch = q7.empty_like(x)?;
    let (cells, dst) = (scratch.accessor::<f32, 1>(q7)?, out.elements_mut::<f32>(q7)?);
    for i in share(q7, x) {
        let cell = q7.translate(address::<f32>(&scratch, i));
        store_nx(q7, cell, i as f32);
        dst.set(i, cells.get([i as u32]));
    }
    Ok(())
}

/// A row's worth, written anew for every row.
#[custom_op]
fn used_again_for_each_row(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut row = q7.empty(Dtype::F32, &x.sizes()[1..])?;
    let (src, dst) = (x.accessor::<f32, 2>(q7)?, out.accessor_mut::<f32, 2>(q7)?);
    let row = row.accessor_mut::<f32, 1>(q7)?;
    for i in q7.partition(src.size(0)) {
        (0..src.size(1)).for_each(|j| row.set([j], src.get([i, j])));
        (0..src.size(1)).for_each(|j| dst.set([i, j], row.get([src.size(1) - 1 - j])));
    }
    Ok(())
}

/// S16, done right.
#[custom_op(shape = rows)]
fn sums_from_zero(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut sum = q7.empty(Dtype::F32, &[1])?;
    let (src, dst) = (x.accessor::<f32, 2>(q7)?, out.elements_mut::<f32>(q7)?);
    let sum = sum.elements_mut::<f32>(q7)?;
    for i in q7.partition(src.size(0)) {
        sum.set(0, 0.0);
        (0..src.size(1)).for_each(|j| sum.set(0, sum.get(0) + src.get([i, j])));
        dst.set(i.into(), sum.get(0));
    }
    Ok(())
}

fn rows(inputs: &[TensorSpec]) -> Result<TensorSpec> {
    TensorSpec::new(inputs[0].dtype(), &inputs[0].sizes()[..1])
}

/// Every second element is written, and those are read.
#[custom_op]
fn half_of_it(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut scratch = q7.empty_like(x)?;
    let dst = out.elements_mut::<f32>(q7)?;
    let cells = scratch.elements_mut::<f32>(q7)?;
    (0..x.numel()).step_by(2).for_each(|i| cells.set(i, 1.0));
    share(q7, x).for_each(|i| dst.set(i, cells.get(i / 2 * 2)));
    Ok(())
}

/// As many as a core's heap describes, through more accessors than a core keeps apart.
#[custom_op]
fn thirty_two_tensors(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut sum = 0.0;
    for nth in 0..32 {
        let mut scratch = q7.empty(Dtype::F32, &[3])?;
        let cells = scratch.elements_mut::<f32>(q7)?;
        (0..3).for_each(|i| cells.set(i, nth as f32));
        sum += scratch.elements::<f32>(q7)?.get(2);
    }
    super::super::raw::fill(q7, out, sum + x.numel() as f32)
}

#[custom_op]
fn written_but_never_read(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut scratch = q7.empty_like(x)?;
    super::super::raw::fill(q7, &mut scratch, 1.0_f32)?;
    super::super::raw::fill(q7, out, 2.0_f32)
}

/// Two tensors at one address in turn would be one too many: each has its own.
#[custom_op]
fn one_reader_for_two(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (mut first, mut second) = (q7.empty_like(x)?, q7.empty_like(x)?);
    {
        let (a, b) = (first.elements_mut::<f32>(q7)?, second.elements_mut::<f32>(q7)?);
        share(q7, x).for_each(|i| a.set(i, 1.0));
        share(q7, x).for_each(|i| b.set(i, a.get(i) + 1.0));
    }
    let dst = out.elements_mut::<f32>(q7)?;
    for scratch in [&first, &second] {
        let src = scratch.elements::<f32>(q7)?;
        share(q7, x).for_each(|i| dst.set(i, src.get(i)));
    }
    Ok(())
}

/// Written by rows, read by columns.
#[custom_op]
fn through_a_view(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut scratch = q7.empty_like(x)?;
    let src = x.elements::<f32>(q7)?;
    {
        let cells = scratch.elements_mut::<f32>(q7)?;
        (0..x.numel()).for_each(|i| cells.set(i, src.get(i)));
    }
    let turned = scratch.transpose(0, 1)?;
    let (columns, dst) = (turned.accessor::<f32, 2>(q7)?, out.accessor_mut::<f32, 2>(q7)?);
    for i in q7.partition(x.size(0)) {
        (0..x.size(1)).for_each(|j| dst.set([i, j], columns.get([j, i])));
    }
    Ok(())
}
