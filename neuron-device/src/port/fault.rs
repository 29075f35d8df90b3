//! What a kernel did that a chip would not survive, or would not notice.

use core::fmt;

use crate::words::addr::HbmAddr;
use crate::words::dtype::Dtype;
use crate::words::error::{Site, Sizes};
use crate::words::layout::MAX_RANK;

/// Which way an access goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// From HBM to the core.
    Read,
    /// From the core to HBM.
    Write,
}

impl Access {
    /// `"read"` or `"write"`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }
}

/// The index of an access, as the author wrote it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Index {
    /// The flat logical index of `elements`.
    Flat(u64),
    /// One index a dimension, of an accessor of this rank.
    Dims {
        /// How many there are.
        rank: u8,
        /// The indices; those from `rank` on are 0.
        at: [u32; MAX_RANK],
    },
}

impl Index {
    /// The index of an accessor of rank `N`.
    pub fn dims<const N: usize>(index: [u32; N]) -> Self {
        let mut at = [0; MAX_RANK];
        at[..N].copy_from_slice(&index);
        Self::Dims { rank: N as u8, at }
    }
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flat(index) => write!(f, "[{index}]"),
            Self::Dims { rank, at } => write!(f, "{:?}", &at[..usize::from(*rank)]),
        }
    }
}

/// Where an out-of-bounds access would have landed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Beyond the tensor's last element.
    PastTheEnd,
    /// Beyond a dimension, but still between the tensor's first and last element.
    PastADimension,
}

/// An access outside its tensor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutOfBounds {
    /// Read or write.
    pub access: Access,
    /// The tensor's name in the kernel's signature.
    pub argument: &'static str,
    /// Element type.
    pub dtype: Dtype,
    /// The tensor's sizes.
    pub sizes: Sizes,
    /// The index asked for.
    pub index: Index,
    /// Where it would have landed.
    pub verdict: Verdict,
    /// The author's line.
    pub site: Site,
}

/// One fault of a kernel. There is one path for all: [`Platform::fault`](crate::Platform::fault).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// An access outside its tensor.
    OutOfBounds(OutOfBounds),
    /// A translation of an address at which there is no memory.
    NoMemory {
        /// The address.
        addr: HbmAddr,
        /// The author's line.
        site: Site,
    },
    /// A returned tensor was written in more pieces than a core can remember.
    TooManyRuns {
        /// The scratch tensor.
        argument: &'static str,
        /// Pieces a core remembers.
        limit: usize,
        /// The author's line of the write that was one too many.
        site: Site,
    },
}
