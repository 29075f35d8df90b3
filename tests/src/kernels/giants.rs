//! Indices, offsets and addresses of more than 32 bits.

use neuron_device::prelude::*;

/// Numbers that [`last`] gives.
const NUMBERS: u32 = 12;

/// What a core makes of a tensor of u8, f32 or i64 and of rank 1 or 2, of which it touches the last element alone: how
/// many elements there are, how far they reach, where the last one is, the core's share, and the last element's bits by
/// every way to it.
#[custom_op(shape = numbers)]
pub fn last(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let bits = match x.dtype() {
        Dtype::U8 => ways::<u8>(q7, x)?.map(i64::from),
        Dtype::F32 => ways::<f32>(q7, x)?.map(|value| value.to_bits().into()),
        _ => ways::<i64>(q7, x)?,
    };
    let (layout, share) = (x.layout(), q7.partition_flat(x.numel()));
    let tile = share.tiles(u32::MAX).last().map_or(0, |span| span.offset);
    let last = layout.offset_of_flat(x.numel() - 1);
    let counts =
        [x.numel(), layout.extent(), last, share.start(), share.end(), tile].map(|count| count as i64);
    let dst = out.elements_mut::<i64>(q7)?;
    for i in q7.partition_flat(u64::from(NUMBERS)) {
        let i = i as usize;
        dst.set(i as u64, if i < counts.len() { counts[i] } else { bits[i - counts.len()] });
    }
    Ok(())
}

fn ways<T: Element>(q7: &Q7, x: &Tensor) -> Result<[T; 6]> {
    let x = if x.dim() == 1 { x.unsqueeze(0)? } else { x.clone() };
    let turned = x.transpose(0, 1)?;
    let (i, j) = (x.size(0) - 1, x.size(1) - 1);
    let parts = [x.select(0, i)?.select(0, j)?, x.narrow(1, j, 1)?.slice(0, i, i + 1, 1)?];
    Ok([
        x.accessor::<T, 2>(q7)?.get([i, j]),
        x.elements::<T>(q7)?.get(x.numel() - 1),
        turned.accessor::<T, 2>(q7)?.get([j, i]),
        turned.elements::<T>(q7)?.get(x.numel() - 1),
        parts[0].elements::<T>(q7)?.get(0),
        parts[1].elements::<T>(q7)?.get(0),
    ])
}

fn numbers(_: &[TensorSpec]) -> Result<TensorSpec> {
    TensorSpec::new(Dtype::I64, &[NUMBERS])
}
