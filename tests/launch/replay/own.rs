//! Kernels that have something to show at a stop.

use neuron_device::prelude::*;

/// Adds up a row in the output: each element is written, and read again, several times.
#[custom_op]
pub(super) fn summed(q7: &Q7, x: &Tensor, weight: f32, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    for i in q7.partition_flat(x.numel()) {
        dst.set(i, 0.0);
        for _ in 0..20 {
            dst.set(i, dst.get(i) + weight * src.get(i));
        }
    }
    Ok(())
}

/// Doubles a tensor where it is, but for the last element, which goes one too far.
#[custom_op(in_place)]
pub(super) fn doubled(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.accessor::<i32, 2>(q7)?, out.accessor_mut::<i32, 2>(q7)?);
    for row in q7.partition(x.size(0)) {
        for column in 0..x.size(1) {
            dst.set([row, column], 2 * src.get([row, column]));
        }
        if row + 1 == x.size(0) {
            dst.set([row + 1, 0], 0);
        }
    }
    Ok(())
}

/// Core 1 writes what core 0 reads.
#[custom_op]
pub(super) fn overheard(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let dst = out.elements_mut::<f32>(q7)?;
    match q7.get_cpu_id() {
        0 => {
            let heard = dst.get(3);
            dst.set(0, heard);
        }
        1 => (1..x.numel()).for_each(|i| dst.set(i, i as f32)),
        _ => {}
    }
    Ok(())
}

/// Reads two scratch tensors, the second without having written all of it.
#[custom_op]
pub(super) fn forgetful(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (mut first, mut second) = (q7.empty(Dtype::F32, &[4])?, q7.empty(Dtype::F32, &[2, 2])?);
    let (first, second) = (first.elements_mut::<f32>(q7)?, second.elements_mut::<f32>(q7)?);
    first.set(2, 5.0);
    second.set(0, 6.0);
    let dst = out.elements_mut::<f32>(q7)?;
    let missing = second.get(3);
    q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, first.get(2) + second.get(0) + missing));
    Ok(())
}

/// The square root of each element, NaN of some.
#[custom_op]
pub(super) fn roots(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, math::sqrt(src.get(i))));
    Ok(())
}

/// Reads by a local address whose window was mapped elsewhere, and writes what it found by another.
#[custom_op]
pub(super) fn raw(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    if q7.get_cpu_id() > 0 {
        return Ok(());
    }
    let (from, to) = (x.storage(), out.storage());
    let old = q7.translate(from);
    // SAFETY: the local address is one the core was just given, and nothing was mapped since.
    let value = unsafe { q7.load_nx::<f32>(old) };
    let new = q7.translate(to);
    // SAFETY: as above; it is the first element of the output.
    unsafe { q7.store_nx(new, value + 1.0) };
    // SAFETY: an address that is too old is a fault the simulator finds, and the window shows the same still.
    let value = unsafe { q7.load_nx::<f32>(old) };
    let dst = out.elements_mut::<f32>(q7)?;
    (1..dst.numel()).for_each(|i| dst.set(i, value));
    Ok(())
}

/// Core 0 waits for what core 1 writes.
#[custom_op]
pub(super) fn waiting(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let flag = out.elements_mut::<f32>(q7)?;
    if q7.get_cpu_id() == 1 {
        flag.set(0, x.numel() as f32);
    }
    while q7.get_cpu_id() == 0 && flag.get(0) == 0.0 {}
    Ok(())
}

/// As `waiting`, by a local address.
#[custom_op]
pub(super) fn waiting_locally(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    out.elements_mut::<f32>(q7)?.set(u64::from(q7.get_cpu_id()), x.numel() as f32);
    let flag = q7.translate(x.storage());
    // SAFETY: the local address is the last one the core was given.
    while q7.get_cpu_id() == 0 && unsafe { q7.load_nx::<f32>(flag) } == 0.0 {}
    Ok(())
}

/// A tile of four, doubled; core 0 waits for what no core writes, by copies.
#[custom_op]
pub(crate) fn staged(q7: &Q7, x: &Tensor, wait: i32, out: &mut Tensor) -> Result<()> {
    let mut buffer = q7.tcm_malloc::<f32>(4)?;
    for tile in q7.partition_flat(x.numel()).tiles(4) {
        let values = x.tensor_to_tcm(q7, tile, &mut buffer)?;
        values.iter_mut().for_each(|value| *value *= 2.0);
        out.tcm_to_tensor(q7, tile.offset, values)?;
    }
    let first = Span { offset: 0, len: 1 };
    while wait != 0 && q7.get_cpu_id() == 0 && x.tensor_to_tcm(q7, first, &mut buffer)?[0] == 0.0 {}
    Ok(())
}
