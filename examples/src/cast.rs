//! Two dtypes at once: one `match_dtype!` in another compiles the line for every pair.
//!
//! ```
//! use neuron_device::{Dtype, op};
//! use neuron_examples::cast;
//! use neuron_host_sim::{HostTensor, Simulator, args};
//! let mut sim = Simulator::new()?;
//! let x = HostTensor::from_slice(&[3], &[-2.75_f32, 0.5, 100.0])?;
//! let like = HostTensor::zeros(Dtype::I32, &[0])?;
//! let report = sim.launch(op!(cast::cast), &args![&x, &like])?;
//! assert_eq!(report.output().to_host().to_vec::<i32>()?, [-2, 0, 100]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use neuron_device::prelude::*;

use crate::elementwise::map;

/// `x.type_as(like)`: `x` as what `like` is, rounded or wrapped as [`Element::cast`] says.
///
/// `x` has any dtype and sizes, `out` its sizes and `like`'s dtype. Of `like` nothing else matters: it may be empty. A
/// dtype can come with a tensor only, as the shape function, which must know it, sees no values. A float that the
/// integer type does not reach is undefined by torch; here it becomes the nearest end, and NaN becomes 0.
#[custom_op(shape = x_as_like)]
pub fn cast(q7: &Q7, x: &Tensor, like: &Tensor, out: &mut Tensor) -> Result<()> {
    match_dtype!(x, f32 | f16 | bf16 | i8 | u8 | i16 | i32 | i64 as From => {
        match_dtype!(like, f32 | f16 | bf16 | i8 | u8 | i16 | i32 | i64 as To => map(q7, x, out, From::cast::<To>))
    })
}

fn x_as_like(inputs: &[TensorSpec]) -> Result<TensorSpec> {
    TensorSpec::new(inputs[1].dtype(), inputs[0].sizes())
}
