//! Addresses: one newtype per address space, and the map of the 32-bit one.
//!
//! Source of every constant: `docs/machine.md`, sections 3 and 4.

use core::fmt;

/// Bytes one dynamic window spans: 16 MiB (`docs/machine.md`, section 4). The low 24 bits of an [`HbmAddr`]
/// are the offset inside it.
///
/// ```
/// use neuron_device::{HbmAddr, WINDOW_BYTES};
/// let last = HbmAddr::new(3 * WINDOW_BYTES - 1);
/// assert_eq!(last.window_base(), HbmAddr::new(2 * WINDOW_BYTES));
/// assert_eq!(last.window_offset(), WINDOW_BYTES - 1);
/// ```
pub const WINDOW_BYTES: u64 = 1 << 24;

/// A byte address in 64-bit HBM, or in SBUF, which has its place among the same addresses. A core cannot dereference
/// it, and 0 is a valid address.
///
/// Holding one proves nothing: it is a claim about where something is, not a right to touch it.
///
/// ```
/// use neuron_device::HbmAddr;
/// let a = HbmAddr::new(0x10_0000_0010);
/// assert_eq!(a.checked_add(16), Some(HbmAddr::new(0x10_0000_0020)));
/// assert_eq!(a.window_base(), HbmAddr::new(0x10_0000_0000));
/// assert_eq!(a.window_offset(), 0x10);
/// assert!(a.is_aligned_to(16) && !a.is_aligned_to(32));
/// assert_eq!(HbmAddr::new(u64::MAX).checked_add(1), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct HbmAddr(u64);

impl HbmAddr {
    /// The address `raw` bytes into HBM's address space.
    pub const fn new(raw: u64) -> Self {
        Self(raw)
    }

    /// The address, in bytes from 0.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// This address plus `bytes`; `None` past the end of the 64-bit space.
    pub const fn checked_add(self, bytes: u64) -> Option<Self> {
        match self.0.checked_add(bytes) {
            Some(raw) => Some(Self(raw)),
            None => None,
        }
    }

    /// The 16 MiB boundary at or below this address: what a dynamic window is mapped to.
    pub const fn window_base(self) -> Self {
        Self(self.0 & !(WINDOW_BYTES - 1))
    }

    /// Bytes from [`window_base`](Self::window_base) to this address.
    pub const fn window_offset(self) -> u64 {
        self.0 & (WINDOW_BYTES - 1)
    }

    /// Is this address a multiple of `align` (in bytes)?
    pub const fn is_aligned_to(self, align: u64) -> bool {
        self.0.is_multiple_of(align)
    }
}

impl fmt::Debug for HbmAddr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "hbm:{:#x}", self.0)
    }
}

impl fmt::Display for HbmAddr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

/// A byte address on the core's own 32-bit bus: what a translation yields.
///
/// It is good only until its window is mapped elsewhere, which the next translation may do
/// (`docs/machine.md`, section 4). Holding one proves nothing else.
///
/// ```
/// use neuron_device::{Band, NxAddr};
/// assert_eq!(NxAddr::new(0x0700_0010).band(), Band::Window(0));
/// assert_eq!(NxAddr::new(0x0008_0000).band(), Band::Dataram);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct NxAddr(u32);

impl NxAddr {
    /// The address `raw` bytes into the local address space.
    pub const fn new(raw: u32) -> Self {
        Self(raw)
    }

    /// The address, in bytes from 0.
    pub const fn get(self) -> u32 {
        self.0
    }

    /// Which part of the local address map this address lies in.
    pub const fn band(self) -> Band {
        match self.0 {
            0x0000_0000..=0x0000_FFFF => Band::InstructionRam,
            0x0008_0000..=0x0008_FFFF => Band::Dataram,
            0x0010_0000..=0x0010_084F => Band::WindowRegisters,
            0x0200_0000..=0x02FF_FFFF => Band::FirmwareData,
            0x0700_0000..=0x07FF_FFFF => Band::Window(0),
            0x0900_0000..=0x09FF_FFFF => Band::Window(1),
            0x0A00_0000..=0x0AFF_FFFF => Band::Window(2),
            0x8000_0000..=0x83FF_FFFF => Band::SbufWindow,
            0x8400_0000..=0x87FF_FFFF => Band::HbmScratchWindow,
            _ => Band::Unmapped,
        }
    }
}

impl fmt::Debug for NxAddr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "nx:{:#010x}", self.0)
    }
}

impl fmt::Display for NxAddr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#010x}", self.0)
    }
}

/// A part of the local address map (`docs/machine.md`, section 3).
///
/// ```
/// use neuron_device::{Band, NxAddr};
/// // Three numbers that look alike and are not:
/// assert_eq!(NxAddr::new(0x0008_0000).band(), Band::Dataram);
/// assert_eq!(NxAddr::new(0x0200_0000).band(), Band::FirmwareData);
/// assert_eq!(NxAddr::new(0x8400_0000).band(), Band::HbmScratchWindow);
/// assert_eq!(NxAddr::new(0x0A00_0040).band(), Band::Window(2));
/// assert_eq!(Band::Dataram.to_string(), "dataram, where tensors are staged (0x80000)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Band {
    /// Instruction RAM: 64 KiB at 0.
    InstructionRam,
    /// Core dataram, the staging memory (TCM): 64 KiB at `0x0008_0000`.
    Dataram,
    /// The registers that say where each dynamic window points: `0x0850` bytes at `0x0010_0000`.
    WindowRegisters,
    /// The firmware's own data at `0x0200_0000` (its size is not public; 16 MiB is assumed). Not reachable by an op.
    FirmwareData,
    /// Dynamic window 0, 1 or 2 onto HBM: 16 MiB each, at `0x0700_0000`, `0x0900_0000` and `0x0A00_0000`.
    Window(u8),
    /// The pinned window onto SBUF: 64 MiB at `0x8000_0000`.
    SbufWindow,
    /// The pinned window onto hbm_scratch, which holds the eight code images: 64 MiB at `0x8400_0000`.
    HbmScratchWindow,
    /// None of the others: as far as is public, nothing is there.
    Unmapped,
}

/// Where it is, in words: numbers that look alike are told apart.
impl fmt::Display for Band {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InstructionRam => "instruction RAM",
            Self::Dataram => "dataram, where tensors are staged (0x80000)",
            Self::WindowRegisters => "the window registers",
            Self::FirmwareData => "the firmware's data (0x2000000), which no op reaches",
            Self::Window(_) => "a window onto HBM",
            Self::SbufWindow => "the window onto SBUF (0x80000000, 64 MiB)",
            Self::HbmScratchWindow => "the window onto hbm_scratch (0x84000000), where the code is",
            Self::Unmapped => "no part of the address map",
        })
    }
}
