//! [`Op`]: what is known of a custom operator before it runs.

use core::fmt;
use core::panic::Location;

use crate::core::q7::Q7;
use crate::policy::stack::{DEFAULT_STACK_SIZE, Stack, StackKind, choose, hbm_bytes};
use crate::words::dtype::Dtype;
use crate::words::error::{Error, ErrorKind, Result, Site};
use crate::words::spec::ShapeFn;

/// The form of an argument a kernel takes.
///
/// ```
/// use neuron_device::{ParameterKind, prelude::*};
/// # #[custom_op]
/// # fn axpy(q7: &Q7, x: &Tensor, alpha: f32, bias: Scalar, out: &mut Tensor) -> Result<()> {
/// #     let _ = (q7, x, alpha, bias, out);
/// #     Ok(())
/// # }
/// // fn axpy(q7: &Q7, x: &Tensor, alpha: f32, bias: Scalar, out: &mut Tensor) -> Result<()>
/// let kinds: Vec<_> = op!(axpy).parameters().iter().map(|parameter| parameter.kind).collect();
/// assert_eq!(kinds, [ParameterKind::Tensor, ParameterKind::Value(Dtype::F32), ParameterKind::Scalar]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// `&Tensor`.
    Tensor,
    /// `Scalar`: one value of any of the 8 dtypes.
    Scalar,
    /// One value of this dtype: `i32`, `f32` or `i64`.
    Value(Dtype),
}

/// One parameter of a kernel; core and destination are none.
///
/// ```
/// use neuron_device::{Parameter, ParameterKind, prelude::*};
/// # #[custom_op]
/// # fn axpy(q7: &Q7, x: &Tensor, alpha: f32, bias: Scalar, out: &mut Tensor) -> Result<()> {
/// #     let _ = (q7, x, alpha, bias, out);
/// #     Ok(())
/// # }
/// // fn axpy(q7: &Q7, x: &Tensor, alpha: f32, bias: Scalar, out: &mut Tensor) -> Result<()>
/// let parameters = op!(axpy).parameters();
/// assert_eq!(parameters.len(), 3);
/// assert_eq!(parameters[1], Parameter { name: "alpha", kind: ParameterKind::Value(Dtype::F32) });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name in the signature.
    pub name: &'static str,
    /// Its form.
    pub kind: ParameterKind,
}

/// How a kernel hands over its result.
///
/// ```
/// use neuron_device::{Form, prelude::*};
/// # #[custom_op]
/// # fn scale(q7: &Q7, x: &Tensor) -> Result<Tensor> { q7.empty_like(x) }
/// # #[custom_op]
/// # fn axpy(q7: &Q7, x: &Tensor, alpha: f32, bias: Scalar, out: &mut Tensor) -> Result<()> {
/// #     let _ = (q7, x, alpha, bias, out);
/// #     Ok(())
/// # }
/// // fn axpy(…, out: &mut Tensor) -> Result<()>, fn scale(…) -> Result<Tensor>
/// assert_eq!(op!(axpy).form(), Form::InPlace { destination: "out" });
/// assert_eq!(op!(scale).form(), Form::Returning);
/// assert_eq!((op!(axpy).form().output(), op!(scale).form().output()), ("out", "result"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// It writes to the destination, a parameter of this name.
    InPlace {
        /// The destination's name in the signature.
        destination: &'static str,
    },
    /// It returns a tensor made on its core's scratch.
    Returning,
}

impl Form {
    /// What reports call the output.
    pub const fn output(self) -> &'static str {
        match self {
            Self::InPlace { destination } => destination,
            Self::Returning => "result",
        }
    }
}

/// Where an op is written.
///
/// ```
/// use neuron_device::{Source, prelude::*};
/// let above = line!();
/// #[custom_op]
/// fn scale(q7: &Q7, x: &Tensor) -> Result<Tensor> {
///     q7.empty_like(x)
/// }
/// assert_eq!(op!(scale).source(), Source { file: file!(), line: above + 2 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// Path of the file, as the compiler was given it.
    pub file: &'static str,
    /// Line of the function's name, from 1.
    pub line: u32,
}

/// A custom operator, as `#[custom_op]` registers it. Get one with [`op!`](crate::op).
///
/// ```
/// use neuron_device::{prelude::*, op};
/// #[custom_op]
/// fn negate(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
///     let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
///     for i in q7.partition_flat(src.numel()) {
///         dst.set(i, -src.get(i));
///     }
///     Ok(())
/// }
/// let negate = op!(negate);
/// assert_eq!((negate.name(), negate.parameters()[0].name), ("negate", "x"));
/// ```
pub struct Op {
    name: &'static str,
    source: Source,
    parameters: &'static [Parameter],
    form: Form,
    shape: Option<ShapeFn>,
    may_alias: bool,
    stack_size: u32,
    /// Where that is said, or else where the op is.
    stack_site: Site,
    launch: fn(&Q7) -> Result<()>,
}

impl Op {
    /// What `#[custom_op]` expands to.
    #[doc(hidden)]
    #[track_caller]
    pub const fn new(
        name: &'static str,
        source: Source,
        parameters: &'static [Parameter],
        form: Form,
        shape: Option<ShapeFn>,
        launch: fn(&Q7) -> Result<()>,
    ) -> Self {
        let (stack_size, stack_site) = (DEFAULT_STACK_SIZE, Location::caller());
        Self { name, source, parameters, form, shape, may_alias: false, stack_size, stack_site, launch }
    }

    /// What `#[custom_op(in_place)]` adds.
    #[doc(hidden)]
    pub const fn in_place(mut self) -> Self {
        self.may_alias = true;
        self
    }

    /// What `#[custom_op(stack_size = …)]` adds.
    #[doc(hidden)]
    #[track_caller]
    pub const fn with_stack(mut self, bytes: u32) -> Self {
        self.stack_size = bytes;
        self.stack_site = Location::caller();
        self
    }

    /// The name it is registered under.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Where it is written.
    pub const fn source(&self) -> Source {
        self.source
    }

    /// Its parameters, in order, without core and destination.
    pub const fn parameters(&self) -> &'static [Parameter] {
        self.parameters
    }

    /// How it hands over its result.
    pub const fn form(&self) -> Form {
        self.form
    }

    /// Its shape function; without one the output is like the first tensor.
    pub const fn shape(&self) -> Option<ShapeFn> {
        self.shape
    }

    /// May its destination reach over the memory of an argument, be it in part? It may if the op says
    /// `#[custom_op(in_place)]`. Two tensors reach over each other if the storage between first and last element of one
    /// has a part of the other's, even where their elements only interleave.
    ///
    /// ```
    /// use neuron_device::prelude::*;
    /// #[custom_op(in_place)]
    /// fn halve(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    ///     let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    ///     q7.partition_flat(dst.numel()).into_iter().for_each(|i| dst.set(i, src.get(i) / 2.0));
    ///     Ok(())
    /// }
    /// assert!(op!(halve).may_alias());
    /// ```
    pub const fn may_alias(&self) -> bool {
        self.may_alias
    }

    /// Bytes of stack the kernel needs on the device, by its author's word.
    pub const fn stack_size(&self) -> u32 {
        self.stack_size
    }

    /// The line that says so, or else the op's own.
    pub const fn stack_site(&self) -> Site {
        self.stack_site
    }

    /// Run it on this core: arguments from the core's records, kernel, result, clean-up.
    /// [`ArgDescriptor`](crate::ArgDescriptor) shows it on a platform of one's own.
    ///
    /// # Errors
    /// A record that does not hold what the signature says, no output descriptor, whatever the kernel
    /// returns, and a returned tensor that is not like the output or not of this core's scratch. A stack that is larger
    /// than an op may ask for, or for which the core's HBM scratch has no room.
    ///
    /// # Panics
    /// When the kernel does.
    pub fn launch(&self, q7: &Q7) -> Result<()> {
        self.launch_on(q7, &mut |_, wrapper| {
            wrapper();
            true
        })
    }

    /// As [`launch`](Self::launch), where `switch` runs what it is given on the stack that was chosen, be it the core's own
    /// ([`StackKind`](crate::StackKind)), and says whether it came to its end. What does not is left in the middle of
    /// something, as by a stack that overflows: nothing it held is dropped, and the core tells its observer nothing more,
    /// its end included.
    ///
    /// ```
    /// use neuron_device::{ArgDescriptor, ErrorKind, FlatPlatform, StackKind, prelude::*};
    /// #[custom_op]
    /// fn deep(_q7: &Q7, _x: &Tensor, _out: &mut Tensor) -> Result<()> { Ok(()) }
    /// let mut memory = [0; 64];
    /// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory), |q7| {
    ///     // This platform knows of no end of its stack, so no op is switched; and here none is run.
    ///     let mut chosen = None;
    ///     let ended = op!(deep).launch_on(q7, &mut |stack, _wrapper| {
    ///         chosen = Some(stack.kind);
    ///         false
    ///     });
    ///     assert_eq!(chosen, Some(StackKind::Local));
    ///     assert!(matches!(ended.unwrap_err().kind(), ErrorKind::StackOverflow { .. }));
    /// });
    /// ```
    ///
    /// # Errors
    /// As `launch`; and [`StackOverflow`](ErrorKind::StackOverflow) if it did not come to its end.
    pub fn launch_on(&self, q7: &Q7, switch: &mut dyn FnMut(Stack, &mut dyn FnMut()) -> bool) -> Result<()> {
        let registers = q7.platform(|platform| platform.stack());
        let (asked, site) = (self.stack_size, self.stack_site);
        let Some(stack) = choose(registers, asked) else {
            let most = registers.most;
            return Err(Error::at(ErrorKind::StackSize { asked, most }, site).about("stack"));
        };
        let drawn = match stack.kind {
            StackKind::Local => None,
            StackKind::Hbm => match q7.draw_stack(hbm_bytes(stack.bytes), site) {
                Ok(drawn) => Some(drawn),
                Err(kind) => return Err(Error::at(kind, site).about("stack")),
            },
        };
        let mut result = None;
        let ended = switch(stack, &mut || result = Some((self.launch)(q7)));
        match result {
            Some(result) if ended => result,
            _ => {
                q7.abandon();
                core::mem::forget(drawn);
                Err(Error::at(ErrorKind::StackOverflow { limit: stack.bytes }, site).about("stack"))
            }
        }
    }
}

impl fmt::Debug for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Op").field("name", &self.name).field("source", &self.source).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
