//! What ops have in common that go row by row.

use neuron_device::prelude::*;

/// Rows and columns of the argument `name`.
///
/// # Errors
/// It has another number of dimensions than 2.
pub(crate) fn rows_and_columns(tensor: &TensorSpec, name: &'static str) -> Result<[u32; 2]> {
    let two = tensor.sizes().try_into();
    two.map_err(|_| Error::message("must have 2 dimensions: reshape it before the launch").about(name))
}

/// Elements of a tile: 4 KiB of f32.
pub(crate) const TILE: u32 = 1024;

/// This core's share of rows that are no longer than a tile, as many at once as a tile holds, as elements. None if the
/// rows have no elements.
pub(crate) fn whole_rows(q7: &Q7, [rows, columns]: [u32; 2]) -> impl Iterator<Item = Span> {
    let tiles = q7.partition(rows).tiles(TILE / columns.max(1));
    let elements =
        move |rows: Span| Span { offset: rows.offset * u64::from(columns), len: rows.len * columns };
    tiles.map(elements).filter(|span| span.len > 0)
}
