//! Blocks of the scratch that a kernel takes and gives back by hand.

use neuron_device::prelude::*;
use neuron_device::{HbmAddr, Q7Ptr};

use super::launch::{Launch, launch, ramp};
use super::raw::{fill, further, give_back, load, load_nx, store, store_nx, take};

pub(super) fn launches() -> Vec<Launch> {
    vec![
        launch(op!(block_read_after_free), |_| ramp(&[8])),
        launch(op!(block_written_after_free), |_| ramp(&[8])),
        launch(op!(local_address_after_free), |_| ramp(&[8])),
        launch(op!(bare_address_after_free), |_| ramp(&[8])),
        launch(op!(block_freed_twice), |_| ramp(&[8])),
        launch(op!(block_freed_in_its_middle), |_| ramp(&[8])),
        launch(op!(tensor_freed), |_| ramp(&[8])),
        launch(op!(nothing_freed), |_| ramp(&[8])),
        launch(op!(output_freed), |_| ramp(&[8])),
        launch(op!(block_never_freed), |_| ramp(&[8])),
        launch(op!(no_room_and_gives_up), |_| ramp(&[8])),
        launch(op!(block_leaks_from_a_loop), |_| ramp(&[8])),
        launch(op!(block_overrun), |_| ramp(&[8])),
        launch(op!(block_overrun_into_the_next), |_| ramp(&[8])),
        launch(op!(block_read_before_its_start), |_| ramp(&[8])),
        launch(op!(block_read_over_its_end), |_| ramp(&[8])),
        launch(op!(fresh_block_read), |_| ramp(&[8])),
        launch(op!(block_taken_again_read), |_| ramp(&[8])),
        launch(op!(tensor_where_a_block_was_read), |_| ramp(&[8])),
    ]
}

/// What was read is not what was written there, as the next block may be there.
#[custom_op]
fn block_read_after_free(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let block = take(q7, 32, 64)?; //~ used_after_free scratch allocated 8
    let cells = Q7Ptr::<f32>::in_block(block);
    store(q7, cells, 1.0);
    give_back(q7, block); //~ used_after_free scratch freed 8
    fill(q7, out, load(q7, cells)) //~ used_after_free scratch read 8
}

/// Only one core takes a block, and writes two elements too late.
#[custom_op]
fn block_written_after_free(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    if q7.get_cpu_id() == 5 {
        let block = take(q7, 32, 64)?; //~ used_after_free scratch allocated 2
        give_back(q7, block); //~ used_after_free scratch freed 2
        for i in 3..5 {
            let cell = Q7Ptr::<f32>::in_block(block).add(i).unwrap();
            store(q7, cell, 1.0); //~ used_after_free scratch written 2
        }
    }
    fill(q7, out, 0.0_f32)
}

/// The translation is good still, and the block is not.
#[custom_op]
fn local_address_after_free(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let block = take(q7, 32, 64)?; //~ used_after_free scratch allocated 8
    let local = q7.translate(block);
    store_nx(q7, local, 1.0_f32);
    give_back(q7, block); //~ used_after_free scratch freed 8
    fill(q7, out, load_nx::<f32>(q7, local)) //~ used_after_free scratch read 8
}

/// Where the address comes from is not known, but there is nothing else.
#[custom_op]
fn bare_address_after_free(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let block = take(q7, 32, 64)?; //~ used_after_free scratch allocated 8
    give_back(q7, block); //~ used_after_free scratch freed 8
    fill(q7, out, load(q7, Q7Ptr::<f32>::new(block))) //~ used_after_free scratch read 8
}

/// The block that was taken in between is not lost.
#[custom_op]
fn block_freed_twice(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let block = take(q7, 32, 64)?; //~ freed_twice scratch allocated 8
    give_back(q7, block); //~ freed_twice scratch freed 8
    give_back(q7, block); //~ freed_twice scratch freed 8
    let next = take(q7, 32, 64)?;
    let cells = Q7Ptr::<f32>::in_block(next);
    store(q7, cells, 1.0);
    fill(q7, out, load(q7, cells))?;
    give_back(q7, next);
    Ok(())
}

/// An address the kernel counted up as it went.
#[custom_op]
fn block_freed_in_its_middle(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let block = take(q7, 32, 64)?; //~ freed_no_block scratch allocated 8
    give_back(q7, HbmAddr::new(block.get() + 4)); //~ freed_no_block scratch freed 8
    give_back(q7, block);
    fill(q7, out, 0.0_f32)
}

/// A tensor is used to its end.
#[custom_op]
fn tensor_freed(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut scratch = q7.empty_like(x)?; //~ freed_no_block scratch allocated 8
    give_back(q7, scratch.storage()); //~ freed_no_block scratch freed 8
    let cells = scratch.elements_mut::<f32>(q7)?;
    cells.set(7, 1.0);
    let last = cells.get(7);
    fill(q7, out, last)
}

/// Nothing was ever taken there.
#[custom_op]
fn nothing_freed(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let block = take(q7, 32, 64)?;
    give_back(q7, HbmAddr::new(block.get() + 4096)); //~ freed_no_block - freed 8
    give_back(q7, block);
    fill(q7, out, 0.0_f32)
}

/// What the core did not make at all.
#[custom_op]
fn output_freed(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    give_back(q7, out.storage()); //~ freed_no_block out freed 8; freed_no_block out allocated@host 8
    fill(q7, out, 0.0_f32)
}

/// D24: without room the kernel does nothing, and says that all is well.
#[custom_op]
fn no_room_and_gives_up(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    //~ never_written out nowhere 8
    let _ = x;
    let Ok(block) = take(q7, 1 << 40, 64) else { return Ok(()) };
    give_back(q7, block);
    fill(q7, out, 0.0_f32)
}

/// The way out that gives nothing back.
#[custom_op]
fn block_never_freed(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let block = take(q7, 32, 64)?; //~ warning never_freed scratch allocated 7
    fill(q7, out, 0.0_f32)?;
    if q7.get_cpu_id() > 0 {
        return Ok(());
    }
    give_back(q7, block);
    Ok(())
}

/// One line, three blocks a core.
#[custom_op]
fn block_leaks_from_a_loop(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    for _ in 0..3 {
        let block = take(q7, 100, 64)?; //~ warning never_freed scratch allocated 24
        store(q7, Q7Ptr::<f32>::in_block(block), 1.0);
    }
    fill(q7, out, 0.0_f32)
}

/// Nine elements in room for eight.
#[custom_op]
fn block_overrun(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let block = take(q7, 32, 64)?;
    for i in 0..9 {
        let cell = Q7Ptr::<f32>::in_block(block).add(i).unwrap();
        store(q7, cell, 1.0); //~ past_the_end scratch written 8
    }
    give_back(q7, block);
    fill(q7, out, 0.0_f32)
}

/// The first block ends where the second begins.
#[custom_op]
fn block_overrun_into_the_next(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let (first, second) = (take(q7, 64, 64)?, take(q7, 64, 64)?);
    let cell = Q7Ptr::<f32>::in_block(first).add(16).unwrap();
    store(q7, cell, 1.0); //~ in_another_tensor scratch written 8
    give_back(q7, second);
    give_back(q7, first);
    fill(q7, out, 0.0_f32)
}

/// The element before the first.
#[custom_op]
fn block_read_before_its_start(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let block = take(q7, 32, 64)?;
    let before = Q7Ptr::<f32>::in_block(block).sub(1).unwrap();
    fill(q7, out, load(q7, before))?; //~ before_the_start scratch read 8
    give_back(q7, block);
    Ok(())
}

/// Its last four bytes, and four that are not its own.
#[custom_op]
fn block_read_over_its_end(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let block = take(q7, 36, 64)?;
    let both = load(q7, Q7Ptr::<i64>::in_block(block).add(4).unwrap()); //~ past_the_end scratch read 8
    give_back(q7, block);
    fill(q7, out, both as f32)
}

/// Of a block each byte is an element.
#[custom_op]
fn fresh_block_read(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let block = take(q7, 32, 64)?; //~ never_initialised scratch allocated 32
    let cells = Q7Ptr::<f32>::in_block(block);
    store(q7, cells, 1.0);
    let second = cells.add(1).unwrap();
    let sum = load(q7, cells) + load(q7, second); //~ never_initialised scratch read 32
    give_back(q7, block);
    fill(q7, out, sum)
}

/// What was written is another block's.
#[custom_op]
fn block_taken_again_read(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let first = take(q7, 32, 64)?;
    let cells = Q7Ptr::<f32>::in_block(first);
    (0..8).for_each(|i| store(q7, cells.add(i).unwrap(), 1.0));
    let sum: f32 = (0..8).map(|i| load(q7, cells.add(i).unwrap())).sum();
    give_back(q7, first);
    let second = take(q7, 32, 64)?; //~ never_initialised scratch allocated 64
    let local = q7.translate(second);
    store_nx(q7, local, sum);
    let sum = load_nx::<f32>(q7, local);
    let two = load_nx::<i64>(q7, further(local, 8)); //~ never_initialised scratch read 64
    give_back(q7, second);
    fill(q7, out, sum + two as f32)
}

/// The same with a tensor.
#[custom_op]
fn tensor_where_a_block_was_read(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let block = take(q7, 32, 64)?;
    store(q7, Q7Ptr::<f32>::in_block(block), 1.0);
    give_back(q7, block);
    let mut scratch = q7.empty_like(x)?; //~ never_initialised scratch allocated 8
    let cells = scratch.elements_mut::<f32>(q7)?;
    (1..8).for_each(|i| cells.set(i, 1.0));
    let sum: f32 = (0..8).map(|i| cells.get(i)).sum(); //~ never_initialised scratch read 8
    fill(q7, out, sum)
}
