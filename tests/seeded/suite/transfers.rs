//! Copies that are under way, and what must leave them alone until they are waited for.

use neuron_device::Q7Ptr;
use neuron_device::prelude::*;

use super::launch::{Launch, launch, ramp};
use super::raw::{begin, block_of, fill, free, give_back, load_nx, memcpy, share, store_nx, take};

pub(super) fn launches() -> Vec<Launch> {
    vec![
        launch(op!(d07_ends_with_a_copy_out), |_| ramp(&[8])),
        launch(op!(ends_with_a_copy_in), |_| ramp(&[8])),
        launch(op!(ends_with_a_copy_by_hand), |_| ramp(&[8])),
        launch(op!(d09_refills_a_slot), |_| ramp(&[8])),
        launch(op!(d10_stores_to_what_goes_out), |_| ramp(&[8])),
        launch(op!(d11_reads_what_is_coming), |_| ramp(&[8])),
        launch(op!(copies_out_what_is_coming), |_| ramp(&[8])),
        launch(op!(writes_elements_of_a_copy_out), |_| ramp(&[8])),
        launch(op!(writes_elements_of_a_copy_in), |_| ramp(&[8])),
        launch(op!(reads_elements_of_a_copy_out), |_| ramp(&[8])),
        launch(op!(stages_what_is_copied_out), |_| ramp(&[8])),
        launch(op!(frees_a_block_under_way), |_| ramp(&[8])),
        launch(op!(frees_scratch_under_way), |_| ramp(&[8])),
        launch(op!(waits_for_the_wrong_copy), |_| ramp(&[8])),
    ]
}

/// D07: whether the last tile lands is luck.
#[custom_op]
fn d07_ends_with_a_copy_out(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let tile = q7.tcm_malloc::<f32>(1)?.filled_with(1.0);
    let _pending = out.tcm_to_tensor_async(q7, q7.get_cpu_id().into(), tile)?; //~ never_awaited out started 8
    Ok(())
}

/// The kernel changed its mind about a tile it had asked for.
#[custom_op]
fn ends_with_a_copy_in(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let buffer = q7.tcm_malloc::<f32>(4)?;
    drop(x.tensor_to_tcm_async(q7, Span { offset: 0, len: 4 }, buffer)?); //~ never_awaited x started 8
    fill(q7, out, 0.0_f32)
}

/// The number is lost.
#[custom_op]
fn ends_with_a_copy_by_hand(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let block = block_of(q7, &[1.0_f32])?;
    let to = out.q7_data_ptr::<f32>()?.add(q7.get_cpu_id().into()).unwrap();
    begin(q7, to, block, 4)?; //~ never_awaited out started 8
    Ok(())
}

/// D09: a slot is filled again before its copy out was waited for.
#[custom_op]
fn d09_refills_a_slot(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let slot = block_of(q7, &[1.0_f32])?;
    let to = out.q7_data_ptr::<f32>()?.add(q7.get_cpu_id().into()).unwrap();
    let copy = begin(q7, to, slot, 4)?; //~ touched_in_flight tcm started 8
    memcpy(q7, slot, x.q7_data_ptr::<f32>()?, 4)?; //~ touched_in_flight tcm written 8
    q7.neuron_memcpy_wait(copy);
    free(q7, slot);
    Ok(())
}

/// D10: the source of a copy is written at once.
#[custom_op]
fn d10_stores_to_what_goes_out(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let slot = block_of(q7, &[1.0_f32])?;
    let to = out.q7_data_ptr::<f32>()?.add(q7.get_cpu_id().into()).unwrap();
    let copy = begin(q7, to, slot, 4)?; //~ touched_in_flight tcm started 8
    store_nx(q7, slot, 2.0_f32); //~ touched_in_flight tcm written 8
    q7.neuron_memcpy_wait(copy);
    free(q7, slot);
    Ok(())
}

/// D11: the engine may be in the middle of it.
#[custom_op]
fn d11_reads_what_is_coming(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let slot = block_of(q7, &[0.0_f32])?;
    let copy = begin(q7, slot, x.q7_data_ptr::<f32>()?, 4)?; //~ touched_in_flight tcm started 8
    let early = load_nx::<f32>(q7, slot); //~ touched_in_flight tcm read 8
    q7.neuron_memcpy_wait(copy);
    free(q7, slot);
    fill(q7, out, early * 0.0)
}

/// The tile is passed on before it came.
#[custom_op]
fn copies_out_what_is_coming(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let slot = block_of(q7, &[0.0_f32])?;
    let own = u64::from(q7.get_cpu_id());
    let copy = begin(q7, slot, x.q7_data_ptr::<f32>()?.add(own).unwrap(), 4)?; //~ touched_in_flight tcm started 8
    memcpy(q7, out.q7_data_ptr::<f32>()?.add(own).unwrap(), slot, 4)?; //~ touched_in_flight tcm read 8
    q7.neuron_memcpy_wait(copy);
    free(q7, slot);
    Ok(())
}

/// An element of the tile that is on its way to the same place.
#[custom_op]
fn writes_elements_of_a_copy_out(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let own = u64::from(q7.get_cpu_id());
    let tile = q7.tcm_malloc::<f32>(1)?.filled_with(1.0);
    let pending = out.tcm_to_tensor_async(q7, own, tile)?; //~ touched_in_flight out started 8
    out.elements_mut::<f32>(q7)?.set(own, 2.0); //~ touched_in_flight out written 8
    pending.wait();
    Ok(())
}

/// What is being copied in changes; what is copied besides it does not.
#[custom_op]
fn writes_elements_of_a_copy_in(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut scratch = q7.empty_like(x)?;
    scratch.write_stream_accessor::<f32>(q7, ..)?.write_from((0..8).map(|i| i as f32));
    let pending = scratch.tensor_to_tcm_async(q7, Span { offset: 2, len: 4 }, q7.tcm_malloc::<f32>(4)?)?; //~ touched_in_flight scratch started 8
    let cells = scratch.elements_mut::<f32>(q7)?;
    cells.set(0, 1.0);
    cells.set(3, 1.0); //~ touched_in_flight scratch written 8
    let tile = pending.wait();
    fill(q7, out, tile[0])
}

/// The value may be the old one.
#[custom_op]
fn reads_elements_of_a_copy_out(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    fill(q7, out, 0.0_f32)?;
    let first = share(q7, x).next().unwrap();
    let tile = q7.tcm_malloc::<f32>(1)?.filled_with(1.0);
    let pending = out.tcm_to_tensor_async(q7, first, tile)?; //~ touched_in_flight out started 8
    let early = out.elements::<f32>(q7)?.get(first); //~ touched_in_flight out read 8
    pending.wait();
    assert!(early < 2.0);
    Ok(())
}

/// The engine takes copies in turn, but nobody promises that.
#[custom_op]
fn stages_what_is_copied_out(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let first = share(q7, x).next().unwrap();
    let tile = q7.tcm_malloc::<f32>(1)?.filled_with(1.0);
    let pending = out.tcm_to_tensor_async(q7, first, tile)?; //~ touched_in_flight out started 8
    let mut buffer = q7.tcm_malloc::<f32>(1)?;
    out.tensor_to_tcm(q7, Span { offset: first, len: 1 }, &mut buffer)?; //~ touched_in_flight out read 8
    pending.wait();
    Ok(())
}

/// The next block may be where the copy goes.
#[custom_op]
fn frees_a_block_under_way(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let slot = q7.neuron_dataram_allocate(16, 64)?; //~ freed_in_flight tcm allocated 8
    let copy = begin(q7, slot, x.q7_data_ptr::<f32>()?, 16)?; //~ freed_in_flight tcm started 8
    free(q7, slot); //~ freed_in_flight tcm freed 8
    q7.neuron_memcpy_wait(copy);
    fill(q7, out, 0.0_f32)
}

/// The same of scratch.
#[custom_op]
fn frees_scratch_under_way(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let there = take(q7, 16, 64)?; //~ freed_in_flight scratch allocated 8
    let block = block_of(q7, &[1.0_f32; 4])?;
    let copy = begin(q7, Q7Ptr::<f32>::in_block(there), block, 16)?; //~ freed_in_flight scratch started 8
    give_back(q7, there); //~ freed_in_flight scratch freed 8
    q7.neuron_memcpy_wait(copy);
    free(q7, block);
    fill(q7, out, 0.0_f32)
}

/// A number that no copy has.
#[custom_op]
fn waits_for_the_wrong_copy(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let slot = q7.neuron_dataram_allocate(16, 64)?;
    let copy = begin(q7, slot, x.q7_data_ptr::<f32>()?, 16)?; //~ never_awaited x started 8
    q7.neuron_memcpy_wait(copy + 1); //~ no_such_copy - awaited 8
    fill(q7, out, 0.0_f32)
}
