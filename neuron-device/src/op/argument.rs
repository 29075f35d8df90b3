//! The forms of arguments a kernel may take.

use super::arguments::Arguments;
use super::table::ParameterKind;
use crate::access::tensor::Tensor;
use crate::words::dtype::Dtype;
use crate::words::error::Result;
use crate::words::scalar::Scalar;

/// A form of argument a kernel may take (sealed).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an argument a custom op can take",
    label = "not one of `&Tensor`, `Scalar`, `i32`, `f32`, `i64`",
    note = "after `q7: &Q7`, an op takes `&Tensor`, `Scalar`, `i32`, `f32` or `i64`, and at most one `&mut Tensor`, its destination",
    note = "other values travel as one of these: a `bool` or `usize` as `i32` or `i64`, an `f64` as `f32`"
)]
pub trait KernelArgument<'a>: sealed::Sealed {
    /// What the wrapper holds while the kernel runs.
    type Held: 'a;
    /// How the table describes it.
    const KIND: ParameterKind;
    /// Take the next argument.
    ///
    /// # Errors
    /// There is none, or it is of another form.
    fn pull(arguments: &mut Arguments<'_>, name: &'static str) -> Result<Self::Held>;
    /// Lend it to the kernel.
    fn lend(held: &'a Self::Held) -> Self;
}

mod sealed {
    pub trait Sealed {}
}

impl sealed::Sealed for &Tensor {}
impl<'a> KernelArgument<'a> for &'a Tensor {
    type Held = Tensor;
    const KIND: ParameterKind = ParameterKind::Tensor;

    #[track_caller]
    fn pull(arguments: &mut Arguments<'_>, name: &'static str) -> Result<Tensor> {
        arguments.next_tensor(name)
    }

    fn lend(held: &'a Tensor) -> Self {
        held
    }
}

impl sealed::Sealed for Scalar {}
impl KernelArgument<'_> for Scalar {
    type Held = Self;
    const KIND: ParameterKind = ParameterKind::Scalar;

    #[track_caller]
    fn pull(arguments: &mut Arguments<'_>, name: &'static str) -> Result<Self> {
        arguments.next_scalar(name)
    }

    fn lend(held: &Self) -> Self {
        *held
    }
}

macro_rules! values {
    ($($type:ty: $dtype:ident),*) => {$(
        impl sealed::Sealed for $type {}
        impl KernelArgument<'_> for $type {
            type Held = Self;
            const KIND: ParameterKind = ParameterKind::Value(Dtype::$dtype);

            #[track_caller]
            fn pull(arguments: &mut Arguments<'_>, name: &'static str) -> Result<Self> {
                arguments.next_value(name)
            }

            fn lend(held: &Self) -> Self {
                *held
            }
        }
    )*};
}
values!(i32: I32, f32: F32, i64: I64);
