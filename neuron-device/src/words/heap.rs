//! What a heap says that has no room (how much is free, in which pieces, and which lines hold the rest), or that is given
//! back what it did not hand out.

use core::fmt;

use static_assertions::const_assert;

use super::error::Site;

/// A heap of a core (`docs/machine.md`, section 8).
///
/// ```
/// use neuron_device::HeapName;
/// assert_eq!(HeapName::Tcm.to_string(), "the core's TCM");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HeapName {
    /// The staging memory in the core's dataram.
    Tcm,
    /// The core's own part of HBM.
    HbmScratch,
}

impl fmt::Display for HeapName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tcm => "the core's TCM",
            Self::HbmScratch => "the core's HBM scratch",
        })
    }
}

/// A line of the author's that holds blocks of a heap. See [`HeapState::holders`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Holder {
    /// How many blocks.
    pub blocks: u32,
    /// Bytes of them together, with what was skipped to align them.
    pub bytes: u64,
    /// The line that allocated them.
    pub site: Site,
}

/// Lines an error has room for.
const SHOWN: usize = 3;

/// A heap as it was when it had no room for a block.
///
/// ```
/// use neuron_device::{ErrorKind, FlatPlatform, HeapName, prelude::*};
/// let mut memory = [0; 64];
/// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory), |q7| {
///     let _x = q7.empty(Dtype::I32, &[40])?;
///     let error = q7.empty(Dtype::I32, &[100]).unwrap_err();
///     let ErrorKind::HeapExhausted { heap: HeapName::HbmScratch, state } = error.kind() else { unreachable!() };
///     assert_eq!((state.asked(), state.free(), state.pool(), state.is_fragmented()), (400, 352, 512, false));
///     let holder = state.holders().next().unwrap();
///     assert_eq!((holder.blocks, holder.bytes, holder.site.file()), (1, 160, file!()));
///     Ok(())
/// })
/// # .map_err(|error: Error| error.to_string()).unwrap();
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeapState {
    asked: u64,
    // No heap has 4 GiB, and every `Error` is as large as this is. So are the lines side by side: there is no padding.
    free: u32,
    largest: u32,
    pool: u32,
    bytes: [u32; SHOWN],
    sites: [Option<Site>; SHOWN],
    blocks: [u8; SHOWN],
    /// Lines there was no room for.
    others: u8,
    align_log2: u8,
    descriptors_left: bool,
}

const_assert!(size_of::<HeapState>() <= 64);

impl HeapState {
    /// A heap of `pool` bytes that was asked for `asked` bytes at a multiple of `align`, a power of two.
    pub(crate) const fn new(pool: u32, asked: u64, align: u64) -> Self {
        Self {
            asked,
            free: 0,
            largest: 0,
            pool,
            bytes: [0; SHOWN],
            sites: [None; SHOWN],
            blocks: [0; SHOWN],
            others: 0,
            align_log2: align.trailing_zeros() as u8,
            descriptors_left: false,
        }
    }

    /// The same with so much free, in pieces of which the largest has so much, and with descriptors left or not.
    pub(crate) const fn with_free(self, free: u32, largest: u32, descriptors_left: bool) -> Self {
        Self { free, largest, descriptors_left, ..self }
    }

    /// One more line, which holds so many blocks, and so many bytes: it stays if it is one of those that hold most.
    pub(crate) fn add_holder(&mut self, site: Site, blocks: usize, bytes: u32) {
        let rank = (0..SHOWN).find(|&at| self.sites[at].is_none() || self.bytes[at] < bytes);
        self.others += u8::from(self.sites[SHOWN - 1].is_some());
        let Some(rank) = rank else { return };
        for at in (rank + 1..SHOWN).rev() {
            self.sites[at] = self.sites[at - 1];
            self.bytes[at] = self.bytes[at - 1];
            self.blocks[at] = self.blocks[at - 1];
        }
        self.sites[rank] = Some(site);
        self.bytes[rank] = bytes;
        // A heap has 32 blocks at most.
        self.blocks[rank] = blocks as u8;
    }

    /// Bytes asked for.
    pub const fn asked(&self) -> u64 {
        self.asked
    }

    /// The alignment asked for, in bytes.
    pub const fn align(&self) -> u64 {
        1 << self.align_log2
    }

    /// Bytes in no block.
    pub const fn free(&self) -> u64 {
        self.free as u64
    }

    /// Bytes of the largest block of the alignment asked for that there was room for.
    pub const fn largest(&self) -> u64 {
        self.largest as u64
    }

    /// Bytes of the heap in all.
    pub const fn pool(&self) -> u64 {
        self.pool as u64
    }

    /// Is as much free as was asked for, but not in one piece, as blocks are in between? Otherwise the heap is exhausted.
    pub const fn is_fragmented(&self) -> bool {
        self.free() >= self.asked && self.sites[0].is_some()
    }

    /// The lines that hold most of it, at most 3, the one that holds most first.
    pub fn holders(&self) -> impl Iterator<Item = Holder> + '_ {
        self.sites.iter().zip(&self.bytes).zip(&self.blocks).filter_map(|((&site, &bytes), &blocks)| {
            Some(Holder { blocks: blocks.into(), bytes: bytes.into(), site: site? })
        })
    }

    /// How many more lines hold blocks.
    pub const fn other_holders(&self) -> u32 {
        self.others as u32
    }
}

impl fmt::Display for HeapState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { free, largest, pool, .. } = self;
        let word = if self.is_fragmented() { "fragmented" } else { "exhausted" };
        write!(f, "{word}: {free} of {pool} bytes are free, the largest hole has room for {largest}")?;
        if !self.descriptors_left {
            f.write_str(", and all 32 block descriptors are in use")?;
        }
        let mut before = "; in use are ";
        for Holder { blocks, bytes, site } in self.holders() {
            let s = if blocks == 1 { "" } else { "s" };
            let (file, line, column) = (site.file(), site.line(), site.column());
            write!(f, "{before}{bytes} bytes in {blocks} block{s} from {file}:{line}:{column}")?;
            before = ", ";
        }
        match self.other_holders() {
            0 => Ok(()),
            1 => f.write_str(", and what one more line holds"),
            others => write!(f, ", and what {others} more lines hold"),
        }
    }
}

/// Why a block cannot be given back.
///
/// ```
/// use neuron_device::{Fault, FlatPlatform, FreeError, HbmAddr, Q7};
/// let mut memory = [0; 256];
/// let mut core = FlatPlatform::new(0, 1, &mut memory).with_faults_kept();
/// Q7::enter(&mut core, |q7| {
///     // SAFETY: nothing was allocated, which is a fault and nothing worse.
///     unsafe { q7.neuron_hbm_free(HbmAddr::new(4)) };
/// });
/// let Fault::BadFree { error, .. } = core.faults()[0] else { unreachable!() };
/// assert_eq!(error, FreeError::Outside);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FreeError {
    /// The address is in no block of the heap, nor between two.
    Outside,
    /// Nothing is allocated there: it was given back before, or never handed out.
    Free,
    /// It is inside a block, and not where that begins.
    Inside {
        /// Bytes from where the block begins; negative in what was skipped to align it.
        offset: i64,
        /// The line that allocated the block.
        site: Site,
    },
    /// The block is a tensor's or a buffer's, which gives it back itself.
    Owned {
        /// The line that allocated it.
        site: Site,
    },
}
