//! Blocks of the scratch, written before they are read, and given back.

use neuron_device::Q7Ptr;
use neuron_device::prelude::*;

use super::super::launch::{Launch, launch, ramp};
use super::super::raw::{fill, further, give_back, load, load_nx, share, store, store_nx, take};

pub(super) fn launches() -> Vec<Launch> {
    vec![
        launch(op!(one_block), |_| ramp(&[40])),
        launch(op!(a_block_for_each_element), |_| ramp(&[40])),
        launch(op!(a_block_for_each_element), |_| ramp(&[40])).labelled("in every mood").in_moods(),
        launch(op!(elements_of_several_sizes), |_| ramp(&[40])),
        launch(op!(given_back_in_another_order), |_| ramp(&[40])),
        launch(op!(between_tensors), |_| ramp(&[40])),
        launch(op!(no_room_and_goes_on), |_| ramp(&[40])),
    ]
}

#[custom_op]
fn one_block(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let block = take(q7, 4 * x.numel(), 4)?;
    let cells = Q7Ptr::<f32>::in_block(block);
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    share(q7, x).for_each(|i| store(q7, cells.add(i).unwrap(), src.get(i)));
    share(q7, x).for_each(|i| dst.set(i, load(q7, cells.add(i).unwrap())));
    give_back(q7, block);
    Ok(())
}

/// The same bytes over and over, more blocks than a heap has descriptors for.
#[custom_op]
fn a_block_for_each_element(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    for i in 0..x.numel() {
        let block = take(q7, 8, 64)?;
        let cell = Q7Ptr::<f32>::in_block(block);
        store(q7, cell, src.get(i));
        if share(q7, x).any(|own| own == i) {
            dst.set(i, load(q7, cell));
        }
        give_back(q7, block);
    }
    Ok(())
}

/// Bytes have no type.
#[custom_op]
fn elements_of_several_sizes(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let block = take(q7, 16, 64)?;
    store(q7, Q7Ptr::<i64>::in_block(block), 0x3F80_0000);
    let one: f32 = load(q7, Q7Ptr::in_block(block));
    let local = q7.translate(block);
    store_nx(q7, further(local, 8), 2_u8);
    let two = load_nx::<u8>(q7, further(local, 8));
    give_back(q7, block);
    fill(q7, out, one + f32::from(two))
}

#[custom_op]
fn given_back_in_another_order(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let blocks = [take(q7, 100, 64)?, take(q7, 1, 1)?, take(q7, 5000, 4096)?];
    for (block, value) in blocks.into_iter().zip([1_u8, 2, 3]) {
        store(q7, Q7Ptr::in_block(block), value);
    }
    let sum: u8 = blocks.into_iter().map(|block| load::<u8>(q7, Q7Ptr::in_block(block))).sum();
    [1, 0, 2].into_iter().for_each(|at| give_back(q7, blocks[at]));
    fill(q7, out, f32::from(sum))
}

/// A tensor, then, takes the block's place.
#[custom_op]
fn between_tensors(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let first = q7.empty_like(x)?;
    let block = take(q7, 64, 64)?;
    store(q7, Q7Ptr::<f32>::in_block(block), 1.0);
    give_back(q7, block);
    let mut second = q7.empty_like(x)?;
    assert_eq!(second.storage(), block);
    fill(q7, &mut second, 2.0_f32)?;
    let own: Vec<f32> = {
        let cells = second.elements::<f32>(q7)?;
        share(q7, &first).map(|i| cells.get(i)).collect()
    };
    fill(q7, out, own.first().copied().unwrap_or(2.0))
}

/// D24, done right: the kernel knows that there is no room, and does without.
#[custom_op]
fn no_room_and_goes_on(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    match take(q7, 1 << 40, 64) {
        Ok(block) => give_back(q7, block),
        Err(error) => assert!(error.to_string().contains("which is exhausted: "), "{error}"),
    }
    fill(q7, out, 1.0_f32)
}
