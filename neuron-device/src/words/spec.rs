//! What a shape function sees of a tensor.

use super::dtype::Dtype;
use super::error::Result;
use super::error::{Error, ErrorKind};
use super::layout::Layout;

/// Dtype and sizes of a tensor, without data: what a shape function is given and what it returns.
///
/// ```
/// use neuron_device::{Dtype, Result, TensorSpec};
/// /// One value a row.
/// fn row_sum_shape(inputs: &[TensorSpec]) -> Result<TensorSpec> {
///     let x = inputs[0];
///     TensorSpec::new(x.dtype(), &x.sizes()[..1])
/// }
/// let x = TensorSpec::new(Dtype::F32, &[5, 7])?;
/// assert_eq!(row_sum_shape(&[x])?.sizes(), &[5]);
/// # Ok::<(), neuron_device::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorSpec {
    dtype: Dtype,
    layout: Layout,
}

impl TensorSpec {
    /// A tensor of this dtype and these sizes.
    ///
    /// # Errors
    /// More than 8 dimensions, or more elements than 64 bits count.
    #[track_caller]
    pub fn new(dtype: Dtype, sizes: &[u32]) -> Result<Self> {
        match Layout::contiguous(sizes) {
            Ok(layout) => Ok(Self { dtype, layout }),
            Err(error) => Err(Error::new(ErrorKind::Layout(error))),
        }
    }

    /// Element type.
    pub const fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// Size of each dimension, in elements.
    pub fn sizes(&self) -> &[u32] {
        self.layout.sizes()
    }

    /// Number of elements.
    pub const fn numel(&self) -> u64 {
        self.layout.numel()
    }
}

/// An op's shape function: from the specs of its tensor arguments, in order, to that of its output. It runs on the
/// host, before the launch, and sees no data and no values; its error ends the launch before it begins.
///
/// ```
/// use neuron_device::{ShapeFn, prelude::*};
/// fn one_a_row(inputs: &[TensorSpec]) -> Result<TensorSpec> {
///     match *inputs[0].sizes() {
///         [rows, _] => TensorSpec::new(Dtype::F32, &[rows]),
///         _ => Err(Error::message("must have rows and columns").about("x")),
///     }
/// }
/// let shape: ShapeFn = one_a_row; // as by `#[custom_op(shape = one_a_row)]`
/// assert_eq!(shape(&[TensorSpec::new(Dtype::F32, &[5, 7])?])?.sizes(), &[5]);
/// assert!(shape(&[TensorSpec::new(Dtype::F32, &[5])?]).is_err());
/// # Ok::<(), Error>(())
/// ```
pub type ShapeFn = fn(&[TensorSpec]) -> Result<TensorSpec>;

#[cfg(test)]
mod tests;
