//! The on-device library for GPSIMD custom operators, as a kernel author sees it.
//!
//! A kernel is one Rust function; it runs on every core of a launch, finds its share of the work by its core's number,
//! and reaches tensors in 64-bit HBM, which a 32-bit core cannot address, through accessors that translate each
//! element.
//!
//! ```
//! use neuron_device::prelude::*;
//!
//! /// Rectified linear unit; NaN and -0 stay, as in PyTorch.
//! #[custom_op]
//! pub fn relu(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
//!     let src = x.elements::<f32>(q7)?;
//!     let dst = out.elements_mut::<f32>(q7)?;
//!     for i in q7.partition_flat(x.numel()) {
//!         let v = src.get(i);
//!         dst.set(i, if v < 0.0 { 0.0 } else { v });
//!     }
//!     Ok(())
//! }
//!
//! neuron_library!(pub ACTIVATIONS: "activations" = [relu]);
//! ```
//!
//! Six layers, each using only those before it: *words* (values), *policy* (decisions as arithmetic), *port* (the
//! hardware boundary, [`Platform`]), *core* ([`Q7`]), *access* ([`Tensor`] and its accessors), *op* (arguments, result,
//! table). `unsafe` is in *port* and where an element is finally loaded or stored. Nothing here names a thread, a file
//! or the simulator, and there is no global state.

#![no_std]

#[cfg(test)]
extern crate std;

// Lets the macros name this crate from inside it.
extern crate self as neuron_device;

mod access;
mod core;
mod op;
mod policy;
mod port;
mod words;

pub use neuron_macros::{custom_op, neuron_library, op};

pub use crate::access::accessor::{Accessor, AccessorMut};
pub use crate::access::elements::{Elements, ElementsMut};
pub use crate::access::ptr::Q7Ptr;
pub use crate::access::tensor::Tensor;
pub use crate::core::q7::Q7;
pub use crate::op::library::{Library, MAX_OPS};
pub use crate::op::table::{Form, Op, Parameter, ParameterKind, Source};
pub use crate::policy::counters::{Counters, WindowCounters};
pub use crate::policy::partition::{Partition, Span, Tiles};
pub use crate::policy::window::{DYNAMIC_RECORDS, RECORDS, WindowTable};
pub use crate::port::fault::{Access, Fault, Index, OutOfBounds, Verdict};
pub use crate::port::flat::FlatPlatform;
pub use crate::port::observe::{Observer, Run};
pub use crate::port::platform::{ArgDescriptor, Platform};
pub use crate::port::window::MappedWindow;
pub use crate::words::addr::{Band, HbmAddr, NxAddr, WINDOW_BYTES};
pub use crate::words::dtype::{Dtype, WireDtype};
pub use crate::words::element::Element;
pub use crate::words::error::{Error, ErrorKind, Result, Site, Sizes};
pub use crate::words::layout::{Layout, LayoutError, MAX_RANK};
pub use crate::words::record::{ArgRecord, MAX_ARGUMENTS, ParsedRecord, RecordError, ViewExtension};
pub use crate::words::scalar::Scalar;
pub use crate::words::spec::{ShapeFn, TensorSpec};

/// The 16-bit float types, which Rust does not have itself.
pub use half::{bf16, f16};

/// What a kernel needs: `use neuron_device::prelude::*;`.
pub mod prelude {
    pub use crate::{
        Dtype, Element, Error, Q7, Result, Scalar, Span, Tensor, TensorSpec, bf16, custom_op, f16, neuron_library, op,
    };
}

/// What the macros' expansions name. Not for people: it may change in any release.
#[doc(hidden)]
pub mod __private {
    pub use ::core;
    pub use ::core::option::Option;
    pub use ::core::{file, line};

    pub use crate::op::argument::KernelArgument;
    pub use crate::op::arguments::Arguments;
    pub use crate::op::result::{InPlaceResult, ReturningResult, finish_in_place, finish_returning};
    pub use crate::{Form, Library, Op, Parameter, Q7, Result, ShapeFn, Source};

    /// Take the next argument, as the type the kernel's signature gives it.
    ///
    /// # Errors
    /// There is none, or it is of another form.
    #[track_caller]
    pub fn pull<'a, A: KernelArgument<'a>>(arguments: &mut Arguments<'_>, name: &'static str) -> Result<A::Held> {
        A::pull(arguments, name)
    }

    /// Lend an argument to the kernel.
    pub fn lend<'a, A: KernelArgument<'a>>(held: &'a A::Held) -> A {
        A::lend(held)
    }
}
