//! [`Transfer`]: one copy between HBM and TCM.

use neuron_device::{CopyMethod, Site};

/// The most bytes of one descriptor: docs/machine.md section 7.
pub(crate) const DESCRIPTOR: u32 = 65536;

/// Which way a copy goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From HBM into TCM.
    ToTcm,
    /// From TCM to HBM.
    ToHbm,
}

impl Direction {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::ToTcm => "to TCM",
            Self::ToHbm => "to HBM",
        }
    }
}

/// One copy between HBM and TCM.
///
/// ```
/// use neuron_host_sim::cost::{Direction, CopyMethod, Transfer};
/// let line = std::panic::Location::caller();
/// let tile = Transfer::new(CopyMethod::Dma, Direction::ToTcm, 16384, line);
/// assert_eq!(tile.descriptors(), 1);
/// // A column of 4096 f32, of a row-major matrix: as many runs, of an element each.
/// assert_eq!(tile.in_runs_of(4).descriptors(), 4096);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transfer {
    pub(crate) method: CopyMethod,
    pub(crate) direction: Direction,
    /// Does [`Progress`](super::Progress) have the core's accesses to the bytes in TCM?
    pub(crate) counted: bool,
    pub(crate) bytes: u32,
    /// Of every descriptor but the last.
    pub(crate) each: u32,
    pub(crate) site: Site,
}

impl Transfer {
    /// A copy of `bytes` bytes that follow each other on both sides, asked for at the line `site`.
    pub fn new(method: CopyMethod, direction: Direction, bytes: u32, site: Site) -> Self {
        Self { method, direction, counted: false, bytes, each: DESCRIPTOR, site }
    }

    /// The same bytes, of which on the side of HBM only `bytes` at a time follow each other: a descriptor for each such
    /// run. At least 1, and at most the 64 KiB of a descriptor.
    pub fn in_runs_of(self, bytes: u32) -> Self {
        Self { each: bytes.clamp(1, DESCRIPTOR), ..self }
    }

    /// The same, where the core's accesses to these bytes in TCM are counted one by one. Of others the model assumes
    /// that each byte is loaded, or stored, as often as the [settings](super::TcmCosts) say.
    pub fn counted(self) -> Self {
        Self { counted: true, ..self }
    }

    /// How many bytes.
    pub fn bytes(&self) -> u32 {
        self.bytes
    }

    /// How many descriptors, or runs, it takes.
    pub fn descriptors(&self) -> u32 {
        self.bytes.div_ceil(self.each)
    }
}
