//! Reads of what nobody wrote.

use neuron_device::prelude::*;
use neuron_host_sim::Simulator;

use super::launch::{Given, Launch, launch, ramp};
use super::raw::{fill, load, load_nx, share, store};

pub(super) fn launches() -> Vec<Launch> {
    let nothing = |sim: &mut Simulator| {
        sim.empty(Dtype::F32, &[8]).unwrap() //~ host
    };
    vec![
        launch(op!(s16_adds_to_fresh_scratch), |_| ramp(&[8, 3])),
        launch(op!(accessor_reads_fresh_scratch), |_| ramp(&[8])),
        launch(op!(pointer_reads_fresh_scratch), |_| ramp(&[8])),
        launch(op!(local_reads_fresh_scratch), |_| ramp(&[8])),
        launch(op!(reads_half_written_scratch), |_| ramp(&[8])),
        launch(op!(reads_scratch_too_early), |_| ramp(&[8])),
        launch(op!(reads_an_empty_input), nothing),
        launch(op!(pointer_reads_an_empty_input), nothing),
        launch(op!(local_reads_an_empty_input), nothing),
        launch(op!(accessor_reads_an_empty_input), nothing),
        launch(op!(reads_a_half_written_input), move |sim| {
            let x = nothing(sim);
            x.slice(0, 0, 8, 2).unwrap().copy_from(&ramp(&[4])).unwrap();
            x
        }),
        launch(op!(reads_what_was_left_out), |sim| {
            let before = sim.launch(op!(leaves_out_the_last), &neuron_host_sim::args![&ramp(&[8])]); //~ host
            before.unwrap().output().clone()
        }),
        launch(op!(adds_to_a_fresh_output), |_| ramp(&[8])),
        launch(op!(pointer_adds_to_a_fresh_output), |_| ramp(&[8])),
        launch(op!(copies_fresh_scratch), |_| Given::from(ramp(&[8]))),
    ]
}

/// Writes all but the last element.
#[custom_op]
fn leaves_out_the_last(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let dst = out.elements_mut::<f32>(q7)?;
    q7.partition_flat(x.numel() - 1).into_iter().for_each(|i| dst.set(i, 1.0));
    Ok(())
}

/// S16: a sum that begins with whatever is there.
#[custom_op(shape = rows)]
fn s16_adds_to_fresh_scratch(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.accessor::<f32, 2>(q7)?, out.elements_mut::<f32>(q7)?);
    let mut sum = q7.empty(Dtype::F32, &[1])?; //~ never_initialised scratch allocated 8
    let sum = sum.elements_mut::<f32>(q7)?;
    for row in q7.partition(src.size(0)) {
        for column in 0..src.size(1) {
            let so_far = sum.get(0); //~ never_initialised scratch read 8
            sum.set(0, so_far + src.get([row, column]));
        }
        dst.set(row.into(), sum.get(0));
    }
    Ok(())
}

fn rows(inputs: &[TensorSpec]) -> Result<TensorSpec> {
    TensorSpec::new(inputs[0].dtype(), &inputs[0].sizes()[..1])
}

/// Reads three of four elements.
#[custom_op]
fn accessor_reads_fresh_scratch(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let scratch = q7.empty(Dtype::F32, &[2, 2])?; //~ never_initialised scratch allocated 24
    let cells = scratch.accessor::<f32, 2>(q7)?;
    let sum: f32 = [[0, 0], [0, 1], [1, 1]].into_iter().map(|at| cells.get(at)).sum(); //~ never_initialised scratch read 24
    fill(q7, out, sum)
}

/// By pointer.
#[custom_op]
fn pointer_reads_fresh_scratch(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let scratch = q7.empty_like(x)?; //~ never_initialised scratch allocated 8
    let value = load(q7, scratch.q7_data_ptr::<f32>()?.add(5).unwrap()); //~ never_initialised scratch read 8
    fill(q7, out, value)
}

/// By local address.
#[custom_op]
fn local_reads_fresh_scratch(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let scratch = q7.empty_like(x)?; //~ never_initialised scratch allocated 8
    let first = q7.translate(scratch.storage());
    let value = load_nx::<f32>(q7, first); //~ never_initialised scratch read 8
    fill(q7, out, value)
}

/// Writes elements 0 to 3, reads elements 0 to 7.
#[custom_op]
fn reads_half_written_scratch(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut scratch = q7.empty_like(x)?; //~ never_initialised scratch allocated 32
    let cells = scratch.elements_mut::<f32>(q7)?;
    (0..4).for_each(|i| cells.set(i, 1.0));
    let sum: f32 = (0..8).map(|i| cells.get(i)).sum(); //~ never_initialised scratch read 32
    fill(q7, out, sum)
}

/// Everything is written, and read again, but the first time before.
#[custom_op]
fn reads_scratch_too_early(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut scratch = q7.empty_like(x)?; //~ never_initialised scratch allocated 64
    let cells = scratch.elements_mut::<f32>(q7)?;
    for i in 0..8 {
        let before = cells.get(i); //~ never_initialised scratch read 64
        cells.set(i, before.abs());
    }
    let sum: f32 = (0..8).map(|i| cells.get(i)).sum();
    fill(q7, out, sum)
}

/// The host made it and never filled it.
#[custom_op]
fn reads_an_empty_input(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    for i in share(q7, x) {
        dst.set(i, src.get(i)); //~ never_initialised x read 8; never_initialised x allocated@host 8
    }
    Ok(())
}

/// By pointer.
#[custom_op]
fn pointer_reads_an_empty_input(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (first, dst) = (x.q7_data_ptr::<f32>()?, out.elements_mut::<f32>(q7)?);
    for i in share(q7, x) {
        let value = load(q7, first.add(i).unwrap()); //~ never_initialised x read 8; never_initialised x allocated@host 8
        dst.set(i, value);
    }
    Ok(())
}

/// By local address.
#[custom_op]
fn local_reads_an_empty_input(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let first = q7.translate(x.storage());
    let value = load_nx::<f32>(q7, first); //~ never_initialised x read 8; never_initialised x allocated@host 8
    fill(q7, out, value)
}

/// By accessor.
#[custom_op]
fn accessor_reads_an_empty_input(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let last = x.accessor::<f32, 1>(q7)?.get([7]); //~ never_initialised x read 8; never_initialised x allocated@host 8
    fill(q7, out, last)
}

/// The host filled every second element.
#[custom_op]
fn reads_a_half_written_input(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    for i in share(q7, x) {
        dst.set(i, src.get(i)); //~ never_initialised x read 4; never_initialised x allocated@host 4
    }
    Ok(())
}

/// The first fault was an element the launch before did not write.
#[custom_op]
fn reads_what_was_left_out(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    for i in share(q7, x) {
        dst.set(i, src.get(i)); //~ never_initialised x read 1; never_initialised x allocated@host 1
    }
    Ok(())
}

/// An output that is new holds nothing to add to.
#[custom_op]
fn adds_to_a_fresh_output(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    for i in share(q7, x) {
        let before = dst.get(i); //~ never_initialised out read 8; never_initialised out allocated@host 8
        dst.set(i, before + src.get(i));
    }
    Ok(())
}

/// By pointer.
#[custom_op]
fn pointer_adds_to_a_fresh_output(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    //~ never_written out nowhere 7
    let _ = x;
    let first = out.q7_data_ptr::<f32>()?;
    if q7.get_cpu_id() == 0 {
        let before = load(q7, first); //~ never_initialised out read 1; never_initialised out allocated@host 1
        store(q7, first, before + 1.0);
    }
    Ok(())
}

/// What is copied to the result was never written: the first element of each share.
#[custom_op]
fn copies_fresh_scratch(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    let spare = q7.empty_like(x)?; //~ never_initialised scratch allocated 8
    let mut result = q7.empty_like(x)?;
    let (src, dst) = (spare.elements::<f32>(q7)?, result.elements_mut::<f32>(q7)?);
    for i in share(q7, x) {
        dst.set(i, src.get(i)); //~ never_initialised scratch read 8
    }
    Ok(result)
}
