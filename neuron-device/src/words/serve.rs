//! [`match_dtype!`]: one kernel body for several dtypes.

use super::dtype::Dtype;
use super::error::{Error, ErrorKind};
use super::scalar::Scalar;

/// Runs a block with `T` standing for the Rust type of a dtype, if it is one of those listed.
///
/// ```
/// use neuron_device::prelude::*;
///
/// /// e to the power of `x`, element by element.
/// #[custom_op]
/// pub fn exp(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
///     match_dtype!(x, f32 | f16 | bf16 as T => {
///         let (src, dst) = (x.elements::<T>(q7)?, out.elements_mut::<T>(q7)?);
///         for i in q7.partition_flat(x.numel()) {
///             dst.set(i, math::exp(src.get(i)));
///         }
///         Ok(())
///     })
/// }
/// ```
///
/// What is matched is a [`Tensor`](crate::Tensor), a [`Scalar`](crate::Scalar), a [`Dtype`](crate::Dtype), or a
/// reference to one; it is evaluated once. The block is compiled once for each dtype. It gives a
/// [`Result`](crate::Result), and so does the whole; `?` and `return` in it leave the kernel. It is no closure: it
/// may write to what is around it.
///
/// # Errors
/// A dtype that is not listed: the error names it, those that are, the line, and of a tensor the argument.
///
/// ```
/// use neuron_device::{Dtype, Result, match_dtype};
/// fn widest(dtype: Dtype) -> Result<f32> {
///     match_dtype!(dtype, f32 | bf16 as T => Ok(T::MAX.into()))
/// }
/// assert_eq!(widest(Dtype::F32)?, f32::MAX);
/// let error = widest(Dtype::I64).unwrap_err();
/// assert!(error.to_string().starts_with("has dtype i64, but the kernel serves f32 and bf16 (at "), "{error}");
/// # Ok::<(), neuron_device::Error>(())
/// ```
///
/// A name that is no dtype of a tensor does not compile:
///
/// ```compile_fail
/// # use neuron_device::{Dtype, Error, match_dtype};
/// let bytes = match_dtype!(Dtype::F32, f32 | f64 as T => Ok::<_, Error>(size_of::<T>()));
/// ```
#[macro_export]
macro_rules! match_dtype {
    ($subject:expr, $($dtype:ident)|+ as $type:ident => $body:expr $(,)?) => {
        match $crate::__private::Subject::of(&$subject) {
            subject => $(if subject.is($crate::match_dtype!(@dtype $dtype)) {
                type $type = $crate::match_dtype!(@type $dtype);
                $body
            } else)+ {
                $crate::__private::core::result::Result::Err(
                    subject.unserved(&[$($crate::match_dtype!(@dtype $dtype)),+]),
                )
            }
        }
    };
    (@dtype i8) => { $crate::Dtype::I8 };
    (@dtype u8) => { $crate::Dtype::U8 };
    (@dtype i16) => { $crate::Dtype::I16 };
    (@dtype i32) => { $crate::Dtype::I32 };
    (@dtype i64) => { $crate::Dtype::I64 };
    (@dtype f16) => { $crate::Dtype::F16 };
    (@dtype bf16) => { $crate::Dtype::BF16 };
    (@dtype f32) => { $crate::Dtype::F32 };
    // Any will do: that there is none is told once, as a type.
    (@dtype $other:ident) => { $crate::Dtype::F32 };
    (@type i8) => { $crate::__private::core::primitive::i8 };
    (@type u8) => { $crate::__private::core::primitive::u8 };
    (@type i16) => { $crate::__private::core::primitive::i16 };
    (@type i32) => { $crate::__private::core::primitive::i32 };
    (@type i64) => { $crate::__private::core::primitive::i64 };
    (@type f16) => { $crate::f16 };
    (@type bf16) => { $crate::bf16 };
    (@type f32) => { $crate::__private::core::primitive::f32 };
    (@type $other:ident) => {
        $crate::__private::core::compile_error!($crate::__private::core::concat!(
            "`", $crate::__private::core::stringify!($other),
            "` is not an element type of a tensor: those are i8, u8, i16, i32, i64, f16, bf16 and f32"
        ))
    };
    ($($other:tt)*) => {
        $crate::__private::core::compile_error!(
            "expected a tensor or a dtype, the dtypes served, and a name for the type: \
             `match_dtype!(x, f32 | bf16 as T => { ... })`"
        )
    };
}

/// What [`match_dtype!`] matches: a dtype, and the name of what has it, for the error.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    dtype: Dtype,
    name: Option<&'static str>,
}

impl Subject {
    /// What `value` is.
    pub fn of(value: &impl HasDtype) -> Self {
        Self { dtype: value.dtype(), name: value.name() }
    }

    /// Has it this dtype?
    pub fn is(self, dtype: Dtype) -> bool {
        self.dtype == dtype
    }

    /// The error of one that has none of `served`.
    #[cold]
    #[track_caller]
    pub const fn unserved(self, served: &'static [Dtype]) -> Error {
        let error = Error::new(ErrorKind::NotServed { served, found: self.dtype });
        match self.name {
            Some(name) => error.about(name),
            None => error,
        }
    }
}

/// A thing with one dtype.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no dtype to match",
    label = "not a `Tensor`, a `Scalar` or a `Dtype`",
    note = "`match_dtype!(x, f32 | bf16 as T => ...)`, with `x` a tensor"
)]
pub trait HasDtype {
    /// The dtype.
    fn dtype(&self) -> Dtype;

    /// Its name in the kernel's signature, if it knows it.
    fn name(&self) -> Option<&'static str> {
        None
    }
}

impl HasDtype for Dtype {
    fn dtype(&self) -> Dtype {
        *self
    }
}

impl HasDtype for Scalar {
    fn dtype(&self) -> Dtype {
        Scalar::dtype(*self)
    }
}

impl<T: HasDtype> HasDtype for &T {
    fn dtype(&self) -> Dtype {
        T::dtype(self)
    }

    fn name(&self) -> Option<&'static str> {
        T::name(self)
    }
}

impl<T: HasDtype> HasDtype for &mut T {
    fn dtype(&self) -> Dtype {
        T::dtype(self)
    }

    fn name(&self) -> Option<&'static str> {
        T::name(self)
    }
}

#[cfg(test)]
mod tests;
