//! SBUF as an op sees it: how much there is, where its window is, and how a record says where a tensor begins in it.
//!
//! Source of every constant: `docs/machine.md`, sections 3 and 12.

use core::fmt;

use super::addr::{Band, NxAddr};

/// Bytes of SBUF: 24 MiB, the first of the 64 MiB that its window spans (`docs/machine.md`, section 3).
///
/// ```
/// use neuron_device::{Band, NxAddr, SBUF_BYTES, SBUF_WINDOW};
/// let end = SBUF_WINDOW.get() + SBUF_BYTES as u32;
/// assert_eq!((end, NxAddr::new(end).band()), (0x8180_0000, Band::SbufWindow));
/// ```
pub const SBUF_BYTES: u64 = 24 << 20;

/// Partitions of SBUF: 128 (`docs/machine.md`, section 3).
///
/// ```
/// use neuron_device::{SBUF_BYTES, SBUF_PARTITIONS};
/// assert_eq!(SBUF_BYTES / u64::from(SBUF_PARTITIONS), 192 << 10);
/// ```
pub const SBUF_PARTITIONS: u8 = 128;

/// Where a core sees byte 0 of SBUF: the pinned window (`docs/machine.md`, section 3).
///
/// ```
/// use neuron_device::{Band, SBUF_WINDOW};
/// assert_eq!(SBUF_WINDOW.band(), Band::SbufWindow);
/// ```
pub const SBUF_WINDOW: NxAddr = NxAddr::new(0x8000_0000);

/// What the address in the record of a tensor in SBUF is. Sources disagree (`docs/machine.md`, section 12), so the
/// [platform](crate::Platform::sbuf) says it.
///
/// ```
/// use neuron_device::{NxAddr, SbufAddresses};
/// let at = NxAddr::new(0x8000_0100);
/// assert_eq!(SbufAddresses::Local.written(at), 0x8000_0100);
/// assert_eq!(SbufAddresses::Offsets.written(at), 0x100);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SbufAddresses {
    /// A local address, used as it is: the default.
    #[default]
    Local,
    /// An offset, to which the 64-bit address of SBUF is added; the pinned window translates the sum.
    Offsets,
}

impl SbufAddresses {
    /// The word with which a record says that a tensor begins at `at`.
    pub const fn written(self, at: NxAddr) -> u32 {
        match self {
            Self::Local => at.get(),
            Self::Offsets => at.get().wrapping_sub(SBUF_WINDOW.get()),
        }
    }

    /// Where that is which a record's word says, if `bytes` bytes from there on are in SBUF.
    pub(super) fn read(self, word: u32, bytes: u64) -> Option<NxAddr> {
        let offset = match self {
            Self::Local => word.checked_sub(SBUF_WINDOW.get())?,
            Self::Offsets => word,
        };
        let inside = u64::from(offset).checked_add(bytes).is_some_and(|end| end <= SBUF_BYTES);
        inside.then(|| NxAddr::new(SBUF_WINDOW.get() + offset))
    }

    /// What is wrong with a word that says that so many bytes are where no SBUF is.
    pub(super) fn refusal(self, word: u32, bytes: u64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (local, window) = (NxAddr::new(word), Band::SbufWindow);
        match (self, local.band()) {
            (Self::Local, Band::SbufWindow) => {
                write!(
                    f,
                    "{bytes} bytes at local address {local}, byte 24, leave SBUF, the first 24 MiB of {window}"
                )
            }
            (Self::Local, band) => {
                write!(
                    f,
                    "local address {local} at byte 24 is in {band}, and a tensor in SBUF is in {window}"
                )
            }
            (Self::Offsets, Band::Unmapped) => {
                write!(f, "{bytes} bytes at offset {local}, byte 24, leave SBUF, which has 24 MiB")
            }
            (Self::Offsets, band) => write!(
                f,
                "{bytes} bytes at offset {local}, byte 24, leave SBUF, which has 24 MiB: as a local address it would be in \
                 {band}, but what is asked for is the offset from where SBUF begins"
            ),
        }
    }
}
