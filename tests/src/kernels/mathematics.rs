//! Ops that take a function of `math` or of `Number`, which one by a number.

use neuron_device::prelude::*;

/// How many functions [`unary`] knows.
pub const UNARY: i32 = 17;

/// How many [`binary`] knows.
pub const BINARY: i32 = 5;

/// How many [`arithmetic`] knows.
pub const ARITHMETIC: i32 = 9;

/// Function number `which` of each element of `x`.
#[custom_op]
pub fn unary(q7: &Q7, x: &Tensor, which: i32, out: &mut Tensor) -> Result<()> {
    match_dtype!(x, f32 | f16 | bf16 as T => {
        let (src, dst) = (x.elements::<T>(q7)?, out.elements_mut::<T>(q7)?);
        let function = one::<T>(which)?;
        for i in q7.partition_flat(src.numel()) {
            dst.set(i, function(src.get(i)));
        }
        Ok(())
    })
}

fn one<T: Float>(which: i32) -> Result<fn(T) -> T> {
    Ok(match which {
        0 => math::exp,
        1 => math::expm1,
        2 => math::log,
        3 => math::log2,
        4 => math::log10,
        5 => math::sqrt,
        6 => math::rsqrt,
        7 => math::sin,
        8 => math::cos,
        9 => math::tan,
        10 => math::tanh,
        11 => math::erf,
        12 => math::floor,
        13 => math::ceil,
        14 => math::round,
        15 => T::wrapping_neg,
        16 => T::wrapping_abs,
        _ => return Err(Error::message("is no function").about("which")),
    })
}

/// Function number `which` of each element of `x` and `y`.
#[custom_op]
pub fn binary(q7: &Q7, x: &Tensor, y: &Tensor, which: i32, out: &mut Tensor) -> Result<()> {
    match_dtype!(x, f32 | f16 | bf16 as T => {
        let function: fn(T, T) -> T = match which {
            0 => math::pow,
            1 => math::max,
            2 => math::min,
            3 => math::fmax,
            4 => math::fmin,
            _ => return Err(Error::message("is no function").about("which")),
        };
        each(q7, x, y, out, function)
    })
}

/// `x * y + z`, rounded once.
#[custom_op]
pub fn fused(q7: &Q7, x: &Tensor, y: &Tensor, z: &Tensor, out: &mut Tensor) -> Result<()> {
    match_dtype!(x, f32 | f16 | bf16 as T => {
        let (xs, ys, zs) = (x.elements::<T>(q7)?, y.elements::<T>(q7)?, z.elements::<T>(q7)?);
        let dst = out.elements_mut::<T>(q7)?;
        for i in q7.partition_flat(dst.numel()) {
            dst.set(i, math::fma(xs.get(i), ys.get(i), zs.get(i)));
        }
        Ok(())
    })
}

/// Operation number `which` of each element of `x` and `y`, of any dtype; an integer 0 divides as 1 does.
#[custom_op]
pub fn arithmetic(q7: &Q7, x: &Tensor, y: &Tensor, which: i32, out: &mut Tensor) -> Result<()> {
    match_dtype!(x, i8 | u8 | i16 | bf16 | f16 | i32 | f32 | i64 as T => {
        let function = two::<T>(which)?;
        let divides_integers = which >= 5 && !matches!(T::DTYPE, Dtype::F32 | Dtype::F16 | Dtype::BF16);
        let (zero, one): (T, T) = (0_u8.cast(), 1_u8.cast());
        each(q7, x, y, out, |x, y| function(x, if divides_integers && y == zero { one } else { y }))
    })
}

fn two<T: Number>(which: i32) -> Result<fn(T, T) -> T> {
    Ok(match which {
        0 => T::wrapping_add,
        1 => T::wrapping_sub,
        2 => T::wrapping_mul,
        3 => |x, _| x.wrapping_neg(),
        4 => |x, _| x.wrapping_abs(),
        5 => T::floor_divide,
        6 => T::trunc_divide,
        7 => T::remainder,
        8 => T::fmod,
        _ => return Err(Error::message("is no operation").about("which")),
    })
}

fn each<T: Element>(
    q7: &Q7,
    x: &Tensor,
    y: &Tensor,
    out: &mut Tensor,
    function: impl Fn(T, T) -> T,
) -> Result<()> {
    let (xs, ys, dst) = (x.elements::<T>(q7)?, y.elements::<T>(q7)?, out.elements_mut::<T>(q7)?);
    for i in q7.partition_flat(dst.numel()) {
        dst.set(i, function(xs.get(i), ys.get(i)));
    }
    Ok(())
}
