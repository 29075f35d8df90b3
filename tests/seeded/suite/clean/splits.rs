//! Ways of sharing out work in which every element has one writer.

use neuron_device::prelude::*;

use super::super::launch::{Argument, Given, Launch, launch, ramp, ramp_of};
use super::super::raw::share;

pub(super) fn launches() -> Vec<Launch> {
    let mut launches = vec![
        launch(op!(every_eighth), |_| ramp_of::<u8>(&[100])).labelled("of bytes"),
        launch(op!(every_eighth_by_accessor), |_| ramp_of::<i16>(&[37])),
        launch(op!(columns), |_| ramp(&[5, 19])),
        launch(op!(permuted), |_| Given::from([ramp(&[24]).into(), permutation(24)])),
        launch(op!(gathered), |_| Given::from([ramp(&[24]).into(), permutation(24)])),
        launch(op!(tiles_of_5), |_| ramp(&[43])),
        launch(op!(whole_tiles), |_| ramp(&[130])),
        launch(op!(ceiling), |_| ramp(&[9])),
        launch(op!(backwards), |_| ramp(&[50])),
        launch(op!(row_sums_back_in_place), |_| ramp(&[9, 7])),
        launch(op!(even_then_odd), |_| ramp(&[50])),
        launch(op!(every_eighth_returned), |_| ramp(&[64])),
        launch(op!(tiles_returned), |_| ramp(&[43])),
    ];
    // Pages, whose bytes belong to several cores.
    launches.push(launch(op!(every_eighth), |_| ramp_of::<u8>(&[5000])).labelled("of two pages"));
    for n in [0, 1, 7, 8, 9, 15, 16, 17, 63, 64, 65] {
        launches.push(launch(op!(tiles_of_5), move |_| ramp(&[n])).labelled(format!("of {n}")));
    }
    launches
}

/// 7, 12, 17, … within `n`, which shares no factor with 5.
fn permutation(n: i32) -> Argument {
    let to: Vec<i32> = (0..n).map(|i| (5 * i + 7) % n).collect();
    neuron_host_sim::HostTensor::from_slice(&[n as u32], &to).unwrap().into()
}

/// Elements of neighbouring bytes belong to different cores.
#[custom_op]
fn every_eighth(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<u8>(q7)?, out.elements_mut::<u8>(q7)?);
    let own = (u64::from(q7.get_cpu_id())..x.numel()).step_by(q7.get_cpu_count() as usize);
    own.for_each(|i| dst.set(i, src.get(i)));
    Ok(())
}

#[custom_op]
fn every_eighth_by_accessor(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.accessor::<i16, 1>(q7)?, out.accessor_mut::<i16, 1>(q7)?);
    let own = (q7.get_cpu_id()..src.size(0)).step_by(q7.get_cpu_count() as usize);
    own.for_each(|i| dst.set([i], src.get([i])));
    Ok(())
}

/// Shares of columns: of every row each core has a part.
#[custom_op]
fn columns(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.accessor::<f32, 2>(q7)?, out.accessor_mut::<f32, 2>(q7)?);
    for i in 0..src.size(0) {
        q7.partition(src.size(1)).into_iter().for_each(|j| dst.set([i, j], src.get([i, j])));
    }
    Ok(())
}

/// A scatter: no two indices are the same.
#[custom_op]
fn permuted(q7: &Q7, x: &Tensor, to: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, to, dst) = (x.elements::<f32>(q7)?, to.elements::<i32>(q7)?, out.elements_mut::<f32>(q7)?);
    share(q7, x).for_each(|i| dst.set(to.get(i) as u64, src.get(i)));
    Ok(())
}

/// A gather: whoever writes, anybody's element may be read.
#[custom_op]
fn gathered(q7: &Q7, x: &Tensor, from: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, from, dst) = (x.elements::<f32>(q7)?, from.elements::<i32>(q7)?, out.elements_mut::<f32>(q7)?);
    share(q7, x).for_each(|i| dst.set(i, src.get(from.get(i) as u64)));
    Ok(())
}

#[custom_op]
fn tiles_of_5(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    for Span { offset, len } in q7.partition_flat(x.numel()).tiles(5) {
        (offset..offset + u64::from(len)).for_each(|i| dst.set(i, src.get(i)));
    }
    Ok(())
}

#[custom_op]
fn whole_tiles(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    for Span { offset, len } in q7.partition_tiles(x.numel(), 16) {
        (offset..offset + u64::from(len)).for_each(|i| dst.set(i, src.get(i)));
    }
    Ok(())
}

/// The last cores get less, or nothing.
#[custom_op]
fn ceiling(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    q7.partition_ceil(x.numel()).into_iter().for_each(|i| dst.set(i, src.get(i)));
    Ok(())
}

#[custom_op]
fn backwards(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    let share = q7.partition_flat(x.numel());
    (share.start()..share.end()).rev().for_each(|i| dst.set(i, src.get(i)));
    Ok(())
}

/// Prefix sums of rows, read back from the output as they grow.
#[custom_op]
fn row_sums_back_in_place(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, sums) = (x.accessor::<f32, 2>(q7)?, out.accessor_mut::<f32, 2>(q7)?);
    for i in q7.partition(src.size(0)) {
        sums.set([i, 0], src.get([i, 0]));
        (1..src.size(1)).for_each(|j| sums.set([i, j], sums.get([i, j - 1]) + src.get([i, j])));
    }
    Ok(())
}

/// The odd elements from the even ones before them, which this core wrote.
#[custom_op]
fn even_then_odd(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    let pairs = || q7.partition_flat(x.numel() / 2).into_iter();
    pairs().for_each(|i| dst.set(2 * i, src.get(2 * i)));
    pairs().for_each(|i| dst.set(2 * i + 1, dst.get(2 * i) + src.get(2 * i + 1)));
    Ok(())
}

/// Eight pieces a core, as many as it remembers.
#[custom_op]
fn every_eighth_returned(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    let mut result = q7.empty_like(x)?;
    let (src, dst) = (x.elements::<f32>(q7)?, result.elements_mut::<f32>(q7)?);
    (u64::from(q7.get_cpu_id())..x.numel()).step_by(8).for_each(|i| dst.set(i, src.get(i)));
    Ok(result)
}

/// Backwards within tiles of 5: pieces that grow together.
#[custom_op]
fn tiles_returned(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    let mut result = q7.empty_like(x)?;
    let (src, dst) = (x.elements::<f32>(q7)?, result.elements_mut::<f32>(q7)?);
    for Span { offset, len } in q7.partition_flat(x.numel()).tiles(5) {
        (offset..offset + u64::from(len)).rev().for_each(|i| dst.set(i, src.get(i)));
    }
    Ok(result)
}
