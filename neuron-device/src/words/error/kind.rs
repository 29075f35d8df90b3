//! [`ErrorKind`]: what was wrong.

use core::fmt;

use super::Site;
use super::sizes::{Sizes, Strided};
use crate::words::addr::NxAddr;
use crate::words::dtype::Dtype;
use crate::words::handle::Handle;
use crate::words::heap::{HeapName, HeapState};
use crate::words::layout::LayoutError;
use crate::words::record::RecordError;
use crate::words::scalar::Scalar;

/// What went wrong, without where. Its text goes on from the argument's name, which [`Error`](super::Error) puts before it.
///
/// ```
/// use neuron_device::{ErrorKind, FlatPlatform, prelude::*};
/// let mut memory = [0; 64];
/// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory), |q7| {
///     let x = q7.empty(Dtype::I32, &[4])?;
///     let error = x.elements::<f32>(q7).unwrap_err();
///     assert_eq!(error.kind(), &ErrorKind::Dtype { wanted: Dtype::F32, found: Dtype::I32 });
///     assert_eq!(error.kind().to_string(), "has dtype i32, but the access asks for f32: use `::<i32>`");
///     Ok(())
/// })
/// # .map_err(|error: Error| error.to_string()).unwrap();
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The tensor's elements have another type than the access asks for.
    Dtype {
        /// The type asked for.
        wanted: Dtype,
        /// The tensor's type.
        found: Dtype,
    },
    /// A dtype the kernel is not made for; from [`match_dtype!`](crate::match_dtype).
    NotServed {
        /// The dtypes it is made for.
        served: &'static [Dtype],
        /// The one it met.
        found: Dtype,
    },
    /// The tensor has another number of dimensions than the accessor.
    Rank {
        /// The accessor's rank.
        wanted: usize,
        /// The tensor's sizes.
        found: Sizes,
    },
    /// A tensor has other sizes than it must have.
    Shape {
        /// The sizes it must have.
        wanted: Sizes,
        /// The sizes it has.
        found: Sizes,
    },
    /// An element that is used as an index, and is none.
    OutOfRange {
        /// Where it stands in its tensor: an index a dimension.
        at: Sizes,
        /// Its value.
        value: i64,
        /// The size of the dimension it should lead into.
        size: u32,
    },
    /// A tensor has another dtype than it must have.
    OtherDtype {
        /// The dtype it must have.
        wanted: Dtype,
        /// The dtype it has.
        found: Dtype,
    },
    /// A write through an input, or through a view or clone of one.
    ReadOnly,
    /// The tensor belongs to another launch, of this simulator or of another.
    OtherLaunch,
    /// The returned tensor was not made on this core's scratch.
    NotScratch,
    /// The returned tensor has another dtype than the output.
    ReturnedDtype {
        /// The output's.
        wanted: Dtype,
        /// The tensor's.
        found: Dtype,
    },
    /// The returned tensor has other sizes than the output.
    ReturnedSizes {
        /// The output's.
        wanted: Sizes,
        /// The tensor's.
        found: Sizes,
    },
    /// No element of the tensor holds the value that all of them were to have.
    Fill {
        /// The value.
        value: Scalar,
        /// The tensor's type.
        dtype: Dtype,
    },
    /// A heap of the core has no room for a block.
    HeapExhausted {
        /// Which heap.
        heap: HeapName,
        /// What was asked for, and what there was.
        state: HeapState,
    },
    /// A block of no bytes was asked for.
    EmptyBlock {
        /// Which heap was asked.
        heap: HeapName,
    },
    /// An alignment that is no power of two.
    BadAlignment {
        /// The alignment asked for, in bytes.
        align: u64,
    },
    /// A number that no copy method has.
    NoSuchMethod {
        /// The number.
        number: u32,
    },
    /// A tensor whose elements do not lie in order, where storage order is swept.
    NotContiguous {
        /// Its sizes and strides.
        view: Strided,
    },
    /// More elements than a TCM buffer holds.
    TcmTooSmall {
        /// Elements asked for.
        asked: u64,
        /// Elements the buffer holds.
        holds: u32,
    },
    /// A slice that is not in the core's TCM.
    NotInTcm,
    /// A range of a stream that is not in its tensor.
    NoSuchRange {
        /// Its first element.
        start: u64,
        /// One past its last element.
        end: u64,
        /// Elements of the tensor.
        numel: u64,
    },
    /// Another handle of the same storage is open that this one must not meet.
    Incoherent {
        /// What was to be opened.
        opening: Handle,
        /// What is open.
        open: Handle,
        /// The line that opened it.
        opened: Site,
    },
    /// More storages are open in streams than a core can remember.
    TooManyStreams {
        /// How many it remembers.
        limit: usize,
    },
    /// A view that does not exist.
    Layout(LayoutError),
    /// An argument record that does not hold what the kernel's signature says.
    Record(RecordError),
    /// A tensor in SBUF, behind whose window these cores have no memory.
    InSbuf {
        /// The local address where it begins.
        local: NxAddr,
    },
    /// A value that no value of the type asked for is near.
    DoesNotFit {
        /// The value.
        value: Scalar,
        /// The type asked for.
        wanted: Dtype,
    },
    /// The kernel takes more arguments than the launch passed.
    NoArgument {
        /// How many were passed.
        passed: usize,
    },
    /// An op asks for more stack than it may, or for none.
    StackSize {
        /// Bytes it asks for.
        asked: u32,
        /// The most it may ask for.
        most: u32,
    },
    /// The kernel's stack overflowed.
    StackOverflow {
        /// Bytes the stack has.
        limit: u32,
    },
    /// The kernel's own words.
    Message(&'static str),
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dtype { wanted, found } => {
                write!(f, "has dtype {found}, but the access asks for {wanted}: use `::<{found}>`")
            }
            Self::NotServed { served, found } => {
                write!(f, "has dtype {found}, but the kernel serves ")?;
                for (at, dtype) in served.iter().enumerate() {
                    let before = match at {
                        0 => "",
                        _ if at + 1 == served.len() => " and ",
                        _ => ", ",
                    };
                    write!(f, "{before}{dtype}")?;
                }
                Ok(())
            }
            Self::Rank { wanted, found } => write!(
                f,
                "has {} dimensions {found:?}, but the accessor has {wanted}: use an accessor of that rank, or \
                 `elements`, which takes any",
                found.as_slice().len()
            ),
            Self::Shape { wanted, found } => write!(f, "has sizes {found:?}, but must have {wanted:?}"),
            Self::OutOfRange { at, value, size } => write!(
                f,
                "holds {value} at {at:?}, but an index into {size} elements is at least 0 and less than {size}"
            ),
            Self::OtherDtype { wanted, found } => write!(f, "has dtype {found}, but must have {wanted}"),
            Self::ReadOnly => {
                f.write_str("is an input (or a view or clone of one) and cannot be written: write to the destination")
            }
            Self::OtherLaunch => f.write_str(
                "belongs to an earlier launch or to another simulator: a tensor lives as long as its launch, so pass \
                 it as an argument again",
            ),
            Self::NotScratch => f.write_str(
                "was returned but was not made by this core: return a tensor from `q7.empty_like`, or take the \
                 destination as `out: &mut Tensor`",
            ),
            Self::ReturnedDtype { wanted, found } => write!(
                f,
                "was returned with dtype {found}, but the output has {wanted}: return a tensor like the output, which is as \
                 the op's shape function says, or without one like the first tensor"
            ),
            Self::ReturnedSizes { wanted, found } => write!(
                f,
                "was returned with sizes {found:?}, but the output has {wanted:?}: return a tensor like the output, which is \
                 as the op's shape function says, or without one like the first tensor"
            ),
            Self::Fill { value, dtype } => {
                write!(f, "cannot be filled with {value}, which {dtype} does not hold: take another dtype")
            }
            Self::HeapExhausted { heap, state } => write!(
                f,
                "needs {} at a multiple of {} in {heap}, which is {state}: give back what is not needed any more, or \
                 work in smaller pieces",
                Bytes(state.asked()),
                state.align()
            ),
            Self::EmptyBlock { heap } => {
                write!(f, "asks for a block of 0 bytes in {heap}: ask for at least one, or for none at all")
            }
            Self::BadAlignment { align } => {
                write!(f, "asks for a multiple of {align} bytes, but an alignment is a power of two, such as 64")
            }
            Self::NoSuchMethod { number } => {
                write!(f, "{number} is no copy method: C_MEMCPY is 0, VEC_MEMCPY 1 and DMA 2")
            }
            Self::NotContiguous { view } => write!(
                f,
                "is not contiguous (its {view:?}), but a stream or a copy goes through the \
                 storage in order: copy it with `strided_to_tcm` or `tcm_to_strided`, use `elements`, or ask for storage order \
                 on purpose with `…_storage_order`"
            ),
            Self::TcmTooSmall { asked, holds } => {
                write!(f, "needs {asked} elements of TCM, but the buffer holds {holds}: use shorter tiles")
            }
            Self::NotInTcm => f.write_str(
                "is written from a slice that is not in the core's TCM, and a copy reaches nothing else of the core: fill a \
                 buffer of `q7.tcm_malloc`",
            ),
            Self::NoSuchRange { start, end, numel } => {
                write!(f, "has {numel} elements, and none from {start} to {end}")
            }
            Self::Incoherent { opening, open, opened } => write!(
                f,
                "cannot be opened by {opening} while {open} is open on the same storage, since {}:{}:{}: close that \
                 first, or choose another `CoherencyPolicy`",
                opened.file(),
                opened.line(),
                opened.column()
            ),
            Self::TooManyStreams { limit } => {
                write!(f, "would be storage number {} that streams are open on: a core remembers {limit}", limit + 1)
            }
            Self::Layout(error) => write!(f, "cannot be viewed so: {error}"),
            Self::Record(error) => write!(f, "has a bad record: {error}"),
            Self::InSbuf { local } => write!(
                f,
                "is in SBUF, at local address {local} of the pinned window, and this core has no memory there: pass it in HBM"
            ),
            Self::DoesNotFit { value, wanted } => write!(
                f,
                "is {value} of type {}, which no {wanted} is near: pass one that {wanted} holds, or take it as it is with `get`",
                value.dtype()
            ),
            Self::NoArgument { passed } => {
                let plural = if *passed == 1 { "" } else { "s" };
                write!(f, "is missing: the launch passed {passed} argument{plural}")
            }
            Self::StackSize { asked, most } => {
                write!(f, "asks for {asked} bytes, but an op may ask for 1 to {most}: keep large arrays in HBM or TCM")
            }
            Self::StackOverflow { limit } => write!(
                f,
                "has {limit} bytes, and the kernel needs more: say how many with `#[custom_op(stack_size = N)]`, or keep \
                 large arrays in HBM or TCM"
            ),
            Self::Message(text) => f.write_str(text),
        }
    }
}

/// So many bytes, in words.
struct Bytes(u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            1 => f.write_str("1 byte"),
            bytes => write!(f, "{bytes} bytes"),
        }
    }
}
