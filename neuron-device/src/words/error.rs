//! The one error a kernel returns, with the argument and the line it is about.

mod kind;
mod sizes;

use core::fmt;
use core::panic::Location;

use static_assertions::const_assert;

pub use self::kind::ErrorKind;
pub use self::sizes::{Sizes, Strided};

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
