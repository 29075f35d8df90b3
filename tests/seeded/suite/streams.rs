//! Streams that are read or written where they have no element, or never closed, and what they do wrong to tensors.

use neuron_device::prelude::*;

use super::launch::{Launch, launch, ramp};
use super::raw::{fill, share};

pub(super) fn launches() -> Vec<Launch> {
    vec![
        launch(op!(d28_reads_a_fifth), |_| ramp(&[4])),
        launch(op!(d28_reads_after_close), |_| ramp(&[4])),
        launch(op!(writes_a_fifth), |_| ramp(&[4])).on(1),
        launch(op!(writes_a_fifth_without_a_buffer), |_| ramp(&[4])).on(1),
        launch(op!(maps_more_than_there_is), |_| ramp(&[4])).on(1),
        launch(op!(writes_after_close), |_| ramp(&[4])).on(1),
        launch(op!(chunk_after_close), |_| ramp(&[4])),
        launch(op!(d08_forgets_a_write_stream), |_| ramp(&[1024])).on(1),
        launch(op!(forgets_a_read_stream), |_| ramp(&[8])),
        launch(op!(streams_overlap), |_| ramp(&[16])),
        launch(op!(streams_without_buffers_overlap), |_| ramp(&[16])),
        launch(op!(streams_what_another_wrote), |_| ramp(&[8])),
        launch(op!(stream_leaves_the_last_out), |_| ramp(&[17])),
        launch(op!(streams_fresh_scratch), |_| ramp(&[8])),
        launch(op!(streams_fresh_unbuffered), |_| ramp(&[8])),
    ]
}

/// D28: four elements, five reads.
#[custom_op]
fn d28_reads_a_fifth(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut stream = x.read_stream_accessor::<f32>(q7, ..)?; //~ past_the_stream x stream 8
    for _ in 0..5 {
        stream.read(); //~ past_the_stream x read 8
    }
    drop(stream);
    fill(q7, out, 0.0_f32)
}

/// D28: closed, with elements left.
#[custom_op]
fn d28_reads_after_close(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut stream = x.read_stream_accessor::<f32>(q7, ..)?; //~ after_close x stream 8
    stream.read();
    stream.close();
    stream.read(); //~ after_close x read 8
    drop(stream);
    fill(q7, out, 0.0_f32)
}

/// The fifth is dropped, and four land.
#[custom_op]
fn writes_a_fifth(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let mut stream = out.write_stream_accessor::<f32>(q7, ..)?; //~ past_the_stream out stream 2
    for i in 0..6 {
        stream.write(i as f32); //~ past_the_stream out written 2
    }
    Ok(())
}

/// The same element by element.
#[custom_op]
fn writes_a_fifth_without_a_buffer(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let _all = q7.tcm_malloc::<u8>(16 << 10)?;
    let mut stream = out.write_stream_accessor::<f32>(q7, ..)?; //~ past_the_stream out stream 2
    stream.write_from((0..6).map(|i| i as f32)); //~ past_the_stream out written 2
    Ok(())
}

/// What `write_map` has no room for.
#[custom_op]
fn maps_more_than_there_is(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let mut stream = out.write_stream_accessor::<f32>(q7, ..)?; //~ past_the_stream out stream 3
    stream.write_map(&[1, 2, 3, 4, 5, 6, 7], |i: i32| i as f32); //~ past_the_stream out written 3
    Ok(())
}

/// Two elements, a close, and two more.
#[custom_op]
fn writes_after_close(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let mut stream = out.write_stream_accessor::<f32>(q7, ..)?; //~ after_close out stream 2; never_written out opened 2
    stream.write_from([1.0, 2.0]);
    stream.close();
    stream.write_from([3.0, 4.0]); //~ after_close out written 2
    Ok(())
}

/// There is none, which is no reason to stop asking.
#[custom_op]
fn chunk_after_close(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut stream = x.read_stream_accessor::<f32>(q7, ..)?; //~ after_close x stream 8
    stream.close();
    assert_eq!(stream.next_chunk(), None); //~ after_close x read 8
    drop(stream);
    fill(q7, out, 0.0_f32)
}

/// D08: ten elements of 1024 are buffered, and the stream is leaked.
#[custom_op]
fn d08_forgets_a_write_stream(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let mut stream = out.write_stream_accessor::<f32>(q7, ..)?; //~ never_closed out stream 1; never_written out opened 1024
    stream.write_from((0..10).map(|i| i as f32));
    std::mem::forget(stream);
    Ok(())
}

/// Its buffer is lost to the op.
#[custom_op]
fn forgets_a_read_stream(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut stream = x.read_stream_accessor::<f32>(q7, ..)?; //~ warning never_closed x stream 8
    let first = stream.read();
    std::mem::forget(stream);
    fill(q7, out, first)
}

/// Each core's stream goes an element too far.
#[custom_op]
fn streams_overlap(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let share = q7.partition_flat(x.numel());
    let range = share.start()..(share.end() + 1).min(x.numel());
    let mut stream = out.write_stream_accessor::<f32>(q7, range)?; //~ written_by_several_cores out written 7
    let own = q7.get_cpu_id() as f32;
    (0..stream.remaining()).for_each(|_| stream.write(own));
    Ok(())
}

/// The same where TCM has no room.
#[custom_op]
fn streams_without_buffers_overlap(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _all = q7.tcm_malloc::<u8>(16 << 10)?;
    let share = q7.partition_flat(x.numel());
    let range = share.start()..(share.end() + 1).min(x.numel());
    let mut stream = out.write_stream_accessor::<f32>(q7, range)?; //~ written_by_several_cores out written 7
    let own = q7.get_cpu_id() as f32;
    (0..stream.remaining()).for_each(|_| stream.write(own));
    Ok(())
}

/// A stream of what another core writes by one.
#[custom_op]
fn streams_what_another_wrote(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let me = u64::from(q7.get_cpu_id());
    let before: f32 = out.read_stream_accessor::<f32>(q7, me.saturating_sub(1)..me)?.sum(); //~ written_and_read out read 7
    out.write_stream_accessor::<f32>(q7, me..=me)?.write(before + 1.0); //~ written_and_read out written 7
    Ok(())
}

/// Sixteen of seventeen.
#[custom_op]
fn stream_leaves_the_last_out(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let start = 2 * u64::from(q7.get_cpu_id());
    let values = x.read_stream_accessor::<f32>(q7, start..start + 2)?;
    out.write_stream_accessor::<f32>(q7, start..start + 2)?.write_from(values); //~ never_written out opened 1
    Ok(())
}

/// Nobody wrote what is read.
#[custom_op]
fn streams_fresh_scratch(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let scratch = q7.empty_like(x)?; //~ never_initialised scratch allocated 64
    let sum: f32 = scratch.read_stream_accessor::<f32>(q7, ..)?.sum(); //~ never_initialised scratch read 64
    fill(q7, out, sum)
}

/// The same element by element: the first three were written.
#[custom_op]
fn streams_fresh_unbuffered(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _all = q7.tcm_malloc::<u8>(16 << 10)?;
    let mut scratch = q7.empty_like(x)?; //~ never_initialised scratch allocated 40
    scratch.write_stream_accessor::<f32>(q7, ..3)?.write_from([1.0; 3]);
    let sum: f32 = scratch.read_stream_accessor::<f32>(q7, ..)?.sum(); //~ never_initialised scratch read 40
    let dst = out.elements_mut::<f32>(q7)?;
    share(q7, x).for_each(|i| dst.set(i, sum));
    Ok(())
}
