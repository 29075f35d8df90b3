//! Answers of another dtype than the questions: the shape function says u8.
//!
//! A NaN is neither below, equal to nor above anything: `partial_cmp` then finds no order at all, and each op says what
//! it makes of that. Only [`ne`] holds. Written with two branches, `<` and else, a NaN would fall into the second.
//!
//! ```
//! use neuron_device::op;
//! use neuron_examples::compare;
//! use neuron_host_sim::{HostTensor, Simulator, args};
//! let mut sim = Simulator::new()?;
//! let x = HostTensor::from_slice(&[4], &[f32::NAN, 1.0, 2.0, -0.0])?;
//! let y = HostTensor::from_slice(&[4], &[f32::NAN, 2.0, 1.0, 0.0])?;
//! let mut mask = |op| {
//!     let report = sim.launch(op, &args![&x, &y])?;
//!     Ok::<_, Box<dyn std::error::Error>>(report.output().to_host().to_vec::<u8>()?)
//! };
//! assert_eq!(mask(op!(compare::lt))?, [0, 1, 0, 0]);
//! assert_eq!(mask(op!(compare::ge))?, [0, 0, 1, 1]);
//! assert_eq!(mask(op!(compare::ne))?, [1, 1, 1, 0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use core::cmp::Ordering;

use neuron_device::prelude::*;

use crate::elementwise::zip;

/// `torch.eq(x, y)`: 1 where they are equal, as -0 and 0 are, otherwise 0.
///
/// `x` and `y` have the same dtype, any of the eight, and the same sizes; `out` has the sizes and u8, torch's bool.
#[custom_op(shape = masks)]
pub fn eq(q7: &Q7, x: &Tensor, y: &Tensor, out: &mut Tensor) -> Result<()> {
    mask(q7, x, y, out, |order| order.is_some_and(Ordering::is_eq))
}

/// `torch.ne(x, y)`: 1 where they are not equal, as NaN never is. Tensors as of [`eq`].
#[custom_op(shape = masks)]
pub fn ne(q7: &Q7, x: &Tensor, y: &Tensor, out: &mut Tensor) -> Result<()> {
    mask(q7, x, y, out, |order| order.is_none_or(Ordering::is_ne))
}

/// `torch.lt(x, y)`: 1 where `x` is below `y`. Tensors as of [`eq`].
#[custom_op(shape = masks)]
pub fn lt(q7: &Q7, x: &Tensor, y: &Tensor, out: &mut Tensor) -> Result<()> {
    mask(q7, x, y, out, |order| order.is_some_and(Ordering::is_lt))
}

/// `torch.le(x, y)`: 1 where `x` is below `y` or equal. Tensors as of [`eq`].
#[custom_op(shape = masks)]
pub fn le(q7: &Q7, x: &Tensor, y: &Tensor, out: &mut Tensor) -> Result<()> {
    mask(q7, x, y, out, |order| order.is_some_and(Ordering::is_le))
}

/// `torch.gt(x, y)`: 1 where `x` is above `y`. Tensors as of [`eq`].
#[custom_op(shape = masks)]
pub fn gt(q7: &Q7, x: &Tensor, y: &Tensor, out: &mut Tensor) -> Result<()> {
    mask(q7, x, y, out, |order| order.is_some_and(Ordering::is_gt))
}

/// `torch.ge(x, y)`: 1 where `x` is above `y` or equal. Tensors as of [`eq`].
#[custom_op(shape = masks)]
pub fn ge(q7: &Q7, x: &Tensor, y: &Tensor, out: &mut Tensor) -> Result<()> {
    mask(q7, x, y, out, |order| order.is_some_and(Ordering::is_ge))
}

fn masks(inputs: &[TensorSpec]) -> Result<TensorSpec> {
    TensorSpec::new(Dtype::U8, inputs[0].sizes())
}

/// A function by pointer, so that six ops share the code for each dtype.
fn mask(
    q7: &Q7,
    x: &Tensor,
    y: &Tensor,
    out: &mut Tensor,
    holds: fn(Option<Ordering>) -> bool,
) -> Result<()> {
    match_dtype!(x, f32 | f16 | bf16 | i8 | u8 | i16 | i32 | i64 as T => {
        zip(q7, x, y, out, |a: T, b: T| u8::from(holds(a.partial_cmp(&b))))
    })
}
