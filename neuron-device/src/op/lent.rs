//! What a kernel is lent besides its arguments: the core, and the destination.

use crate::access::tensor::Tensor;
use crate::core::q7::Q7;

/// The core, a kernel's first parameter: `&Q7` (sealed).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the core a custom op runs on",
    label = "must be `&Q7`",
    note = "a custom op takes the core first, `q7: &Q7`, under whatever name the type is imported; its arguments follow"
)]
pub trait KernelCore<'a>: sealed::Sealed {
    /// Lend it to the kernel.
    fn lend(q7: &'a Q7) -> Self;
}

/// What is behind the `&mut` of a destination: `Tensor` (sealed).
#[diagnostic::on_unimplemented(
    message = "`&mut {Self}` is not a destination a custom op can have",
    label = "must be `Tensor`",
    note = "the one `&mut` parameter of a custom op is its destination, `out: &mut Tensor`; what it only reads is `&Tensor`"
)]
pub trait KernelDestination: sealed::Sealed {
    /// Lend it to the kernel.
    fn lend(output: &mut Tensor) -> &mut Self;
}

mod sealed {
    pub trait Sealed {}
}

impl sealed::Sealed for &Q7 {}
#[diagnostic::do_not_recommend]
impl<'a> KernelCore<'a> for &'a Q7 {
    fn lend(q7: &'a Q7) -> Self {
        q7
    }
}

impl sealed::Sealed for Tensor {}
#[diagnostic::do_not_recommend]
impl KernelDestination for Tensor {
    fn lend(output: &mut Tensor) -> &mut Self {
        output
    }
}
