//! Some dtypes only: `match_dtype!` refuses the others, and names those there are.
//!
//! ```
//! use neuron_device::op;
//! use neuron_examples::bitwise;
//! use neuron_host_sim::{HostTensor, Simulator, args};
//! let mut sim = Simulator::new()?;
//! let x = HostTensor::from_slice(&[2], &[0b1100_u8, 0xFF])?;
//! let y = HostTensor::from_slice(&[2], &[0b1010_u8, 4])?;
//! let report = sim.launch(op!(bitwise::bitwise_xor), &args![&x, &y])?;
//! assert_eq!(report.output().to_host().to_vec::<u8>()?, [0b0110, 0xFB]);
//! let report = sim.launch(op!(bitwise::bitwise_left_shift), &args![&x, &y])?;
//! assert_eq!(report.output().to_host().to_vec::<u8>()?, [0, 0xF0]);
//! let report = sim.launch(op!(bitwise::bitwise_not), &args![&HostTensor::scalar(1.5_f32)])?;
//! let refusal = "`x` has dtype f32, but the kernel serves i8, u8, i16, i32 and i64";
//! assert!(report.to_string().contains(refusal), "{report}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use neuron_device::prelude::*;

use crate::elementwise::{map, zip};

/// `torch.bitwise_and(x, y)`. All tensors have the same dtype, an integer's, and the same sizes.
#[custom_op]
pub fn bitwise_and(q7: &Q7, x: &Tensor, y: &Tensor, out: &mut Tensor) -> Result<()> {
    match_dtype!(x, i8 | u8 | i16 | i32 | i64 as T => zip(q7, x, y, out, |a: T, b: T| a & b))
}

/// `torch.bitwise_or(x, y)`. All tensors have the same dtype, an integer's, and the same sizes.
#[custom_op]
pub fn bitwise_or(q7: &Q7, x: &Tensor, y: &Tensor, out: &mut Tensor) -> Result<()> {
    match_dtype!(x, i8 | u8 | i16 | i32 | i64 as T => zip(q7, x, y, out, |a: T, b: T| a | b))
}

/// `torch.bitwise_xor(x, y)`. All tensors have the same dtype, an integer's, and the same sizes.
#[custom_op]
pub fn bitwise_xor(q7: &Q7, x: &Tensor, y: &Tensor, out: &mut Tensor) -> Result<()> {
    match_dtype!(x, i8 | u8 | i16 | i32 | i64 as T => zip(q7, x, y, out, |a: T, b: T| a ^ b))
}

/// `torch.bitwise_not(x)`. `x` and `out` have the same dtype, an integer's, and the same sizes.
#[custom_op]
pub fn bitwise_not(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    match_dtype!(x, i8 | u8 | i16 | i32 | i64 as T => map(q7, x, out, |a: T| !a))
}

/// `torch.bitwise_left_shift(x, y)`. All tensors have the same dtype, an integer's, and the same sizes.
///
/// torch does not define a shift by a negative number or by as many bits as there are. Here both move every bit out, so
/// 0 is left, as by torch's CPU.
#[custom_op]
pub fn bitwise_left_shift(q7: &Q7, x: &Tensor, y: &Tensor, out: &mut Tensor) -> Result<()> {
    match_dtype!(x, i8 | u8 | i16 | i32 | i64 as T => zip(q7, x, y, out, |a: T, b: T| a.unbounded_shl(places(b))))
}

/// `torch.bitwise_right_shift(x, y)`: the sign is what moves in. Otherwise as [`bitwise_left_shift`], but for a negative
/// `x`, of which -1 is left.
#[custom_op]
pub fn bitwise_right_shift(q7: &Q7, x: &Tensor, y: &Tensor, out: &mut Tensor) -> Result<()> {
    match_dtype!(x, i8 | u8 | i16 | i32 | i64 as T => zip(q7, x, y, out, |a: T, b: T| a.unbounded_shr(places(b))))
}

/// How far to shift: more than any type has bits, if it is negative.
fn places<T: Integer>(by: T) -> u32 {
    by.cast::<i64>().try_into().unwrap_or(u32::MAX)
}
