//! TCM, streams and copies, used as they should be.

use neuron_device::prelude::*;
use neuron_device::{CoherencyPolicy, CopyMethod, Pending, Q7Ptr, TcmTile};
use neuron_host_sim::Simulator;

use super::super::launch::{Given, Launch, launch, ramp, ramp_of};
use super::super::raw::{begin, block_of, fill, free, further, give_back, load_nx, memcpy, share, take};

pub(super) fn launches() -> Vec<Launch> {
    let in_place = |sim: &mut Simulator| {
        let x = sim.upload(&ramp(&[3000])).unwrap();
        Given::from(x.clone()).into_output(x)
    };
    let halves = |sim: &mut Simulator| {
        let all = sim.upload(&ramp(&[80])).unwrap();
        Given::from(all.narrow(0, 0, 40).unwrap()).into_output(all.narrow(0, 40, 40).unwrap())
    };
    let mut launches = vec![
        launch(op!(tiles_in_place), in_place),
        launch(op!(streams_in_place), in_place),
        launch(op!(beside_a_half), halves),
        launch(op!(copies_of_every_method), |_| ramp(&[100])),
        launch(op!(many_copies_under_way), |_| ramp(&[100])),
        launch(op!(columns_beside_a_copy), |_| ramp(&[8, 8])),
        launch(op!(two_readers), |_| ramp(&[40])),
        launch(op!(one_handle_after_another), |_| ramp(&[40])),
        launch(op!(scratch_by_copies), |_| ramp(&[40])),
        launch(op!(scratch_block_by_copies), |_| ramp(&[40])),
        launch(op!(transposed_by_pieces), |_| ramp(&[9, 5])),
        launch(op!(in_storage_order), |_| ramp(&[9, 5]).transpose(0, 1).unwrap()),
        launch(op!(s14_nested_buffers), |_| ramp(&[40])),
        launch(op!(blocks_by_hand), |_| ramp(&[40])),
        launch(op!(quiet_policy), |_| ramp(&[8])),
        launch(op!(verbose_and_nothing_to_say), |_| ramp(&[40])),
        launch(op!(buffer_too_large_and_goes_on), |_| ramp(&[40])),
        launch(op!(same_bytes_again_and_again), |_| ramp(&[4])),
        launch(op!(poison_is_passed_on), |_| ramp(&[8])),
        launch(op!(waits_again), |_| ramp(&[8])),
        launch(op!(closes_twice), |_| ramp(&[40])),
        launch(op!(mixed), |_| ramp(&[100])),
        launch(op!(returns_what_it_staged), |_| ramp(&[100])),
        launch(op!(mixed), |_| ramp(&[100])).labelled("in every mood").in_moods(),
        launch(op!(double_buffered), |_| ramp(&[3000])).labelled("in every mood").in_moods(),
    ];
    for numel in [0, 1, 7, 8, 1024, 3000] {
        launches.push(launch(op!(staged), move |_| ramp(&[numel])).labelled(format!("{numel}")));
        launches.push(launch(op!(streamed), move |_| ramp(&[numel])).labelled(format!("{numel}")));
        launches.push(launch(op!(unbuffered), move |_| ramp(&[numel])).labelled(format!("{numel}")));
        launches.push(launch(op!(double_buffered), move |_| ramp(&[numel])).labelled(format!("{numel}")));
    }
    for cores in [1, 3] {
        launches.push(launch(op!(staged_of_any), |_| ramp_of::<i8>(&[1000])).labelled("of i8").on(cores));
        launches.push(launch(op!(staged_of_any), |_| ramp_of::<i64>(&[1000])).labelled("of i64").on(cores));
    }
    launches
}

#[custom_op]
fn staged(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut buffer = q7.tcm_malloc::<f32>(96)?;
    for tile in q7.partition_flat(x.numel()).tiles(96) {
        let values = x.tensor_to_tcm(q7, tile, &mut buffer)?;
        values.iter_mut().for_each(|value| *value += 1.0);
        out.tcm_to_tensor(q7, tile.offset, values)?;
    }
    Ok(())
}

#[custom_op]
fn staged_of_any(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    if x.dtype() == Dtype::I8 { staged_of::<i8>(q7, x, out) } else { staged_of::<i64>(q7, x, out) }
}

fn staged_of<T: Element>(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut buffer = q7.tcm_malloc::<T>(33)?;
    for tile in q7.partition_flat(x.numel()).tiles(33) {
        let values = x.strided_to_tcm(q7, tile, &mut buffer)?;
        out.tcm_to_strided(q7, tile.offset, values)?;
    }
    Ok(())
}

#[custom_op]
fn streamed(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let share = q7.partition_flat(x.numel());
    let mut from = x.read_stream_accessor::<f32>(q7, share)?;
    let mut to = out.write_stream_accessor::<f32>(q7, share)?;
    if let Some(first) = from.next() {
        to.write(first + 1.0);
    }
    while let Some(chunk) = from.next_chunk() {
        to.write_map(chunk, |value| value + 1.0);
    }
    Ok(())
}

/// TCM is full, and streams go element by element.
#[custom_op]
fn unbuffered(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _all = q7.tcm_malloc::<u8>(16 << 10)?;
    let share = q7.partition_flat(x.numel());
    let from = x.read_stream_accessor::<f32>(q7, share)?;
    out.write_stream_accessor::<f32>(q7, share)?.write_from(from);
    Ok(())
}

/// A tile comes, one is worked on, one goes.
#[custom_op]
fn double_buffered(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut tiles = q7.partition_flat(x.numel()).tiles(32);
    let Some(first) = tiles.next() else { return Ok(()) };
    let mut offset = first.offset;
    let mut coming = x.tensor_to_tcm_async(q7, first, q7.tcm_malloc::<f32>(32)?)?;
    let mut going = None;
    let mut spare = Some(q7.tcm_malloc::<f32>(32)?);
    for tile in tiles {
        let room = match (spare.take(), going.take()) {
            (Some(room), _) => room,
            (None, Some(pending)) => {
                let tile: TcmTile<'_, f32> = Pending::wait(pending);
                tile.into_buf()
            }
            (None, None) => q7.tcm_malloc::<f32>(32)?,
        };
        let next = x.tensor_to_tcm_async(q7, tile, room)?;
        let mut values = std::mem::replace(&mut coming, next).wait();
        values.iter_mut().for_each(|value| *value *= 2.0);
        going = Some(out.tcm_to_tensor_async(q7, offset, values)?);
        offset = tile.offset;
    }
    let last = coming.wait();
    out.tcm_to_tensor_async(q7, offset, last)?.wait();
    going.into_iter().for_each(|pending| drop(pending.wait()));
    Ok(())
}

#[custom_op(in_place)]
fn tiles_in_place(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut buffer = q7.tcm_malloc::<f32>(100)?;
    for tile in q7.partition_flat(x.numel()).tiles(100) {
        let values = x.tensor_to_tcm(q7, tile, &mut buffer)?;
        values.reverse();
        out.tcm_to_tensor(q7, tile.offset, values)?;
    }
    Ok(())
}

/// One stream after the other: each tile is read to its end before it is written.
#[custom_op(in_place)]
fn streams_in_place(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    for tile in q7.partition_flat(x.numel()).tiles(512) {
        let range = tile.offset..tile.offset + u64::from(tile.len);
        let values: Vec<f32> = x.read_stream_accessor::<f32>(q7, range.clone())?.collect();
        out.write_stream_accessor::<f32>(q7, range)?.write_from(values.into_iter().map(|value| -value));
    }
    Ok(())
}

/// Copies to one half of a storage while a stream goes through the other: the rule is of accessors.
#[custom_op]
fn beside_a_half(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let share = q7.partition_flat(x.numel());
    let mut stream = x.read_stream_accessor::<f32>(q7, share)?;
    let mut buffer = q7.tcm_malloc::<f32>(8)?;
    let mut at = share.start();
    while let Some(chunk) = stream.next_chunk() {
        let values = buffer.write_from(chunk.iter().copied());
        out.tcm_to_tensor(q7, at, values)?;
        at += values.len() as u64;
    }
    Ok(())
}

#[custom_op]
fn copies_of_every_method(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.q7_data_ptr::<f32>()?, out.q7_data_ptr::<f32>()?);
    let methods = [CopyMethod::CMemcpy, CopyMethod::VecMemcpy, CopyMethod::Dma];
    for (i, method) in share(q7, x).zip(methods.into_iter().cycle()) {
        q7.set_memcpy_method(method);
        let block = q7.neuron_dataram_allocate(4, 4)?;
        memcpy(q7, block, src.add(i).unwrap(), 4)?;
        memcpy(q7, dst.add(i).unwrap(), block, 4)?;
        free(q7, block);
    }
    Ok(())
}

/// More than the ring has room for.
#[custom_op]
fn many_copies_under_way(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut coming = Vec::new();
    for tile in q7.partition_flat(x.numel()).tiles(2) {
        coming.push((tile.offset, x.tensor_to_tcm_async(q7, tile, q7.tcm_malloc::<f32>(2)?)?));
    }
    let mut going = Vec::new();
    for (offset, pending) in coming {
        going.push(out.tcm_to_tensor_async(q7, offset, pending.wait())?);
    }
    going.into_iter().for_each(|pending| drop(pending.wait()));
    Ok(())
}

/// Column 0 is read and written by element while column 1 is copied, row by row: they lie between each other.
#[custom_op]
fn columns_beside_a_copy(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let row = u64::from(q7.get_cpu_id());
    let tile = q7.tcm_malloc::<f32>(7)?.filled_with(1.0);
    let src = x.elements::<f32>(q7)?;
    let pending = out.tcm_to_tensor_async(q7, 8 * row + 1, tile)?;
    let dst = out.elements_mut::<f32>(q7)?;
    dst.set(8 * row, src.get(8 * row));
    pending.wait();
    let coming = x.tensor_to_tcm_async(q7, Span { offset: 1, len: 7 }, q7.tcm_malloc::<f32>(7)?)?;
    let column: f32 = (0..8).map(|row| src.get(8 * row)).sum();
    assert_eq!((column, coming.wait()[0]), (224.0, 1.0));
    Ok(())
}

/// Many read streams of one tensor, from several lines, do not get in each other's way; nor do copies.
#[custom_op]
fn two_readers(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let share = q7.partition_flat(x.numel());
    let one = x.read_stream_accessor::<f32>(q7, share)?;
    let view = x.narrow(0, 0, 40)?;
    let other = view.read_stream_accessor::<f32>(q7, share)?;
    let mut buffer = q7.tcm_malloc::<f32>(40)?;
    let all = x.tensor_to_tcm(q7, Span { offset: 0, len: 40 }, &mut buffer)?;
    let first = all[0];
    out.write_stream_accessor::<f32>(q7, share)?.write_from(one.zip(other).map(|(a, b)| a + b + first));
    Ok(())
}

#[custom_op]
fn one_handle_after_another(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let share = q7.partition_flat(x.numel());
    let first = x.elements::<f32>(q7)?.get(0);
    let sum: f32 = x.read_stream_accessor::<f32>(q7, share)?.sum();
    let again = x.elements::<f32>(q7)?.get(1);
    out.write_stream_accessor::<f32>(q7, share)?.write_from(share.into_iter().map(|_| sum));
    let dst = out.elements_mut::<f32>(q7)?;
    share.into_iter().for_each(|i| dst.set(i, dst.get(i) + first + again));
    Ok(())
}

/// Written by element, copied in, copied out, read by stream.
#[custom_op]
fn scratch_by_copies(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut scratch = q7.empty_like(x)?;
    let cells = scratch.elements_mut::<f32>(q7)?;
    (0..20).for_each(|i| cells.set(i, i as f32));
    let mut buffer = q7.tcm_malloc::<f32>(20)?;
    let half = scratch.tensor_to_tcm(q7, Span { offset: 0, len: 20 }, &mut buffer)?;
    scratch.tcm_to_tensor(q7, 20, half)?;
    let share = q7.partition_flat(x.numel());
    let values = scratch.read_stream_accessor::<f32>(q7, share)?;
    out.write_stream_accessor::<f32>(q7, share)?.write_from(values);
    Ok(())
}

#[custom_op]
fn scratch_block_by_copies(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let there = take(q7, 160, 64)?;
    let here = q7.neuron_dataram_allocate(160, 64)?;
    memcpy(q7, here, x.q7_data_ptr::<f32>()?, 160)?;
    memcpy(q7, Q7Ptr::<f32>::in_block(there), here, 160)?;
    free(q7, here);
    let again = q7.neuron_dataram_allocate(160, 64)?;
    memcpy(q7, again, Q7Ptr::<f32>::in_block(there), 160)?;
    let dst = out.elements_mut::<f32>(q7)?;
    share(q7, x).for_each(|i| dst.set(i, load_nx(q7, further(again, 4 * i as i32))));
    free(q7, again);
    give_back(q7, there);
    Ok(())
}

/// Columns of the output are rows of the tile.
#[custom_op]
fn transposed_by_pieces(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut buffer = q7.tcm_malloc::<f32>(9)?;
    let (from, mut to) = (x.transpose(0, 1)?, out.transpose(0, 1)?);
    for column in q7.partition(5) {
        let at = 9 * u64::from(column);
        let values = from.strided_to_tcm(q7, Span { offset: at, len: 9 }, &mut buffer)?;
        to.tcm_to_strided(q7, at, values)?;
    }
    Ok(())
}

/// The order of the storage is the same on both sides.
#[custom_op]
fn in_storage_order(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let share = q7.partition_flat(x.numel());
    let values = x.read_stream_accessor_storage_order::<f32>(q7, share)?;
    out.write_stream_accessor_storage_order::<f32>(q7, share)?.write_from(values);
    let mut buffer = q7.tcm_malloc::<f32>(9)?;
    for tile in share.tiles(9) {
        let values = x.tensor_to_tcm_storage_order(q7, tile, &mut buffer)?;
        out.tcm_to_tensor_storage_order(q7, tile.offset, values)?;
    }
    Ok(())
}

/// S14: buffers inside the life of others, and a part of one.
#[custom_op]
fn s14_nested_buffers(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut outer = q7.tcm_malloc::<f32>(40)?;
    let all = x.tensor_to_tcm(q7, Span { offset: 0, len: 40 }, &mut outer)?;
    for tile in q7.partition_flat(x.numel()).tiles(3) {
        let mut inner = q7.tcm_malloc::<f32>(3)?;
        let part = &all[tile.offset as usize..][..tile.len as usize];
        out.tcm_to_tensor(q7, tile.offset, part)?;
        let back = out.tensor_to_tcm(q7, tile, &mut inner)?;
        assert_eq!(back, part);
    }
    Ok(())
}

#[custom_op]
fn blocks_by_hand(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (first, second) = (block_of(q7, &[1.0_f32, 2.0])?, block_of(q7, &[3_i64])?);
    let sum = load_nx::<f32>(q7, further(first, 4)) + load_nx::<i64>(q7, second) as f32;
    free(q7, first);
    let third = block_of(q7, &[4_u8])?;
    let sum = sum + f32::from(load_nx::<u8>(q7, third));
    free(q7, second);
    free(q7, third);
    let _ = x;
    fill(q7, out, sum)
}

/// The kernel knows better, and says so.
#[custom_op]
fn quiet_policy(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    q7.set_coherency_policy(CoherencyPolicy::IncoherentQuiet);
    let own = share(q7, x).next().unwrap();
    let view = out.narrow(0, 0, 8)?;
    let mut stream = out.write_stream_accessor::<f32>(q7, own..=own)?;
    stream.write(3.0);
    stream.close();
    assert_eq!(view.elements::<f32>(q7)?.get(own), 3.0);
    Ok(())
}

#[custom_op]
fn verbose_and_nothing_to_say(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    q7.set_coherency_policy(CoherencyPolicy::IncoherentVerbose);
    let share = q7.partition_flat(x.numel());
    let values = x.read_stream_accessor::<f32>(q7, share)?;
    out.write_stream_accessor::<f32>(q7, share)?.write_from(values);
    Ok(())
}

/// N10, done right: a smaller tile does it too.
#[custom_op]
fn buffer_too_large_and_goes_on(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let error = q7.tcm_malloc::<u8>((16 << 10) + 1).unwrap_err();
    assert!(error.to_string().contains("16385 bytes"), "{error}");
    let mut buffer = q7.tcm_malloc::<f32>(q7.tcm_largest_free() / 4)?;
    for tile in q7.partition_flat(x.numel()).tiles(buffer.len()) {
        let values = x.tensor_to_tcm(q7, tile, &mut buffer)?;
        out.tcm_to_tensor(q7, tile.offset, values)?;
    }
    Ok(())
}

/// What is looked up often is no endless loop.
#[custom_op]
fn same_bytes_again_and_again(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut buffer = q7.tcm_malloc::<f32>(4)?;
    let mut sum = 0.0;
    for _ in 0..1000 {
        sum += x.tensor_to_tcm(q7, Span { offset: 0, len: 4 }, &mut buffer)?[3];
    }
    fill(q7, out, sum)
}

/// The first of them is a block's, the rest has a value.
#[custom_op]
fn poison_is_passed_on(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut buffer = q7.tcm_malloc::<f32>(4)?;
    let values = x.tensor_to_tcm(q7, Span { offset: 0, len: 0 }, &mut buffer)?;
    assert!(values.is_empty());
    out.tcm_to_tensor(q7, 8, values)?;
    let own = share(q7, x).next().unwrap();
    out.tcm_to_tensor(q7, own, buffer.write_from([2.0]))?;
    Ok(())
}

/// A copy that is over can be waited for.
#[custom_op]
fn waits_again(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let own = share(q7, x).next().unwrap();
    let block = q7.neuron_dataram_allocate(4, 4)?;
    let copy = begin(q7, block, x.q7_data_ptr::<f32>()?.add(own).unwrap(), 4)?;
    q7.neuron_memcpy_wait(copy);
    q7.neuron_memcpy_wait(copy);
    memcpy(q7, out.q7_data_ptr::<f32>()?.add(own).unwrap(), block, 4)?;
    q7.neuron_memcpy_wait(copy);
    free(q7, block);
    Ok(())
}

#[custom_op]
fn closes_twice(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let share = q7.partition_flat(x.numel());
    let mut stream = out.write_stream_accessor::<f32>(q7, share)?;
    stream.write_from(share.into_iter().map(|i| i as f32));
    stream.close();
    stream.close();
    drop(stream);
    let last = share.end() - 1;
    assert_eq!(out.elements::<f32>(q7)?.get(last), last as f32);
    Ok(())
}

/// Everything at once, each in its place.
#[custom_op]
fn mixed(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let scratch = take(q7, 400, 64)?;
    let block = q7.neuron_dataram_allocate(400, 64)?;
    let all = begin(q7, block, x.q7_data_ptr::<f32>()?, 400)?;
    let mut tile = q7.tcm_malloc::<f32>(5)?;
    for span in q7.partition_flat(x.numel()).tiles(5) {
        let values = x.tensor_to_tcm(q7, span, &mut tile)?;
        out.tcm_to_tensor(q7, span.offset, values)?;
    }
    q7.neuron_memcpy_wait(all);
    q7.set_memcpy_method(CopyMethod::VecMemcpy);
    memcpy(q7, Q7Ptr::<f32>::in_block(scratch), block, 400)?;
    let dst = out.elements_mut::<f32>(q7)?;
    for i in share(q7, x) {
        let value: f32 = super::super::raw::load(q7, Q7Ptr::in_block(scratch).add(i).unwrap());
        dst.set(i, dst.get(i) + value + load_nx::<f32>(q7, further(block, 4 * i as i32)));
    }
    free(q7, block);
    give_back(q7, scratch);
    Ok(())
}

/// Of a returned tensor each core copies its tiles.
#[custom_op]
fn returns_what_it_staged(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    let mut result = q7.empty_like(x)?;
    let mut buffer = q7.tcm_malloc::<f32>(5)?;
    for tile in q7.partition_flat(x.numel()).tiles(5) {
        let values = x.tensor_to_tcm(q7, tile, &mut buffer)?;
        result.tcm_to_tensor(q7, tile.offset, values)?;
    }
    Ok(result)
}
