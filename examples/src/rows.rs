//! What shape functions of ops have in common that go row by row.

use neuron_device::prelude::*;

/// Rows and columns of the argument `name`.
///
/// # Errors
/// It has another number of dimensions than 2.
pub(crate) fn rows_and_columns(tensor: &TensorSpec, name: &'static str) -> Result<[u32; 2]> {
    let two = tensor.sizes().try_into();
    two.map_err(|_| Error::message("must have 2 dimensions: reshape it before the launch").about(name))
}
