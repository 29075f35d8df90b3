//! Ops over tensors of each of the 8 dtypes.

use neuron_device::prelude::*;

/// Calls `$function::<T>` with `T` the element type of `$dtype`.
macro_rules! with_dtype {
    ($dtype:expr, $function:ident($($argument:expr),*)) => {
        match $dtype {
            Dtype::I8 => $function::<i8>($($argument),*),
            Dtype::U8 => $function::<u8>($($argument),*),
            Dtype::I16 => $function::<i16>($($argument),*),
            Dtype::BF16 => $function::<bf16>($($argument),*),
            Dtype::F16 => $function::<f16>($($argument),*),
            Dtype::I32 => $function::<i32>($($argument),*),
            Dtype::F32 => $function::<f32>($($argument),*),
            Dtype::I64 => $function::<i64>($($argument),*),
        }
    };
}

/// Arithmetic the 8 element types share.
trait Number: Element {
    fn negated(self) -> Self;
    fn to_f32(self) -> f32;
    fn from_f32(value: f32) -> Self;
}

macro_rules! integers {
    ($($type:ty),*) => {$(
        impl Number for $type {
            fn negated(self) -> Self {
                self.wrapping_neg()
            }

            fn to_f32(self) -> f32 {
                self as f32
            }

            fn from_f32(value: f32) -> Self {
                value as Self
            }
        }
    )*};
}
integers!(i8, u8, i16, i32, i64);

macro_rules! halves {
    ($($type:ident),*) => {$(
        impl Number for $type {
            fn negated(self) -> Self {
                -self
            }

            fn to_f32(self) -> f32 {
                $type::to_f32(self)
            }

            fn from_f32(value: f32) -> Self {
                $type::from_f32(value)
            }
        }
    )*};
}
halves!(f16, bf16);

impl Number for f32 {
    fn negated(self) -> Self {
        -self
    }

    fn to_f32(self) -> f32 {
        self
    }

    fn from_f32(value: f32) -> Self {
        value
    }
}

/// `x`, bit for bit.
#[custom_op]
pub fn copy(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    with_dtype!(x.dtype(), map(q7, x, out, |value| value))
}

/// `-x`; the smallest integer stays.
#[custom_op]
pub fn negate(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    with_dtype!(x.dtype(), map(q7, x, out, Number::negated))
}

fn map<T: Number>(q7: &Q7, x: &Tensor, out: &mut Tensor, function: fn(T) -> T) -> Result<()> {
    let (src, dst) = (x.elements::<T>(q7)?, out.elements_mut::<T>(q7)?);
    for i in q7.partition_flat(src.numel()) {
        dst.set(i, function(src.get(i)));
    }
    Ok(())
}

/// `x` as f32.
#[custom_op(shape = as_f32)]
pub fn widen(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    with_dtype!(x.dtype(), widen_from(q7, x, out))
}

fn as_f32(inputs: &[TensorSpec]) -> Result<TensorSpec> {
    TensorSpec::new(Dtype::F32, inputs[0].sizes())
}

fn widen_from<T: Number>(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<T>(q7)?, out.elements_mut::<f32>(q7)?);
    for i in q7.partition_flat(src.numel()) {
        dst.set(i, src.get(i).to_f32());
    }
    Ok(())
}

/// `x`, of f32, as what `like` is, whose values do not matter.
#[custom_op(shape = as_second)]
pub fn narrow(q7: &Q7, x: &Tensor, like: &Tensor, out: &mut Tensor) -> Result<()> {
    with_dtype!(like.dtype(), narrow_to(q7, x, out))
}

fn as_second(inputs: &[TensorSpec]) -> Result<TensorSpec> {
    TensorSpec::new(inputs[1].dtype(), inputs[0].sizes())
}

fn narrow_to<T: Number>(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<T>(q7)?);
    for i in q7.partition_flat(src.numel()) {
        dst.set(i, T::from_f32(src.get(i)));
    }
    Ok(())
}
