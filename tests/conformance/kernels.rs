//! The kernels the suite launches.

use std::cell::RefCell;

use neuron_device::prelude::*;
use neuron_device::{ErrorKind, TensorSpec};

/// Core number and core count, a row a core.
#[custom_op(shape = identity_shape)]
pub(crate) fn identity(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let cells = out.accessor_mut::<i32, 2>(q7)?;
    let row = q7.get_cpu_id();
    cells.set([row, 0], row as i32);
    cells.set([row, 1], q7.get_cpu_count() as i32);
    cells.set([row, 2], x.numel() as i32);
    Ok(())
}

fn identity_shape(inputs: &[TensorSpec]) -> Result<TensorSpec> {
    TensorSpec::new(Dtype::I32, inputs[0].sizes())
}

/// Each element is one more for each way of sharing out that gave it to this core.
#[custom_op]
pub(crate) fn shares(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let counts = x.numel();
    let mut seen = q7.empty(Dtype::I32, &[counts as u32])?;
    let seen = seen.elements_mut::<i32>(q7)?;
    (0..counts).for_each(|i| seen.set(i, 0));
    let count = |i: u64| seen.set(i, seen.get(i) + 1);
    q7.partition(counts as u32).into_iter().for_each(|i| count(u64::from(i)));
    q7.partition_flat(counts)
        .tiles(3)
        .flat_map(|span| span.offset..span.offset + u64::from(span.len))
        .for_each(count);
    let flat = out.elements_mut::<i32>(q7)?;
    for i in q7.partition_flat(counts) {
        flat.set(i, seen.get(i));
    }
    Ok(())
}

/// The same by whole tiles, and by the ceiling split.
#[custom_op]
pub(crate) fn whole_tiles(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let flat = out.elements_mut::<i32>(q7)?;
    for span in q7.partition_tiles(x.numel(), 4) {
        (0..span.len).for_each(|i| flat.set(span.offset + u64::from(i), span.len as i32));
    }
    Ok(())
}

/// The ceiling split.
#[custom_op]
pub(crate) fn ceiling(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let flat = out.elements_mut::<i32>(q7)?;
    let share = q7.partition_ceil(x.numel());
    share.into_iter().for_each(|i| flat.set(i, share.len() as i32));
    Ok(())
}

fn copy_as<T: Element>(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<T>(q7)?, out.elements_mut::<T>(q7)?);
    q7.partition_flat(src.numel()).into_iter().for_each(|i| dst.set(i, src.get(i)));
    Ok(())
}

/// A copy of any dtype and layout. The destination comes first.
#[custom_op]
pub(crate) fn copy(q7: &Q7, out: &mut Tensor, x: &Tensor) -> Result<()> {
    match x.dtype() {
        Dtype::I8 => copy_as::<i8>(q7, x, out),
        Dtype::U8 => copy_as::<u8>(q7, x, out),
        Dtype::I16 => copy_as::<i16>(q7, x, out),
        Dtype::BF16 => copy_as::<bf16>(q7, x, out),
        Dtype::F16 => copy_as::<f16>(q7, x, out),
        Dtype::I32 => copy_as::<i32>(q7, x, out),
        Dtype::F32 => copy_as::<f32>(q7, x, out),
        Dtype::I64 => copy_as::<i64>(q7, x, out),
    }
}

/// `x - y`: the destination stands between the two, and is no argument.
#[custom_op]
pub(crate) fn difference(q7: &Q7, x: &Tensor, out: &mut Tensor, y: &Tensor) -> Result<()> {
    let (xs, ys) = (x.elements::<i32>(q7)?, y.elements::<i32>(q7)?);
    let dst = out.elements_mut::<i32>(q7)?;
    q7.partition_flat(dst.numel()).into_iter().for_each(|i| dst.set(i, xs.get(i) - ys.get(i)));
    Ok(())
}

/// A copy by an accessor of the tensor's rank, rows shared out.
#[custom_op]
pub(crate) fn copy_ranked(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    match x.dim() {
        1 => {
            let (src, dst) = (x.accessor::<i32, 1>(q7)?, out.accessor_mut::<i32, 1>(q7)?);
            q7.partition(src.size(0)).into_iter().for_each(|i| dst.set([i], src.get([i])));
        }
        2 => {
            let (src, dst) = (x.accessor::<i32, 2>(q7)?, out.accessor_mut::<i32, 2>(q7)?);
            for i in q7.partition(src.size(0)) {
                (0..src.size(1)).for_each(|j| dst.set([i, j], src.get([i, j])));
            }
        }
        _ => {
            let (src, dst) = (x.accessor::<i32, 3>(q7)?, out.accessor_mut::<i32, 3>(q7)?);
            for i in q7.partition(src.size(0)) {
                for j in 0..src.size(1) {
                    (0..src.size(2)).for_each(|k| dst.set([i, j, k], src.get([i, j, k])));
                }
            }
        }
    }
    Ok(())
}

/// Values of every form, as bits, in the middle of tensors.
#[custom_op(shape = values_shape)]
pub(crate) fn values(
    q7: &Q7,
    a: i32,
    x: &Tensor,
    b: f32,
    any: Scalar,
    c: i64,
    out: &mut Tensor,
) -> Result<()> {
    let dst = out.elements_mut::<i64>(q7)?;
    let (bytes, len) = any.to_bytes();
    let first = x.elements::<i32>(q7)?.get(0);
    let all =
        [i64::from(a), i64::from(b.to_bits()), i64::from_le_bytes(bytes), len as i64, c, i64::from(first)];
    for i in q7.partition_flat(6) {
        dst.set(i, all[i as usize]);
    }
    Ok(())
}

fn values_shape(_: &[TensorSpec]) -> Result<TensorSpec> {
    TensorSpec::new(Dtype::I64, &[6])
}

/// Negated on scratch and returned; the share in one piece.
#[custom_op]
pub(crate) fn returned(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    let mut result = q7.empty_like(x)?;
    let (src, dst) = (x.elements::<i32>(q7)?, result.elements_mut::<i32>(q7)?);
    q7.partition_flat(src.numel()).into_iter().for_each(|i| dst.set(i, src.get(i).wrapping_neg()));
    Ok(result)
}

/// As [`returned`], written backwards, in pieces, and returned as a transposed view.
#[custom_op(shape = transposed_shape)]
pub(crate) fn returned_in_pieces(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    let mut result = q7.empty_like(x)?;
    let (src, dst) = (x.accessor::<i32, 2>(q7)?, result.accessor_mut::<i32, 2>(q7)?);
    for column in q7.partition(src.size(1)) {
        (0..src.size(0)).rev().for_each(|row| dst.set([row, column], src.get([row, column])));
    }
    result.transpose(0, 1)
}

fn transposed_shape(inputs: &[TensorSpec]) -> Result<TensorSpec> {
    let sizes = inputs[0].sizes();
    TensorSpec::new(inputs[0].dtype(), &[sizes[1], sizes[0]])
}

/// Opens `x` wrongly, in the way `how` says.
#[custom_op]
pub(crate) fn misuse(q7: &Q7, x: &Tensor, how: i32, out: &mut Tensor) -> Result<()> {
    match how {
        0 => x.elements::<f32>(q7).map(|_| ()),
        1 => x.accessor::<i32, 3>(q7).map(|_| ()),
        2 => x.clone().elements_mut::<i32>(q7).map(|_| ()),
        3 => x.transpose(0, 1)?.accessor_mut::<i32, 2>(q7).map(|_| ()),
        4 => x.slice(0, 1, 9, 1).map(|_| ()),
        5 => q7.empty(Dtype::F32, &[1 << 20, 1 << 10]).map(|_| ()),
        6 => loop {
            q7.empty(Dtype::I8, &[1])?;
        },
        7 => Err(Error::message("the kernel's own words").about("how")),
        8 => panic!("on purpose"),
        _ => out.accessor::<i32, 1>(q7).map(|_| ()),
    }
}

thread_local! {
    static KEPT: RefCell<Option<Tensor>> = const { RefCell::new(None) };
}

/// Core 0 keeps its input beyond the launch, and uses it the next time.
#[custom_op]
pub(crate) fn keeps(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    copy_as::<i32>(q7, x, out)?;
    if q7.get_cpu_id() != 0 {
        return Ok(());
    }
    match KEPT.take() {
        Some(kept) => match kept.elements::<i32>(q7) {
            Err(error) if matches!(error.kind(), ErrorKind::OtherLaunch) => Err(error),
            _ => Ok(()),
        },
        None => {
            KEPT.set(Some(x.clone()));
            Ok(())
        }
    }
}
