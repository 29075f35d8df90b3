//! Kernels that go wrong in one way each, and a few that do not.

use neuron_device::prelude::*;

/// N02: floor division; the remainder belongs to nobody.
#[custom_op]
pub(crate) fn floor_split(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    let len = x.numel() / u64::from(q7.get_cpu_count());
    let start = len * u64::from(q7.get_cpu_id());
    (start..start + len).for_each(|i| dst.set(i, src.get(i)));
    Ok(())
}

/// Every core writes every element, each its own number.
#[custom_op]
pub(crate) fn all_write_all(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let dst = out.elements_mut::<f32>(q7)?;
    (0..x.numel()).for_each(|i| dst.set(i, q7.get_cpu_id() as f32));
    Ok(())
}

/// Shares that overlap by one element: the neighbour's first is written too.
#[custom_op]
pub(crate) fn overlapping(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    let share = q7.partition_flat(x.numel());
    (share.start()..(share.end() + 1).min(x.numel())).for_each(|i| dst.set(i, src.get(i)));
    Ok(())
}

/// Two lines of every core write one element each.
#[custom_op]
pub(crate) fn two_lines(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let dst = out.elements_mut::<f32>(q7)?;
    dst.set(0, 1.0);
    dst.set(1, 2.0);
    Ok(())
}

fn fill(q7: &Q7, tensor: &mut Tensor, value: f32) -> Result<()> {
    let dst = tensor.elements_mut::<f32>(q7)?;
    (0..dst.numel()).for_each(|i| dst.set(i, value));
    Ok(())
}

/// One line fills several scratch tensors, through more accessors than a core has tallies; the last is returned.
#[custom_op]
pub(crate) fn filled_by_a_helper(q7: &Q7, x: &Tensor, spare: i32) -> Result<Tensor> {
    for value in 0..spare {
        let mut temporary = q7.empty_like(x)?;
        (0..4).try_for_each(|k| fill(q7, &mut temporary, (value + k) as f32))?;
    }
    let mut result = q7.empty_like(x)?;
    fill(q7, &mut result, 7.0)?;
    Ok(result)
}

/// A panic whose payload panics when it is dropped, on core 0, after it wrote.
#[custom_op(in_place)]
pub(crate) fn bomb(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("the payload's own");
        }
    }
    let dst = out.elements_mut::<f32>(q7)?;
    q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, 77.0));
    if q7.get_cpu_id() == 0 {
        std::panic::panic_any(Bomb);
    }
    Ok(())
}

/// A race that shows in the values: every core adds to what it finds in element 0.
#[custom_op]
pub(crate) fn racing(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let dst = out.elements_mut::<f32>(q7)?;
    q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, dst.get(0) + 1.0));
    dst.set(0, dst.get(0) + 1.0 + q7.get_cpu_id() as f32);
    Ok(())
}

/// The second half is left out by everybody, through a rank-2 accessor.
#[custom_op]
pub(crate) fn half(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.accessor::<f32, 2>(q7)?, out.accessor_mut::<f32, 2>(q7)?);
    for i in q7.partition(src.size(0)) {
        (0..src.size(1) / 2).for_each(|j| dst.set([i, j], src.get([i, j])));
    }
    Ok(())
}

/// Reads and writes a column too far.
#[custom_op]
pub(crate) fn column_too_far(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.accessor::<f32, 2>(q7)?, out.accessor_mut::<f32, 2>(q7)?);
    for i in q7.partition(src.size(0)) {
        (0..=src.size(1)).for_each(|j| dst.set([i, j], src.get([i, j])));
    }
    Ok(())
}

/// Opens nothing, writes nothing.
#[custom_op]
pub(crate) fn nothing(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = (q7, x, out);
    Ok(())
}

/// Core 3 fails, core 5 panics, the others copy.
#[custom_op]
pub(crate) fn two_fall(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    match q7.get_cpu_id() {
        3 => Err(Error::message("has no third part").about("x")),
        5 => panic!("core {} fell", q7.get_cpu_id()),
        _ => {
            let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
            q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, src.get(i)));
            Ok(())
        }
    }
}

/// A million equal faults, then work.
#[custom_op]
pub(crate) fn a_million_reads_too_far(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    if q7.get_cpu_id() == 2 {
        let sum: f32 = (0..1_000_000).map(|i| src.get(x.numel() + i)).sum();
        assert!(sum.is_nan(), "poison");
    }
    q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, src.get(i)));
    Ok(())
}

/// Core 4 reads past the end of two thousand different views; the others copy.
#[custom_op]
pub(crate) fn two_thousand_faults(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    if q7.get_cpu_id() == 4 {
        for len in 0..2000 {
            let view = x.slice(0, 0, len, 1)?;
            view.elements::<f32>(q7)?.get(u64::from(len));
        }
    }
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, src.get(i)));
    Ok(())
}

/// Returns scratch written in every eighth element: more pieces than a core remembers, if there are more than eight.
#[custom_op]
pub(crate) fn strided_return(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    let mut result = q7.empty_like(x)?;
    let (src, dst) = (x.elements::<f32>(q7)?, result.elements_mut::<f32>(q7)?);
    let (id, count) = (u64::from(q7.get_cpu_id()), u64::from(q7.get_cpu_count()));
    (id..x.numel()).step_by(count as usize).for_each(|i| dst.set(i, src.get(i)));
    Ok(result)
}

/// Uses more scattered scratch than a core remembers, and returns something else.
#[custom_op]
pub(crate) fn scattered_temporary(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    let mut spare = q7.empty_like(x)?;
    let temporary = spare.elements_mut::<f32>(q7)?;
    (0..x.numel()).step_by(2).for_each(|i| temporary.set(i, 1.0));
    let mut result = q7.empty_like(x)?;
    let dst = result.elements_mut::<f32>(q7)?;
    q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, temporary.get(i / 2 * 2)));
    Ok(result)
}

/// Returns its input.
#[custom_op]
pub(crate) fn returns_input(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    let _ = q7;
    Ok(x.clone())
}

/// Returns a tensor of other sizes than its shape function says.
#[custom_op]
pub(crate) fn returns_other_sizes(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    q7.empty(x.dtype(), &[1, 2, 3])
}

#[custom_op]
pub(crate) fn returns_other_dtype(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    q7.empty(Dtype::I32, x.sizes())
}

/// Returns a tensor like its input, where its shape function promises half of it.
#[custom_op(shape = pairs)]
pub(crate) fn promises_half(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    q7.empty_like(x)
}

/// Touches four 16 MiB regions in turn.
#[custom_op(shape = one_value)]
pub(crate) fn four_regions(q7: &Q7, x: &Tensor, regions: i32, out: &mut Tensor) -> Result<()> {
    let src = x.elements::<f32>(q7)?;
    let region = (16 << 20) / 4;
    let sum: f32 = (0..64u64).map(|i| src.get(i % regions as u64 * region)).sum();
    if q7.get_cpu_id() == 0 {
        out.elements_mut::<f32>(q7)?.set(0, sum);
    }
    Ok(())
}

/// A shape function: one element.
pub(crate) fn one_value(inputs: &[TensorSpec]) -> Result<TensorSpec> {
    TensorSpec::new(inputs[0].dtype(), &[1])
}

/// A shape function that refuses odd lengths.
pub(crate) fn pairs(inputs: &[TensorSpec]) -> Result<TensorSpec> {
    match inputs[0].sizes() {
        [n] if n % 2 == 0 => TensorSpec::new(inputs[0].dtype(), &[n / 2]),
        _ => Err(Error::message("must have one dimension of even size").about("x")),
    }
}

/// A shape function that takes for granted what it is given.
pub(crate) fn second_input(inputs: &[TensorSpec]) -> Result<TensorSpec> {
    Ok(inputs[1])
}

/// Has a shape function that panics.
#[custom_op(shape = second_input)]
pub(crate) fn badly_shaped(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = (q7, x, out);
    Ok(())
}

/// The sum of each pair.
#[custom_op(shape = pairs)]
pub(crate) fn pair_sums(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    q7.partition_flat(dst.numel()).into_iter().for_each(|i| dst.set(i, src.get(2 * i) + src.get(2 * i + 1)));
    Ok(())
}

/// Takes nothing.
#[custom_op(shape = five)]
pub(crate) fn numbers(q7: &Q7, first: i32, out: &mut Tensor) -> Result<()> {
    let dst = out.elements_mut::<i32>(q7)?;
    q7.partition_flat(dst.numel()).into_iter().for_each(|i| dst.set(i, first + i as i32));
    Ok(())
}

fn five(_: &[TensorSpec]) -> Result<TensorSpec> {
    TensorSpec::new(Dtype::I32, &[5])
}

neuron_library!(pub(crate) LAUNCHES: "launches" = [nothing, pair_sums, numbers]);

/// F04: 1 where the gradient of a value held between 0 and 6 passes. A NaN fails both tests, so it is let through by
/// asking for what is outside, and stopped by asking for what is inside.
#[custom_op]
pub(crate) fn passes_between(q7: &Q7, x: &Tensor, nan_passes: i32, out: &mut Tensor) -> Result<()> {
    match_dtype!(x, f32 | f16 | bf16 as T => {
        let (src, dst) = (x.elements::<T>(q7)?, out.elements_mut::<T>(q7)?);
        for i in q7.partition_flat(x.numel()) {
            let v: f32 = src.get(i).cast();
            let outside = v <= 0.0 || v >= 6.0;
            let inside = v > 0.0 && v < 6.0;
            let passes = if nan_passes != 0 { !outside } else { inside };
            dst.set(i, f32::from(u8::from(passes)).cast());
        }
        Ok(())
    })
}

/// Returns what is written in nine pieces first, and then once more in one; it also reads what was not written yet.
#[custom_op]
pub(crate) fn pieces_that_join(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    let mut result = q7.empty_like(x)?;
    let mut again = result.clone();
    let (src, all) = (x.elements::<f32>(q7)?, again.elements_mut::<f32>(q7)?);
    let odd = result.elements_mut::<f32>(q7)?;
    (1..19).step_by(2).for_each(|i| odd.set(i, all.get(0)));
    (0..x.numel()).for_each(|i| all.set(i, src.get(i)));
    all.set(0, src.get(0));
    Ok(result)
}

/// Writes nine pieces, opens what it returns once more, and writes it in one.
#[custom_op]
pub(crate) fn opened_between_pieces(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    let mut result = q7.empty_like(x)?;
    let mut again = result.clone();
    let (src, odd) = (x.elements::<f32>(q7)?, result.elements_mut::<f32>(q7)?);
    (1..19).step_by(2).for_each(|i| odd.set(i, 1.0));
    let all = again.elements_mut::<f32>(q7)?;
    (0..x.numel()).for_each(|i| all.set(i, src.get(i)));
    all.set(0, src.get(0));
    Ok(result)
}

/// Leaves its own scratch tensor for the one behind it, by index and by pointer.
#[custom_op]
pub(crate) fn next_scratch(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    let (mut near, far, mut result) =
        (q7.empty(Dtype::F32, &[16])?, q7.empty(Dtype::F32, &[4])?, q7.empty_like(x)?);
    let pointer = near.q7_data_ptr::<f32>()?.add(17).ok_or(Error::message("null"))?;
    near.elements_mut::<f32>(q7)?.set(17, 1.0);
    // SAFETY: the simulator makes a fault of it.
    unsafe { pointer.store(q7, 1.0) };
    // Beyond the last of the three there is none.
    result.elements_mut::<f32>(q7)?.set(x.numel(), 1.0);
    let (src, dst) = (x.elements::<f32>(q7)?, result.elements_mut::<f32>(q7)?);
    (0..x.numel()).for_each(|i| dst.set(i, src.get(i)));
    let _ = far;
    Ok(result)
}

/// N04: writes 1 to the destination, and returns a tensor full of 7.
#[custom_op]
pub(crate) fn takes_and_returns(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    let (mut out, mut other) = (q7.get_dst_tensor()?, q7.empty_like(x)?);
    let (cells, others) = (out.elements_mut::<f32>(q7)?, other.elements_mut::<f32>(q7)?);
    q7.partition_flat(x.numel()).into_iter().for_each(|i| cells.set(i, 1.0));
    (0..x.numel()).for_each(|i| others.set(i, 7.0));
    Ok(other)
}

/// Copies to the destination, and returns it.
#[custom_op]
pub(crate) fn returns_destination(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    let mut out = q7.get_dst_tensor()?;
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, src.get(i)));
    Ok(out)
}
