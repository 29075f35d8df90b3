//! Copies in elements, between tensors and TCM buffers, that go wrong.

use neuron_device::prelude::*;
use neuron_host_sim::Simulator;

use super::launch::{Given, Launch, launch, ramp};
use super::raw::{fill, share};

pub(super) fn launches() -> Vec<Launch> {
    let in_place = |sim: &mut Simulator| {
        let x = sim.upload(&ramp(&[16])).unwrap();
        Given::from(x.clone()).into_output(x)
    };
    let two = |sim: &mut Simulator| {
        let both = sim.upload(&ramp(&[16])).unwrap();
        let (x, y) = (both.narrow(0, 0, 8).unwrap(), both.narrow(0, 8, 8).unwrap());
        Given::from([x.into(), y.into()])
    };
    vec![
        launch(op!(stages_past_the_end), |_| ramp(&[17])),
        launch(op!(stages_past_the_end_by_core), |_| ramp(&[17])),
        launch(op!(stages_out_past_the_end), |_| ramp(&[8])),
        launch(op!(stages_the_neighbour), two),
        launch(op!(stages_past_a_view), |_| ramp(&[4, 4]).transpose(0, 1).unwrap()),
        launch(op!(stages_strided_past_the_end), |_| ramp(&[4, 4]).transpose(0, 1).unwrap()),
        launch(op!(starts_past_the_end), |_| ramp(&[8])),
        launch(op!(tiles_overlap), |_| ramp(&[16])),
        launch(op!(equal_tiles_overlap), |_| ramp(&[16])),
        launch(op!(columns_overlap), |_| ramp(&[4, 9])),
        launch(op!(stages_what_another_wrote), |_| ramp(&[8])),
        launch(op!(writes_what_another_stages), |_| ramp(&[8])),
        launch(op!(neighbours_staged_in_place), in_place),
        launch(op!(last_tile_left_out), |_| ramp(&[20])),
        launch(op!(column_left_out), |_| ramp(&[8, 3])),
        launch(op!(stages_fresh_scratch), |_| ramp(&[8])),
        launch(op!(stages_an_empty_input), |sim| sim.empty(Dtype::F32, &[8]).unwrap()), //~ host
        launch(op!(returns_nine_tiles), |_| ramp(&[17])).on(1),
    ]
}

/// The last tile is longer than what is left.
#[custom_op]
fn stages_past_the_end(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut buffer = q7.tcm_malloc::<f32>(4)?;
    let tile = x.tensor_to_tcm(q7, Span { offset: 16, len: 4 }, &mut buffer)?; //~ past_the_end x read 24
    let first = tile[0];
    fill(q7, out, first)
}

/// The same by the core's own copies, which come with what does not exist and go on with it.
#[custom_op]
fn stages_past_the_end_by_core(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    q7.set_memcpy_method(neuron_device::CopyMethod::CMemcpy);
    let mut buffer = q7.tcm_malloc::<f32>(4)?;
    for tile in q7.partition_flat(17).tiles(4) {
        let len = if tile.offset + 4 > 16 { 4 } else { tile.len };
        let values = x.tensor_to_tcm(q7, Span { len, ..tile }, &mut buffer)?; //~ past_the_end x read 2
        out.tcm_to_tensor(q7, tile.offset, values)?; //~ past_the_end out written 2; warning written_by_several_cores out written 2
    }
    Ok(())
}

/// Core 7 has one element and copies three.
#[custom_op]
fn stages_out_past_the_end(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    if q7.get_cpu_id() < 7 {
        return fill(q7, out, 0.0_f32);
    }
    let mut buffer = q7.tcm_malloc::<f32>(3)?;
    out.tcm_to_tensor(q7, 7, buffer.fill(1.0))?; //~ past_the_end out written 2
    Ok(())
}

/// Behind `x` lies `y`.
#[custom_op]
fn stages_the_neighbour(q7: &Q7, x: &Tensor, y: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = y;
    let mut buffer = q7.tcm_malloc::<f32>(4)?;
    let tile = x.tensor_to_tcm(q7, Span { offset: 6, len: 4 }, &mut buffer)?; //~ in_another_tensor x read 16
    let first = tile[0];
    fill(q7, out, first)
}

/// In storage order, and there are sixteen.
#[custom_op]
fn stages_past_a_view(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut buffer = q7.tcm_malloc::<f32>(8)?;
    let all = Span { offset: 12, len: 8 };
    let tile = x.tensor_to_tcm_storage_order(q7, all, &mut buffer)?; //~ past_the_end x read 32
    let first = tile[0];
    fill(q7, out, first)
}

/// In the view's own order.
#[custom_op]
fn stages_strided_past_the_end(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut buffer = q7.tcm_malloc::<f32>(8)?;
    let tile = x.strided_to_tcm(q7, Span { offset: 10, len: 8 }, &mut buffer)?; //~ past_the_end x read 16
    let first = tile[0];
    fill(q7, out, first)
}

/// Nothing of it is there, and nothing is transferred.
#[custom_op]
fn starts_past_the_end(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let buffer = q7.tcm_malloc::<f32>(2)?;
    let pending = x.tensor_to_tcm_async(q7, Span { offset: 9, len: 2 }, buffer)?; //~ past_the_end x read 16
    let tile = pending.wait();
    let first = tile[0];
    fill(q7, out, first)
}

/// Each core's tile has the first element of the next core's.
#[custom_op]
fn tiles_overlap(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut buffer = q7.tcm_malloc::<f32>(3)?;
    let start = q7.partition_flat(x.numel()).start();
    let len = (x.numel() - start).min(3);
    let mine = buffer.fill(q7.get_cpu_id() as f32);
    out.tcm_to_tensor(q7, start, &mine[..len as usize])?; //~ written_by_several_cores out written 7
    Ok(())
}

/// The same, and what is written twice is the same.
#[custom_op]
fn equal_tiles_overlap(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let start = q7.partition_flat(x.numel()).start();
    let span = Span { offset: start, len: (x.numel() - start).min(3) as u32 };
    let tile = x.tensor_to_tcm_async(q7, span, q7.tcm_malloc::<f32>(3)?)?.wait();
    out.tcm_to_tensor_async(q7, start, tile)?.wait(); //~ warning written_by_several_cores out written 7
    Ok(())
}

/// Columns of a matrix, of which each core takes one too many.
#[custom_op]
fn columns_overlap(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut columns = out.transpose(0, 1)?;
    let mut buffer = q7.tcm_malloc::<f32>(36)?;
    let share = q7.partition_flat(9);
    let (start, end) = (share.start(), (share.end() + 1).min(9));
    let mine = buffer.fill(q7.get_cpu_id() as f32);
    columns.tcm_to_strided(q7, 4 * start, &mine[..4 * (end - start) as usize])?; //~ written_by_several_cores out written 28
    let _ = x;
    Ok(())
}

/// A copy in of what another core writes by element.
#[custom_op]
fn stages_what_another_wrote(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let me = u64::from(q7.get_cpu_id());
    let mut buffer = q7.tcm_malloc::<f32>(1)?;
    let mut before = 0.0;
    if me > 0 {
        before = out.tensor_to_tcm(q7, Span { offset: me - 1, len: 1 }, &mut buffer)?[0]; //~ written_and_read out read 7
    }
    out.elements_mut::<f32>(q7)?.set(me, before + 1.0); //~ written_and_read out written 7
    Ok(())
}

/// The other way round.
#[custom_op]
fn writes_what_another_stages(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let me = u64::from(q7.get_cpu_id());
    let before = if me > 0 { out.elements::<f32>(q7)?.get(me - 1) } else { 0.0 }; //~ written_and_read out read 7
    let mut buffer = q7.tcm_malloc::<f32>(1)?;
    out.tcm_to_tensor(q7, me, buffer.fill(before + 1.0))?; //~ written_and_read out written 7
    Ok(())
}

/// R03 by tiles: a tile and its neighbours, written over by the cores they belong to.
#[custom_op(in_place)]
fn neighbours_staged_in_place(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut buffer = q7.tcm_malloc::<f32>(3)?;
    let start = q7.partition_flat(x.numel()).start();
    let len = (x.numel() - start).min(3) as u32;
    let tile = x.tensor_to_tcm(q7, Span { offset: start, len }, &mut buffer)?; //~ written_and_read out read 7
    tile[0] += tile[len as usize - 1];
    out.tcm_to_tensor(q7, start, &tile[..2])?; //~ written_and_read out written 7
    Ok(())
}

/// Whole tiles only.
#[custom_op]
fn last_tile_left_out(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut buffer = q7.tcm_malloc::<f32>(2)?;
    let start = 2 * u64::from(q7.get_cpu_id());
    let tile = x.tensor_to_tcm(q7, Span { offset: start, len: 2 }, &mut buffer)?;
    out.tcm_to_tensor(q7, start, tile)?; //~ never_written out opened 4
    Ok(())
}

/// Two columns of three.
#[custom_op]
fn column_left_out(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut columns = out.transpose(0, 1)?;
    let mut buffer = q7.tcm_malloc::<f32>(2)?;
    let mine = q7.partition_flat(16);
    columns.tcm_to_strided(q7, mine.start(), buffer.fill(1.0))?; //~ never_written out opened 8
    let _ = x;
    Ok(())
}

/// Nobody wrote what is copied.
#[custom_op]
fn stages_fresh_scratch(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let scratch = q7.empty_like(x)?; //~ never_initialised scratch allocated 64
    let mut buffer = q7.tcm_malloc::<f32>(8)?;
    let tile = scratch.tensor_to_tcm(q7, Span { offset: 0, len: 8 }, &mut buffer)?; //~ never_initialised scratch read 64
    let first = tile[0];
    fill(q7, out, first)
}

/// Nor did the host.
#[custom_op]
fn stages_an_empty_input(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    //~ never_initialised x allocated@host 64
    let mut buffer = q7.tcm_malloc::<f32>(8)?;
    let tile = x.strided_to_tcm(q7, Span { offset: 0, len: 8 }, &mut buffer)?; //~ never_initialised x read 64
    let first = tile[0];
    fill(q7, out, first)
}

/// Tiles of one element with gaps between, more than are remembered.
#[custom_op]
fn returns_nine_tiles(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    let mut result = q7.empty_like(x)?;
    let mut buffer = q7.tcm_malloc::<f32>(1)?;
    let one = buffer.fill(1.0);
    for i in share(q7, x).step_by(2) {
        result.tcm_to_tensor(q7, i, one)?; //~ too_many_runs result written 1; never_written result opened 9
    }
    Ok(result)
}
