//! [`Op`]: what is known of a custom operator before it runs.

use core::ffi::CStr;
use core::fmt;
use core::panic::Location;

use super::entry::Entry;
use crate::core::q7::Q7;
use crate::words::dtype::Dtype;
use crate::words::error::{Result, Site};
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
    c_name: &'static CStr,
    source: Source,
    parameters: &'static [Parameter],
    form: Form,
    shape: Option<ShapeFn>,
    may_alias: bool,
    entry: Entry,
}

impl Op {
    /// What `#[custom_op]` expands to.
    ///
    /// # Panics
    /// At compile time: a name that is no UTF-8.
    #[doc(hidden)]
    #[track_caller]
    pub const fn new(
        c_name: &'static CStr,
        source: Source,
        parameters: &'static [Parameter],
        form: Form,
        shape: Option<ShapeFn>,
        launch: fn(&Q7) -> Result<()>,
    ) -> Self {
        let Ok(name) = c_name.to_str() else { panic!("the name of an op is UTF-8") };
        Self {
            name,
            c_name,
            source,
            parameters,
            form,
            shape,
            may_alias: false,
            entry: Entry::new(launch, Location::caller()),
        }
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
        self.entry = self.entry.with_stack(bytes, Location::caller());
        self
    }

    /// The name it is registered under.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The name as C has it.
    pub(super) const fn c_name(&self) -> &'static CStr {
        self.c_name
    }

    /// The function behind it, which is what a library registers.
    pub const fn entry(&self) -> &Entry {
        &self.entry
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
        self.entry.stack_size()
    }

    /// The line that says so, or else the op's own.
    pub const fn stack_site(&self) -> Site {
        self.entry.stack_site()
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
        self.entry.launch(q7)
    }
}

impl fmt::Debug for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Op").field("name", &self.name).field("source", &self.source).finish_non_exhaustive()
    }
}
