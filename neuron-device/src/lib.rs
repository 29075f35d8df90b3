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
//! Seven layers, each using only those before it: *words* (values), *math* ([`math`], [`Number`]), *policy* (decisions
//! as arithmetic), *port* (the hardware boundary, [`Platform`]), *core* ([`Q7`]), *access* ([`Tensor`] and its
//! accessors), *op* (arguments, result, table). `unsafe` is in *port*, on the way from there to an element (the core's
//! cursor and *access*), and in [`Q7::enter`]. Nothing here names a thread, a file or the simulator, and there is no
//! global state.
//!
//! Who comes from the vendor's C++ API finds each of its names in `docs/from-cpp.md`.

#![no_std]

#[cfg(test)]
extern crate std;

// Lets the macros name this crate from inside it.
extern crate self as neuron_device;

mod access;
mod core;
pub mod math;
mod op;
mod policy;
mod port;
mod words;

/// Makes a function an op: a kernel the runtime finds by name and runs on every core of a launch.
///
/// ```
/// use neuron_device::prelude::*;
///
/// /// In place: the one `&mut Tensor`, at any position after `q7`, is the destination and no argument of a launch.
/// #[custom_op]
/// pub fn axpy(q7: &Q7, x: &Tensor, y: &Tensor, alpha: f32, out: &mut Tensor) -> Result<()> {
///     let (xs, ys) = (x.elements::<f32>(q7)?, y.elements::<f32>(q7)?);
///     let dst = out.elements_mut::<f32>(q7)?;
///     for i in q7.partition_flat(dst.numel()) {
///         dst.set(i, alpha * xs.get(i) + ys.get(i));
///     }
///     Ok(())
/// }
///
/// /// Returning: without a `&mut Tensor` the result is a tensor of this core's scratch.
/// #[custom_op(name = "double")]
/// pub fn twice(q7: &Q7, x: &Tensor) -> Result<Tensor> {
///     let mut result = q7.empty_like(x)?;
///     let (src, dst) = (x.elements::<f32>(q7)?, result.elements_mut::<f32>(q7)?);
///     for i in q7.partition_flat(x.numel()) {
///         dst.set(i, 2.0 * src.get(i));
///     }
///     Ok(result)
/// }
///
/// assert_eq!(op!(axpy).parameters().len(), 3);
/// assert_eq!(op!(twice).name(), "double");
/// ```
///
/// # Signature
/// First `q7: &Q7`, then at most 10 arguments, each `&Tensor`, [`Scalar`], `i32`, `i64` or `f32`, and at most one
/// `&mut Tensor`, which is not counted. With it the kernel returns `Result<()>`, without it `Result<Tensor>`. No
/// generics, no lifetimes, no `async`: an op is found by name, so there is nothing to choose. What does not fit is told
/// at its place, all of it at once. The types may be imported under other names.
///
/// # Options
/// - `name = "relu"`: the name in the table, at most 31 ASCII letters, digits and `_` (`docs/machine.md`,
///   section 9). Default: the function's.
/// - `shape = path`: a [`ShapeFn`] that says what shape the output has. Default: that of the first tensor.
/// - `in_place`: the destination may be the memory of an argument, or overlap it. Without it such a launch is refused.
///   For kernels that give the same whichever core is ahead: each element is read before it is written, by the core
///   that writes it.
/// - `stack_size = 65536`: the bytes of stack the kernel needs on the device, at most [`MAX_STACK_SIZE`]. Where the core's
///   own stack has fewer left, the kernel runs on one in HBM (`docs/machine.md`, section 10). Default:
///   [`DEFAULT_STACK_SIZE`].
/// - `crate = path`: where this crate is re-exported, for ops that other crates' macros write.
///
/// # Expansion
/// The function stays as it is, to be called and tested as any other. Beside it stands a hidden static, as visible as
/// the function and under the same `#[cfg]`s; [`op!`] and [`neuron_library!`] find it.
pub use neuron_macros::custom_op;

/// Lists the ops of a [`Library`], by the paths of their functions, under the name a model loads.
///
/// ```
/// use neuron_device::prelude::*;
///
/// mod relu {
///     use neuron_device::prelude::*;
///
///     #[custom_op]
///     pub fn relu(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
///         let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
///         for i in q7.partition_flat(x.numel()) {
///             let v = src.get(i);
///             dst.set(i, if v < 0.0 { 0.0 } else { v });
///         }
///         Ok(())
///     }
/// }
///
/// neuron_library!(pub ACTIVATIONS: "activations" = [relu::relu]);
///
/// assert_eq!(ACTIVATIONS.name(), "activations");
/// assert!(ACTIVATIONS.op("relu").is_some());
/// ```
///
/// 1 to 10 ops, no two of one name; the name "builtin" is the runtime's (`docs/machine.md`, section 9).
/// Attributes, such as a doc comment, go before the visibility, and `crate = path;`, where this crate is
/// re-exported, before those. The list is explicit: nothing is collected by a linker, so nothing can be lost
/// by one.
pub use neuron_macros::neuron_library;

/// The [`Op`] of a function with [`#[custom_op]`](macro@custom_op), as a `&'static Op`.
///
/// ```
/// use neuron_device::prelude::*;
///
/// mod kernels {
///     use neuron_device::prelude::*;
///
///     #[custom_op]
///     pub fn same(q7: &Q7, x: &Tensor) -> Result<Tensor> {
///         let _ = q7;
///         Ok(x.clone())
///     }
/// }
///
/// let same = op!(kernels::same);
/// assert_eq!((same.name(), same.parameters()[0].name), ("same", "x"));
/// ```
///
/// If the path leads to no op, the compiler finds no value `__op_<function>`: `#[custom_op]` is missing there.
pub use neuron_macros::op;

pub use crate::access::accessor::{Accessor, AccessorMut};
pub use crate::access::elements::{Elements, ElementsMut};
pub use crate::access::memcpy::CopyEnd;
pub use crate::access::pending::Pending;
pub use crate::access::ptr::Q7Ptr;
pub use crate::access::stream::read::ReadStream;
pub use crate::access::stream::write::WriteStream;
pub use crate::access::tcm::{TcmBuf, TcmTile};
pub use crate::access::tensor::Tensor;
pub use crate::core::q7::Q7;
pub use crate::math::float::Float;
pub use crate::math::integer::Integer;
pub use crate::math::number::Number;
pub use crate::op::entry::Entry;
pub use crate::op::library::{Library, MAX_OPS};
pub use crate::op::registered::Registered;
pub use crate::op::table::{Form, Op, Parameter, ParameterKind, Source};
pub use crate::policy::counters::{CopyCounters, Counters, WindowCounters};
pub use crate::policy::partition::{Partition, Span, Tiles};
pub use crate::policy::ring::{Descriptor, DmaRing};
pub use crate::policy::stack::{DEFAULT_STACK_SIZE, MAX_STACK_SIZE, Stack, StackKind, StackRegisters};
pub use crate::policy::window::{DYNAMIC_RECORDS, RECORDS, WindowTable};
pub use crate::port::bulk;
pub use crate::port::dataram::Dataram;
pub use crate::port::engine::{DmaEngine, Doorbell};
pub use crate::port::fault::{Access, Fault, Index, OutOfBounds, Verdict};
pub use crate::port::flat::{FlatPlatform, Tcm};
pub use crate::port::observe::{Copied, Observer, RawPath, Returned, Run, Staged, Wants};
pub use crate::port::platform::{ArgDescriptor, Platform};
pub use crate::port::sbuf::Sbuf;
pub use crate::port::station::Station;
pub use crate::port::window::MappedWindow;
pub use crate::words::addr::{Band, HbmAddr, NxAddr, WINDOW_BYTES};
pub use crate::words::console::ConsoleSlot;
pub use crate::words::dtype::{Dtype, NotCrossing, WireDtype};
pub use crate::words::element::Element;
pub use crate::words::error::{Error, ErrorKind, Result, Site, Sizes, Strided};
pub use crate::words::handle::{CoherencyPolicy, Handle};
pub use crate::words::heap::{FreeError, HeapName, HeapState, Holder};
pub use crate::words::image::{CoreImage, WrongImage};
pub use crate::words::layout::{Layout, LayoutError, MAX_RANK};
pub use crate::words::method::CopyMethod;
pub use crate::words::record::{ArgRecord, MAX_ARGUMENTS, ParsedRecord, RecordError, Storage, ViewExtension};
pub use crate::words::sbuf::{SBUF_BYTES, SBUF_PARTITIONS, SBUF_WINDOW, SbufAddresses};
pub use crate::words::scalar::Scalar;
pub use crate::words::spec::{ShapeFn, TensorSpec};
pub use crate::words::work::{Unit, Work};

/// The 16-bit float types, which Rust does not have itself.
///
/// ```
/// use neuron_device::{bf16, f16};
/// let (half, brain) = (f16::from_f32(1.001), bf16::from_f32(1.001));
/// // f16 keeps 10 bits of the fraction, bf16 keeps 7.
/// assert_eq!((half.to_f32(), brain.to_f32()), (1.000_976_6, 1.0));
/// ```
pub use half::{bf16, f16};

/// What a kernel needs, in one line.
///
/// ```
/// use neuron_device::prelude::*;
///
/// #[custom_op]
/// fn to_f32(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
///     let (src, dst) = (x.elements::<f16>(q7)?, out.elements_mut::<f32>(q7)?);
///     q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, src.get(i).to_f32()));
///     Ok(())
/// }
/// assert_eq!(op!(to_f32).parameters()[0].name, "x");
/// ```
pub mod prelude {
    pub use crate::{
        Dtype, Element, Error, Float, Integer, Number, Q7, Result, Scalar, Span, Tensor, TensorSpec, bf16,
        custom_op, f16, match_dtype, math, neuron_library, neuron_println, op,
    };
}

/// What the macros' expansions name. Not for people: it may change in any release.
#[doc(hidden)]
pub mod __private {
    pub use ::core;
    pub use ::core::option::Option;

    pub use crate::core::console::{has_console, print_line};
    pub use crate::op::argument::KernelArgument;
    pub use crate::op::arguments::Arguments;
    pub use crate::op::lent::{KernelCore, KernelDestination};
    pub use crate::op::result::{InPlaceResult, ReturningResult, finish_in_place, finish_returning};
    pub use crate::words::serve::Subject;
    pub use crate::{Form, Library, Op, Parameter, Q7, Result, ShapeFn, Source};
}
