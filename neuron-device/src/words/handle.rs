//! [`Handle`]: by which way a tensor's elements are reached, as far as coherency goes.

use core::fmt;

/// A way to reach the elements of a storage, in the vendor's terms of coherency (`docs/machine.md`, section 6).
///
/// ```
/// use neuron_device::Handle;
/// assert!(Handle::ReadStream.gets_along_with(Handle::ReadStream));
/// assert!(Handle::Accessor.gets_along_with(Handle::Accessor));
/// // A writer excludes everything, and buffered never goes with unbuffered.
/// assert!(!Handle::WriteStream.gets_along_with(Handle::ReadStream));
/// assert!(!Handle::ReadStream.gets_along_with(Handle::Accessor));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Handle {
    /// Unbuffered: `accessor`, `elements`.
    Accessor,
    /// A buffered reader.
    ReadStream,
    /// A buffered writer.
    WriteStream,
}

impl Handle {
    /// May the two be open on one storage at a time?
    pub const fn gets_along_with(self, other: Self) -> bool {
        matches!((self, other), (Self::Accessor, Self::Accessor) | (Self::ReadStream, Self::ReadStream))
    }
}

impl fmt::Display for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Accessor => "an accessor",
            Self::ReadStream => "a read stream",
            Self::WriteStream => "a write stream",
        })
    }
}

/// What to do where two handles of one storage do not get along (`docs/machine.md`, section 6).
///
/// ```
/// use neuron_device::CoherencyPolicy;
/// assert_eq!(CoherencyPolicy::default(), CoherencyPolicy::Coherent);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CoherencyPolicy {
    /// Refuse the second.
    #[default]
    Coherent,
    /// Warn, and go on.
    IncoherentVerbose,
    /// Go on.
    IncoherentQuiet,
}
