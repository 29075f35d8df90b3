//! Memory that two cores touch, at least one of them writing.

use neuron_device::prelude::*;

use super::launch::{Given, Launch, launch, ramp, ramp_of};
use super::raw::{address, load, load_nx, share, store, store_nx};

pub(super) fn launches() -> Vec<Launch> {
    let in_place = |sim: &mut neuron_host_sim::Simulator| {
        let x = sim.upload(&ramp(&[16])).unwrap();
        Given::from(x.clone()).into_output(x)
    };
    vec![
        launch(op!(r06_different_values), |_| ramp(&[1])),
        launch(op!(r06_equal_values), |_| ramp(&[1])),
        launch(op!(shares_overlap), |_| ramp(&[17])),
        launch(op!(rows_overlap), |_| ramp(&[9, 4])),
        launch(op!(two_lines_write_one_element), |_| ramp(&[8])),
        launch(op!(pointers_write_one_element), |_| ramp(&[8])),
        launch(op!(locals_write_one_element), |_| ramp(&[8])),
        launch(op!(bytes_of_one_word_overlap), |_| ramp_of::<u8>(&[17])),
        launch(op!(r03_neighbours_in_place), in_place),
        launch(op!(reversed_in_place), in_place),
        launch(op!(s17_reads_the_core_before), |_| ramp(&[8])),
        launch(op!(pointer_reads_the_core_before), |_| ramp(&[8])),
        launch(op!(local_reads_the_core_before), |_| ramp(&[8])),
        launch(op!(accessor_reads_the_row_before), |_| ramp(&[8, 2])),
        launch(op!(sums_into_one_element), |_| ramp(&[8])),
        launch(op!(spins_on_a_flag), |_| ramp(&[8])),
    ]
}

/// R06: the last one wins.
#[custom_op]
fn r06_different_values(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let dst = out.elements_mut::<f32>(q7)?;
    dst.set(0, q7.get_cpu_id() as f32); //~ written_by_several_cores out written 1
    Ok(())
}

/// R06: whoever wins, the result is the same.
#[custom_op]
fn r06_equal_values(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let dst = out.elements_mut::<f32>(q7)?;
    dst.set(0, 1.0); //~ warning written_by_several_cores out written 1
    Ok(())
}

/// Each share has the first element of the next, which both set to the same.
#[custom_op]
fn shares_overlap(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    let share = q7.partition_flat(x.numel());
    for i in share.start()..(share.end() + 1).min(x.numel()) {
        dst.set(i, src.get(i)); //~ warning written_by_several_cores out written 7
    }
    Ok(())
}

/// Each share of rows has the first of the next, of which each core makes its own.
#[custom_op]
fn rows_overlap(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.accessor::<f32, 2>(q7)?, out.accessor_mut::<f32, 2>(q7)?);
    let rows = q7.partition(src.size(0));
    for i in rows.start()..(rows.end() + 1).min(src.size(0)) {
        for j in 0..src.size(1) {
            let value = src.get([i, j]) + q7.get_cpu_id() as f32;
            dst.set([i, j], value); //~ written_by_several_cores out written 28
        }
    }
    Ok(())
}

/// Core 0 writes a header where core 1 writes its share.
#[custom_op]
fn two_lines_write_one_element(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let dst = out.elements_mut::<f32>(q7)?;
    if q7.get_cpu_id() == 0 {
        dst.set(1, -1.0); //~ written_by_several_cores out written 1
    }
    for i in share(q7, x) {
        dst.set(i, 7.0); //~ written_by_several_cores out written 1
    }
    Ok(())
}

/// The pointer is not moved to the core's share.
#[custom_op]
fn pointers_write_one_element(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let first = out.q7_data_ptr::<f32>()?;
    store(q7, first.add(3).unwrap(), q7.get_cpu_id() as f32); //~ written_by_several_cores out written 1
    let dst = out.elements_mut::<f32>(q7)?;
    share(q7, x).filter(|&i| i != 3).for_each(|i| dst.set(i, 0.0));
    Ok(())
}

/// The same by local address.
#[custom_op]
fn locals_write_one_element(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let to = q7.translate(address::<f32>(out, 3));
    store_nx(q7, to, q7.get_cpu_id() as f32); //~ written_by_several_cores out written 1
    let dst = out.elements_mut::<f32>(q7)?;
    share(q7, x).filter(|&i| i != 3).for_each(|i| dst.set(i, 0.0));
    Ok(())
}

/// Bytes: a word has elements of several cores, of which one is written twice.
#[custom_op]
fn bytes_of_one_word_overlap(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let dst = out.elements_mut::<u8>(q7)?;
    let share = q7.partition_flat(x.numel());
    for i in share.start()..(share.end() + 1).min(x.numel()) {
        dst.set(i, q7.get_cpu_id() as u8); //~ written_by_several_cores out written 7
    }
    Ok(())
}

/// R03: each element from its neighbours, of which some are another core's, and written over before or after.
#[custom_op(in_place)]
fn r03_neighbours_in_place(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    let n = x.numel();
    for i in share(q7, x) {
        let before = src.get((i + n - 1) % n); //~ written_and_read out read 8
        let after = src.get((i + 1) % n); //~ written_and_read out read 8
        dst.set(i, before + after); //~ written_and_read out written 8; written_and_read out written 8
    }
    Ok(())
}

/// Each element from the other end.
#[custom_op(in_place)]
fn reversed_in_place(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    for i in share(q7, x) {
        let opposite = src.get(x.numel() - 1 - i); //~ written_and_read out read 16
        dst.set(i, opposite); //~ written_and_read out written 16
    }
    Ok(())
}

/// S17: run one after the other, every core finds what it waits for.
#[custom_op]
fn s17_reads_the_core_before(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let (dst, me) = (out.elements_mut::<f32>(q7)?, u64::from(q7.get_cpu_id()));
    let before = if me == 0 { 0.0 } else { dst.get(me - 1) }; //~ written_and_read out read 7
    dst.set(me, before + 1.0); //~ written_and_read out written 7
    Ok(())
}

/// The same by pointer.
#[custom_op]
fn pointer_reads_the_core_before(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let own = out.q7_data_ptr::<f32>()?.add(q7.get_cpu_id().into()).unwrap();
    let dst = out.elements_mut::<f32>(q7)?;
    let before = if q7.get_cpu_id() == 0 { 0.0 } else { load(q7, own.sub(1).unwrap()) }; //~ written_and_read out read 7
    dst.set(q7.get_cpu_id().into(), before + 1.0); //~ written_and_read out written 7
    Ok(())
}

/// The same by local address.
#[custom_op]
fn local_reads_the_core_before(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let me = u64::from(q7.get_cpu_id());
    let before = q7.translate(address::<f32>(out, me.saturating_sub(1)));
    let before = if me == 0 { 0.0 } else { load_nx(q7, before) }; //~ written_and_read out read 7
    let own = q7.translate(address::<f32>(out, me));
    store_nx(q7, own, before + 1.0); //~ written_and_read out written 7
    Ok(())
}

/// The same by accessor: the first column of the row before.
#[custom_op]
fn accessor_reads_the_row_before(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let (cells, row) = (out.accessor_mut::<f32, 2>(q7)?, q7.get_cpu_id());
    let before = if row == 0 { 0.0 } else { cells.get([row - 1, 0]) }; //~ written_and_read out read 7
    cells.set([row, 0], before + 1.0); //~ written_and_read out written 7
    cells.set([row, 1], before);
    Ok(())
}

/// A sum of all, into one element: each core adds to what it finds.
#[custom_op(shape = one)]
fn sums_into_one_element(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    let sum: f32 = share(q7, x).map(|i| src.get(i)).sum();
    dst.set(0, sum); //~ written_by_several_cores out written 1
    Ok(())
}

fn one(inputs: &[TensorSpec]) -> Result<TensorSpec> {
    TensorSpec::new(inputs[0].dtype(), &[1])
}

/// Core 0 says that it is done; the others look, a while.
#[custom_op]
fn spins_on_a_flag(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let (dst, me) = (out.elements_mut::<f32>(q7)?, u64::from(q7.get_cpu_id()));
    if me > 0 {
        let _ready = (0..100).any(|_| dst.get(0) == 1.0); //~ written_and_read out read 1
    }
    dst.set(me, 1.0); //~ written_and_read out written 1
    Ok(())
}
