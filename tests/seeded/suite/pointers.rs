//! Accesses outside a tensor by pointer.

use neuron_device::prelude::*;
use neuron_device::{HbmAddr, Q7Ptr};

use super::launch::{Given, Launch, launch, ramp};
use super::layouts;
use super::raw::{address, fill, load, share, store};

pub(super) fn launches() -> Vec<Launch> {
    vec![
        launch(op!(pointer_reads_past), |_| ramp(&[17])),
        launch(op!(pointer_reads_before), layouts::from_one),
        launch(op!(pointer_reads_a_gap), layouts::every_second),
        launch(op!(pointer_reads_the_neighbour), layouts::pages),
        launch(op!(pointer_reads_a_sibling), |_| {
            let both = ramp(&[16]);
            Given::from([0, 8].map(|start| both.narrow(0, start, 8).unwrap().into()))
        }),
        launch(op!(pointer_writes_a_sibling), |sim| {
            let both = sim.upload(&ramp(&[16])).unwrap();
            let half = |start: u32| both.narrow(0, start, 8).unwrap();
            Given::from(half(8)).into_output(half(0))
        }),
        launch(op!(pointer_reads_no_tensor), |_| ramp(&[8])),
        launch(op!(pointer_reads_others_scratch), |_| ramp(&[8])),
        launch(op!(pointer_reads_two_as_one), |_| ramp(&[8])),
        launch(op!(pointer_reads_a_half), |_| ramp(&[8])),
        launch(op!(pointer_writes_two_as_one), |_| ramp(&[8])),
        launch(op!(pointer_reads_scratch_as_words), |_| ramp(&[8])),
        launch(op!(pointer_writes_past), layouts::in_the_middle),
        launch(op!(pointer_writes_before), layouts::in_the_middle),
        launch(op!(pointer_writes_a_gap), layouts::with_gaps),
        launch(op!(pointer_writes_the_neighbour), |sim| {
            let out = sim.zeros(Dtype::F32, &[1024]).unwrap();
            let behind = sim.zeros(Dtype::F32, &[8]).unwrap();
            Given::from([ramp(&[1024]).into(), behind.into()]).into_output(out)
        }),
        launch(op!(pointer_writes_no_tensor), |_| ramp(&[8])),
        launch(op!(pointer_past_scratch), |_| ramp(&[8])),
    ]
}

/// M02 with two views of one storage: the pointer is of `x`, and is used as far as `y`.
#[custom_op]
fn pointer_reads_a_sibling(q7: &Q7, x: &Tensor, y: &Tensor, out: &mut Tensor) -> Result<()> {
    let (first, dst) = (x.q7_data_ptr::<f32>()?, out.elements_mut::<f32>(q7)?);
    let _ = y;
    for i in share(q7, x) {
        dst.set(i, load(q7, first.add(i + 1).unwrap())); //~ in_another_tensor x read 1
    }
    Ok(())
}

/// The output and `x` are two halves of one storage: the pointer is of the output, and what is written is in `x`.
#[custom_op]
fn pointer_writes_a_sibling(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let first = out.q7_data_ptr::<f32>()?;
    fill(q7, out, 0.0_f32)?;
    store(q7, first.add(8).unwrap(), 1.0); //~ in_another_tensor out written 8
    Ok(())
}

/// The last core reads behind the last element.
#[custom_op]
fn pointer_reads_past(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (first, dst) = (x.q7_data_ptr::<f32>()?, out.elements_mut::<f32>(q7)?);
    for i in share(q7, x) {
        let next = load(q7, first.add(i + 1).unwrap()); //~ past_the_end x read 1
        dst.set(i, next);
    }
    Ok(())
}

/// `x` begins at the second element of its storage.
#[custom_op]
fn pointer_reads_before(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (first, dst) = (x.q7_data_ptr::<f32>()?, out.elements_mut::<f32>(q7)?);
    for i in share(q7, x) {
        let previous = load(q7, first.add(i).unwrap().sub(1).unwrap()); //~ before_the_start x read 1
        dst.set(i, previous);
    }
    Ok(())
}

/// The stride of `x`, 2, is forgotten.
#[custom_op]
fn pointer_reads_a_gap(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (first, dst) = (x.q7_data_ptr::<f32>()?, out.elements_mut::<f32>(q7)?);
    for i in share(q7, x) {
        dst.set(i, load(q7, first.add(i).unwrap())); //~ in_a_gap x read 4
    }
    Ok(())
}

/// M02: a page behind the start of `x` begins `y`; the pointer is of `x`.
#[custom_op]
fn pointer_reads_the_neighbour(q7: &Q7, x: &Tensor, y: &Tensor, out: &mut Tensor) -> Result<()> {
    let (first, dst) = (x.q7_data_ptr::<f32>()?, out.elements_mut::<f32>(q7)?);
    let _ = y;
    for i in share(q7, x) {
        dst.set(i, load(q7, first.add(i + 1).unwrap())); //~ in_another_tensor x read 1
    }
    Ok(())
}

/// A megabyte from `x` there is nothing of this launch.
#[custom_op]
fn pointer_reads_no_tensor(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let stray = load(q7, Q7Ptr::<f32>::new(address::<f32>(x, 1 << 18))); //~ in_no_tensor - read 8
    fill(q7, out, stray)
}

/// The scratch of the next core is none of this one's.
#[custom_op]
fn pointer_reads_others_scratch(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut own = q7.empty_like(x)?;
    fill(q7, &mut own, 1.0_f32)?;
    let next = HbmAddr::new(own.storage().get() + neuron_host_sim::DEFAULT_SCRATCH);
    let theirs = load(q7, Q7Ptr::<f32>::new(next)); //~ in_no_tensor - read 8
    fill(q7, out, theirs)
}

/// Eight bytes where the elements have four.
#[custom_op]
fn pointer_reads_two_as_one(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let both = load(q7, Q7Ptr::<i64>::new(x.storage())); //~ other_width x read 8
    fill(q7, out, both as f32)
}

/// The upper half of each element, which is a bf16, but not an element.
#[custom_op]
fn pointer_reads_a_half(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (upper, dst) = (Q7Ptr::<bf16>::new(address::<bf16>(x, 1)), out.elements_mut::<f32>(q7)?);
    for i in share(q7, x) {
        dst.set(i, load(q7, upper.add(2 * i).unwrap()).to_f32()); //~ other_width x read 8
    }
    Ok(())
}

/// Clears two elements at once.
#[custom_op]
fn pointer_writes_two_as_one(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    //~ never_written out nowhere 8
    let _ = x;
    if q7.get_cpu_id() == 0 {
        let pairs = Q7Ptr::<i64>::new(out.storage());
        (0..4).for_each(|pair| store(q7, pairs.add(pair).unwrap(), 0)); //~ other_width out written 4
    }
    Ok(())
}

/// Four bytes of scratch that has elements of one.
#[custom_op]
fn pointer_reads_scratch_as_words(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let mut flags = q7.empty(Dtype::U8, &[4])?;
    let cells = flags.elements_mut::<u8>(q7)?;
    (0..4).for_each(|i| cells.set(i, 1));
    let all = load(q7, Q7Ptr::<i32>::new(flags.storage())); //~ other_width scratch read 8
    fill(q7, out, all as f32)
}

/// Everything is written twice: where it belongs, and one further.
#[custom_op]
fn pointer_writes_past(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let first = out.q7_data_ptr::<f32>()?;
    fill(q7, out, 0.0_f32)?;
    if q7.get_cpu_id() == 7 {
        store(q7, first.add(x.numel()).unwrap(), 1.0); //~ past_the_end out written 1
    }
    Ok(())
}

/// The element before the first.
#[custom_op]
fn pointer_writes_before(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let first = out.q7_data_ptr::<f32>()?;
    fill(q7, out, 0.0_f32)?;
    store(q7, first.sub(1).unwrap(), 1.0); //~ before_the_start out written 8
    Ok(())
}

/// The stride of the output, 2, is forgotten: half of what is written is in gaps, half of the output is left.
#[custom_op]
fn pointer_writes_a_gap(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    //~ never_written out nowhere 4
    let first = out.q7_data_ptr::<f32>()?;
    for i in share(q7, x) {
        store(q7, first.add(i).unwrap(), 1.0); //~ in_a_gap out written 4
    }
    Ok(())
}

/// A page behind the start of the output begins `behind`.
#[custom_op]
fn pointer_writes_the_neighbour(q7: &Q7, x: &Tensor, behind: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = (x, behind);
    let first = out.q7_data_ptr::<f32>()?;
    fill(q7, out, 0.0_f32)?;
    store(q7, first.add(1024).unwrap(), 1.0); //~ in_another_tensor out written 8
    Ok(())
}

/// A megabyte from the output there is nothing of this launch.
#[custom_op]
fn pointer_writes_no_tensor(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    store(q7, Q7Ptr::new(address::<f32>(out, 1 << 18)), 1.0_f32); //~ in_no_tensor - written 8
    fill(q7, out, 0.0_f32)
}

/// Reads and writes behind a tensor on the core's scratch.
#[custom_op]
fn pointer_past_scratch(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let behind = q7.empty_like(x)?.q7_data_ptr::<f32>()?.add(8).unwrap();
    store(q7, behind, 1.0); //~ past_the_end scratch written 8
    fill(q7, out, load(q7, behind)) //~ past_the_end scratch read 8
}
