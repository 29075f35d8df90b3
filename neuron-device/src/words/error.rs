//! The one error a kernel returns, with the argument and the line it is about.

use core::fmt;
use core::panic::Location;

use static_assertions::const_assert;

use super::addr::NxAddr;
use super::dtype::Dtype;
use super::handle::Handle;
use super::heap::{HeapName, HeapState};
use super::layout::{LayoutError, MAX_RANK};
use super::record::RecordError;
use super::scalar::Scalar;

/// A place in the author's source: file, line and column. Two copies of one place compare equal.
///
/// ```
/// use neuron_device::{Error, Site};
/// let site: Site = Error::message("must not be empty").site();
/// assert_eq!((site.file(), site.line()), (file!(), line!() - 1));
/// ```
pub type Site = &'static Location<'static>;

/// `Result` with [`Error`] as the usual error: what a kernel returns.
///
/// ```
/// use neuron_device::{Error, Result};
/// fn rows(sizes: &[u32]) -> Result<u32> {
///     sizes.first().copied().ok_or(Error::message("must have rows"))
/// }
/// assert_eq!(rows(&[4, 2])?, 4);
/// assert!(rows(&[]).is_err());
/// # Ok::<(), Error>(())
/// ```
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// The sizes of a tensor, kept by value in an error or a fault, which outlives the tensor.
///
/// ```
/// use neuron_device::Sizes;
/// let sizes = Sizes::new(&[2, 3]);
/// assert_eq!(sizes.as_slice(), &[2, 3]);
/// assert_eq!(format!("has sizes {sizes:?}"), "has sizes [2, 3]");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    rank: u8,
    sizes: [u32; MAX_RANK],
}

impl Sizes {
    /// A copy of `sizes`; those beyond the eighth, which no tensor has, are left out.
    pub fn new(sizes: &[u32]) -> Self {
        let rank = sizes.len().min(MAX_RANK);
        let mut copy = [0; MAX_RANK];
        copy[..rank].copy_from_slice(&sizes[..rank]);
        Self { rank: rank as u8, sizes: copy }
    }

    /// The size of each dimension, in elements.
    pub fn as_slice(&self) -> &[u32] {
        &self.sizes[..usize::from(self.rank)]
    }
}

impl fmt::Debug for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.as_slice())
    }
}

/// Sizes and strides of a tensor, in elements, kept by value in an error.
///
/// ```
/// use neuron_device::Strided;
/// let view = Strided::new(&[2, 3], &[1, 2]);
/// assert_eq!(view.sizes(), [2, 3]);
/// assert!(view.strides().eq([1, 2]));
/// assert_eq!(format!("its {view:?}"), "its sizes are [2, 3], its strides [1, 2]");
/// let far = Strided::new(&[2, 1], &[5 << 32, u64::MAX]);
/// assert!(far.strides().eq([5 << 32, (1 << 40) - 1]));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Strided {
    rank: u8,
    // Strides of 40 bits: every `Error` is as large as this is.
    high: [u8; MAX_RANK],
    low: [u32; MAX_RANK],
    sizes: [u32; MAX_RANK],
}

impl Strided {
    /// A copy of `sizes` and `strides`, one a dimension; those beyond the eighth, which no tensor has, are left out. A stride
    /// of 2^40 or more, which only a dimension of one element can have in memory there is, is kept as 2^40 - 1.
    pub fn new(sizes: &[u32], strides: &[u64]) -> Self {
        let rank = sizes.len().min(strides.len()).min(MAX_RANK);
        let nothing = [0; MAX_RANK];
        let mut copy = Self { rank: rank as u8, high: [0; MAX_RANK], low: nothing, sizes: nothing };
        for (at, (&size, &stride)) in sizes.iter().zip(strides).take(rank).enumerate() {
            let stride = stride.min((1 << 40) - 1);
            (copy.sizes[at], copy.high[at], copy.low[at]) = (size, (stride >> 32) as u8, stride as u32);
        }
        copy
    }

    /// The size of each dimension, in elements.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes[..usize::from(self.rank)]
    }

    /// The stride of each dimension, in elements.
    pub fn strides(&self) -> impl Iterator<Item = u64> + Clone + '_ {
        let both = self.high.iter().zip(&self.low).take(self.rank.into());
        both.map(|(&high, &low)| u64::from(high) << 32 | u64::from(low))
    }
}

impl fmt::Debug for Strided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sizes are {:?}, its strides ", self.sizes())?;
        f.debug_list().entries(self.strides()).finish()
    }
}

/// What went wrong, without where. Its text goes on from the argument's name, which [`Error`] puts before it.
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
                "needs {} bytes at a multiple of {} in {heap}, which is {state}: give back what is not needed any more, or \
                 work in smaller pieces",
                state.asked(),
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

// Every call of a kernel's has room for one; and an error of a launch, which has one and two words more, stays below the 128
// bytes that clippy allows.
const_assert!(size_of::<Error>() <= 104);

/// An error of a kernel: what, which argument, and the author's line. Its text says all three.
///
/// ```
/// use neuron_device::Error;
/// let error = Error::message("rows must be even").about("x");
/// assert!(error.to_string().starts_with("`x`: rows must be even (at "));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Error {
    kind: ErrorKind,
    argument: Option<&'static str>,
    site: Site,
}

impl Error {
    /// An error of this kind at the caller's line.
    #[track_caller]
    pub const fn new(kind: ErrorKind) -> Self {
        Self { kind, argument: None, site: Location::caller() }
    }

    /// An error of this kind at this line, for closures, whose caller is not the author.
    pub(crate) const fn at(kind: ErrorKind, site: Site) -> Self {
        Self { kind, argument: None, site }
    }

    /// The kernel's own error, in its own words, at the caller's line. The text is fixed, as a core allocates
    /// nothing.
    #[track_caller]
    pub const fn message(text: &'static str) -> Self {
        Self::new(ErrorKind::Message(text))
    }

    /// The element at `at`, an index a dimension, is used as an index into a dimension of `size` elements, and its
    /// value is none: negative, or too large. At the caller's line.
    ///
    /// ```
    /// use neuron_device::Error;
    /// let error = Error::out_of_range(&[0, 3], 8, 8).about("index");
    /// let text = "`index` holds 8 at [0, 3], but an index into 8 elements is at least 0 and less than 8 (at ";
    /// assert!(error.to_string().starts_with(text), "{error}");
    /// ```
    #[track_caller]
    pub fn out_of_range(at: &[u32], value: i64, size: u32) -> Self {
        Self::new(ErrorKind::OutOfRange { at: Sizes::new(at), value, size })
    }

    /// The same error, about this argument.
    pub const fn about(mut self, argument: &'static str) -> Self {
        self.argument = Some(argument);
        self
    }

    /// What went wrong.
    pub const fn kind(&self) -> &ErrorKind {
        &self.kind
    }

    /// The argument it is about, by its name in the kernel's signature; `None` if it is about none.
    pub const fn argument(&self) -> Option<&'static str> {
        self.argument
    }

    /// The author's line.
    pub const fn site(&self) -> Site {
        self.site
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.argument, &self.kind) {
            (Some(argument), ErrorKind::Message(text)) => write!(f, "`{argument}`: {text}")?,
            (Some(argument), kind) => write!(f, "`{argument}` {kind}")?,
            (None, kind) => write!(f, "{kind}")?,
        }
        write!(f, " (at {}:{}:{})", self.site.file(), self.site.line(), self.site.column())
    }
}

impl core::error::Error for Error {}
