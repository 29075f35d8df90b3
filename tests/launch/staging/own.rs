//! Kernels that stage as the examples do not.

use neuron_device::TensorSpec;
use neuron_device::prelude::*;

/// 24 elements in TCM, taken for `[2, 3, 4]`, and written back row by row.
#[custom_op(shape = two_by_three_by_four)]
pub(super) fn as_cube(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    if q7.get_cpu_id() > 0 {
        return Ok(());
    }
    let mut buffer = q7.tcm_malloc::<f32>(24)?;
    let values = x.tensor_to_tcm(q7, Span { offset: 0, len: 24 }, &mut buffer)?;
    for (plane, rows) in (0..).zip(values.chunks_exact(12)) {
        for (row, elements) in (0..).zip(rows.chunks_exact(4)) {
            let mut place = out.slice(0, plane, plane + 1, 1)?.slice(1, row, row + 1, 1)?;
            place.tcm_to_tensor(q7, 0, elements)?;
        }
    }
    Ok(())
}

fn two_by_three_by_four(inputs: &[TensorSpec]) -> Result<TensorSpec> {
    TensorSpec::new(inputs[0].dtype(), &[2, 3, 4])
}

/// The first four elements and the last four of each core's twelve, added in a buffer within the life of another one.
#[custom_op]
pub(super) fn nested(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    for twelve in q7.partition_flat(x.numel()).tiles(12) {
        let mut outer = q7.tcm_malloc::<i32>(12)?;
        let values = x.tensor_to_tcm(q7, twelve, &mut outer)?;
        {
            let mut inner = q7.tcm_malloc::<i32>(4)?;
            let sums = inner.write_from((0..4).map(|at| values[at] + values[8 + at]));
            let mut innermost = q7.tcm_malloc::<i32>(1)?;
            sums[3] = innermost.fill(sums[3])[0];
            out.tcm_to_tensor(q7, twelve.offset, sums)?;
        }
        out.tcm_to_tensor(q7, twelve.offset + 4, &values[4..])?;
    }
    Ok(())
}

/// A copy of a tensor of any strides, in tiles of five.
#[custom_op]
pub(super) fn strided(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut buffer = q7.tcm_malloc::<f32>(5)?;
    for tile in q7.partition_flat(x.numel()).tiles(5) {
        let values = x.strided_to_tcm(q7, tile, &mut buffer)?;
        out.tcm_to_strided(q7, tile.offset, values)?;
    }
    Ok(())
}

/// Each element negated, as it lies in storage, by copies or by streams.
#[custom_op]
pub(super) fn negated_in_storage_order(q7: &Q7, x: &Tensor, by_streams: i32, out: &mut Tensor) -> Result<()> {
    let share = q7.partition_flat(x.numel());
    if by_streams != 0 {
        let mut src = x.read_stream_accessor_storage_order::<f32>(q7, share)?;
        let mut dst = out.write_stream_accessor_storage_order::<f32>(q7, share)?;
        dst.write_from(src.by_ref().map(|v| -v));
        return Ok(());
    }
    let mut buffer = q7.tcm_malloc::<f32>(64)?;
    for tile in share.tiles(64) {
        let values = x.tensor_to_tcm_storage_order(q7, tile, &mut buffer)?;
        values.iter_mut().for_each(|v| *v = -*v);
        out.tcm_to_tensor_storage_order(q7, tile.offset, values)?;
    }
    Ok(())
}
