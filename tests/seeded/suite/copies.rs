//! `neuron_memcpy` and blocks of TCM taken by hand, as ports of C++ kernels get them wrong.

use neuron_device::prelude::*;
use neuron_device::{CopyMethod, HbmAddr, NxAddr, Q7Ptr};

use super::launch::{Launch, launch, ramp};
use super::raw::{block_of, fill, free, further, load_nx, memcpy, share, store_nx};

pub(super) fn launches() -> Vec<Launch> {
    vec![
        launch(op!(copies_past_the_end), |_| ramp(&[8])),
        launch(op!(copies_past_the_end_by_core), |_| ramp(&[8])),
        launch(op!(copies_past_the_end_by_vector), |_| ramp(&[8])),
        launch(op!(copies_out_past_the_end), |_| ramp(&[8])),
        launch(op!(copies_from_no_tensor), |_| ramp(&[8])),
        launch(op!(copies_to_an_input), |_| ramp(&[8])),
        launch(op!(copies_through_null), |_| ramp(&[0])),
        launch(op!(copies_over_its_block), |_| ramp(&[8])),
        launch(op!(copies_to_no_block), |_| ramp(&[8])),
        launch(op!(copies_beyond_the_pool), |_| ramp(&[8])),
        launch(op!(copies_to_a_window), |_| ramp(&[8])),
        launch(op!(copies_a_fresh_block), |_| ramp(&[8])),
        launch(op!(copies_a_freed_block), |_| ramp(&[8])),
        launch(op!(s16_sums_in_a_fresh_block), |_| ramp(&[3])),
        launch(op!(block_of_tcm_overrun), |_| ramp(&[8])),
        launch(op!(block_of_tcm_overrun_by_half), |_| ramp(&[8])),
        launch(op!(no_block_of_tcm_read), |_| ramp(&[8])),
        launch(op!(read_beyond_the_pool), |_| ramp(&[8])),
        launch(op!(block_of_tcm_read_after_free), |_| ramp(&[8])),
        launch(op!(buffer_read_after_its_drop), |_| ramp(&[8])),
        launch(op!(block_of_tcm_freed_twice), |_| ramp(&[8])),
        launch(op!(block_of_tcm_freed_inside), |_| ramp(&[8])),
        launch(op!(buffer_freed_by_hand), |_| ramp(&[8])),
        launch(op!(nothing_in_tcm_freed), |_| ramp(&[8])),
        launch(op!(block_of_tcm_never_freed), |_| ramp(&[8])),
        launch(op!(copies_race), |_| ramp(&[9])),
        launch(op!(block_of_tcm_misaligned), |_| ramp(&[8])),
    ]
}

/// Two elements further than there are.
#[custom_op]
fn copies_past_the_end(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let block = q7.neuron_dataram_allocate(16, 64)?;
    memcpy(q7, block, x.q7_data_ptr::<f32>()?.add(6).unwrap(), 16)?; //~ past_the_end x read 16
    free(q7, block);
    fill(q7, out, 0.0_f32)
}

/// The core itself reads no further.
#[custom_op]
fn copies_past_the_end_by_core(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    q7.set_memcpy_method(CopyMethod::CMemcpy);
    let block = q7.neuron_dataram_allocate(36, 64)?;
    memcpy(q7, block, x.q7_data_ptr::<f32>()?, 36)?; //~ past_the_end x read 8
    free(q7, block);
    fill(q7, out, 0.0_f32)
}

/// Nor does it by vectors.
#[custom_op]
fn copies_past_the_end_by_vector(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    q7.set_memcpy_method(CopyMethod::VecMemcpy);
    let block = q7.neuron_dataram_allocate(64, 64)?;
    memcpy(q7, block, x.q7_data_ptr::<f32>()?, 64)?; //~ past_the_end x read 64
    free(q7, block);
    fill(q7, out, 0.0_f32)
}

/// Nothing of the copy lands, and so nothing of the output is written by core 7.
#[custom_op]
fn copies_out_past_the_end(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let last = out.q7_data_ptr::<f32>()?.add(q7.get_cpu_id().into()).unwrap();
    let block = block_of(q7, &[1.0_f32, 2.0])?;
    let bytes = if q7.get_cpu_id() == 7 { 8 } else { 4 };
    memcpy(q7, last, block, bytes)?; //~ past_the_end out written 1; never_written out opened 1
    free(q7, block);
    Ok(())
}

/// Scratch nobody allocated.
#[custom_op]
fn copies_from_no_tensor(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let scratch = q7.empty_like(x)?;
    let block = q7.neuron_dataram_allocate(16, 64)?;
    let behind = HbmAddr::new(scratch.storage().get() + 4096);
    memcpy(q7, block, Q7Ptr::<f32>::new(behind), 16)?; //~ in_no_tensor - read 8
    free(q7, block);
    fill(q7, out, 0.0_f32)
}

/// What whoever launched it does not expect.
#[custom_op]
fn copies_to_an_input(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    if q7.get_cpu_id() == 3 {
        let block = block_of(q7, &[1.0_f32, 2.0])?;
        memcpy(q7, x.q7_data_ptr::<f32>()?, block, 8)?; //~ input_written x written 1
        free(q7, block);
    }
    fill(q7, out, 0.0_f32)
}

/// A tensor without elements has no first one.
#[custom_op]
fn copies_through_null(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let block = q7.neuron_dataram_allocate(16, 64)?;
    memcpy(q7, block, x.q7_data_ptr::<f32>()?, 4)?; //~ null_pointer - read 8
    free(q7, block);
    let _ = out;
    Ok(())
}

/// Four elements to room for two.
#[custom_op]
fn copies_over_its_block(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let block = q7.neuron_dataram_allocate(8, 64)?; //~ tcm_overrun tcm allocated 8
    memcpy(q7, block, x.q7_data_ptr::<f32>()?, 16)?; //~ tcm_overrun tcm written 8
    free(q7, block);
    fill(q7, out, 0.0_f32)
}

/// An address of the pool that nobody allocated.
#[custom_op]
fn copies_to_no_block(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    memcpy(q7, NxAddr::new(0x0008_0100), x.q7_data_ptr::<f32>()?, 16)?; //~ in_no_block tcm written 8
    fill(q7, out, 0.0_f32)
}

/// The last bytes of the copy are the core's, but not the kernel's.
#[custom_op]
fn copies_beyond_the_pool(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    memcpy(q7, NxAddr::new(0x0008_3FF8), x.q7_data_ptr::<f32>()?, 16)?; //~ outside_tcm - read 8
    fill(q7, out, 0.0_f32)
}

/// A copy reaches no window.
#[custom_op]
fn copies_to_a_window(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let there = q7.translate(out.storage());
    memcpy(q7, there, x.q7_data_ptr::<f32>()?, 16)?; //~ not_in_dataram - read 8
    fill(q7, out, 0.0_f32)
}

/// What was never written is copied to the output.
#[custom_op]
fn copies_a_fresh_block(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let block = q7.neuron_dataram_allocate(8, 64)?; //~ never_initialised tcm allocated 4; never_initialised tcm allocated 4
    let to = out.q7_data_ptr::<f32>()?.add(2 * u64::from(q7.get_cpu_id())).unwrap();
    let _ = x;
    if q7.get_cpu_id() < 4 {
        store_nx(q7, block, 1.0_f32);
        memcpy(q7, to, block, 8)?; //~ never_initialised tcm read 4
    } else {
        load_nx::<f32>(q7, block); //~ never_initialised tcm read 4
    }
    free(q7, block);
    Ok(())
}

/// The block is another's by then, or nobody's.
#[custom_op]
fn copies_a_freed_block(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let block = q7.neuron_dataram_allocate(8, 64)?; //~ used_after_free tcm allocated 8
    free(q7, block); //~ used_after_free tcm freed 8
    memcpy(q7, block, x.q7_data_ptr::<f32>()?, 8)?; //~ used_after_free tcm written 8
    fill(q7, out, 0.0_f32)
}

/// S16: fresh TCM is not zero, and the sum of 1, 2, 3 is 6 only where it is.
#[custom_op]
fn s16_sums_in_a_fresh_block(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let sum = q7.neuron_dataram_allocate(4, 64)?; //~ never_initialised tcm allocated 8
    let src = x.elements::<f32>(q7)?;
    for i in 0..x.numel() {
        let so_far = load_nx::<f32>(q7, sum); //~ never_initialised tcm read 8
        store_nx(q7, sum, so_far + src.get(i));
    }
    let total = load_nx::<f32>(q7, sum);
    free(q7, sum);
    fill(q7, out, total)
}

/// Nine elements in room for eight.
#[custom_op]
fn block_of_tcm_overrun(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let block = q7.neuron_dataram_allocate(32, 64)?;
    let _ = x;
    for i in 0..9 {
        store_nx(q7, further(block, 4 * i), 1.0_f32); //~ in_no_block tcm written 8
    }
    free(q7, block);
    fill(q7, out, 0.0_f32)
}

/// The first half of the element is the block's.
#[custom_op]
fn block_of_tcm_overrun_by_half(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let block = q7.neuron_dataram_allocate(12, 64)?; //~ tcm_overrun tcm allocated 8
    store_nx(q7, further(block, 8), 1_i64); //~ tcm_overrun tcm written 8
    free(q7, block);
    let _ = x;
    fill(q7, out, 0.0_f32)
}

/// Nothing was allocated.
#[custom_op]
fn no_block_of_tcm_read(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let value = load_nx(q7, NxAddr::new(0x0008_0000)); //~ in_no_block tcm read 8
    fill::<f32>(q7, out, value)
}

/// The firmware's part of the dataram.
#[custom_op]
fn read_beyond_the_pool(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let value = load_nx(q7, NxAddr::new(0x0008_4000)); //~ outside_tcm - read 8
    fill::<f32>(q7, out, value)
}

/// The next block may be there.
#[custom_op]
fn block_of_tcm_read_after_free(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let block = block_of(q7, &[1.0_f32])?; //~ used_after_free tcm allocated 8
    free(q7, block); //~ used_after_free tcm freed 8
    let _ = x;
    fill::<f32>(q7, out, load_nx(q7, block)) //~ used_after_free tcm read 8
}

/// A buffer gives its block back when it is dropped.
#[custom_op]
fn buffer_read_after_its_drop(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let buffer = q7.tcm_malloc::<f32>(4)?.filled_with(1.0); //~ used_after_free tcm allocated 8
    let local = buffer.addr();
    drop(buffer);
    let _ = x;
    fill::<f32>(q7, out, load_nx(q7, local)) //~ used_after_free tcm read 8
}

/// Two ways out, one after the other.
#[custom_op]
fn block_of_tcm_freed_twice(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let block = q7.neuron_dataram_allocate(8, 64)?; //~ freed_twice tcm allocated 8
    free(q7, block); //~ freed_twice tcm freed 8
    free(q7, block); //~ freed_twice tcm freed 8
    let _ = x;
    fill(q7, out, 0.0_f32)
}

/// The address was counted up.
#[custom_op]
fn block_of_tcm_freed_inside(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let block = q7.neuron_dataram_allocate(8, 64)?; //~ freed_no_block tcm allocated 8
    free(q7, further(block, 4)); //~ freed_no_block tcm freed 8
    free(q7, block);
    let _ = x;
    fill(q7, out, 0.0_f32)
}

/// The buffer gives it back itself, and is good until then.
#[custom_op]
fn buffer_freed_by_hand(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let buffer = q7.tcm_malloc::<f32>(4)?.filled_with(1.0); //~ freed_no_block tcm allocated 8
    free(q7, buffer.addr()); //~ freed_no_block tcm freed 8
    let _ = x;
    fill(q7, out, buffer[0])
}

/// Where no block ever was.
#[custom_op]
fn nothing_in_tcm_freed(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    free(q7, NxAddr::new(0x0008_1000)); //~ freed_no_block tcm freed 8
    let _ = x;
    fill(q7, out, 0.0_f32)
}

/// One block a core.
#[custom_op]
fn block_of_tcm_never_freed(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _block = q7.neuron_dataram_allocate(100, 64)?; //~ warning never_freed tcm allocated 8
    let _ = x;
    fill(q7, out, 0.0_f32)
}

/// Shares that overlap by an element, copied.
#[custom_op]
fn copies_race(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let block = block_of(q7, &[q7.get_cpu_id() as f32; 3])?;
    let first = share(q7, x).next().unwrap();
    let bytes = 4 * (share(q7, x).count() as u32 + 1).min((x.numel() - first) as u32);
    memcpy(q7, out.q7_data_ptr::<f32>()?.add(first).unwrap(), block, bytes)?; //~ written_by_several_cores out written 7
    free(q7, block);
    Ok(())
}

/// TCM has its alignment as HBM has.
#[custom_op]
fn block_of_tcm_misaligned(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let block = block_of(q7, &[1.0_f32; 2])?;
    let value = load_nx::<f32>(q7, further(block, 2)); //~ misaligned - read 8
    free(q7, block);
    let _ = x;
    fill(q7, out, value)
}
