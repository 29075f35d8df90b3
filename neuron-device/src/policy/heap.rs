//! A heap of the machine: first fit on a list of blocks by address, 32 at most (`docs/machine.md`, section 8).

use heapless::Vec;

use crate::words::error::{ErrorKind, Site};
use crate::words::heap::{FreeError, HeapName, HeapState};

/// Block descriptors of a heap: blocks in use and holes between them share them.
pub(crate) const DESCRIPTORS: usize = 32;

/// Alignment of a block whose author asks for none, in bytes.
pub(crate) const DEFAULT_ALIGN: u64 = 64;

/// A rest of so many bytes is left with the block.
const SPLINTER: u64 = 4;

/// Why there is no block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum HeapError {
    /// A block of no bytes was asked for.
    Nothing,
    /// The alignment is no power of two.
    Align(u64),
    /// No hole is large enough.
    NoFit(HeapState),
}

impl HeapError {
    /// The same, of this heap, as a kernel sees it.
    pub(crate) const fn of(self, heap: HeapName) -> ErrorKind {
        match self {
            Self::Nothing => ErrorKind::EmptyBlock { heap },
            Self::Align(align) => ErrorKind::BadAlignment { align },
            Self::NoFit(state) => ErrorKind::HeapExhausted { heap, state },
        }
    }
}

/// A block in use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Live {
    pub(crate) start: u64,
    /// Bytes asked for.
    pub(crate) asked: u64,
    /// Bytes that are not free because of it: also what aligning it skipped, and a rest that was not split off.
    pub(crate) held: u64,
    /// The line that allocated it.
    pub(crate) site: Site,
}

/// A block or a hole. It reaches to the next one, or to the end of the heap.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// Where it begins.
    from: u64,
    /// The first multiple of the alignment in it.
    start: u64,
    asked: u64,
    /// The line that allocated it; of a hole there is none.
    site: Option<Site>,
}

impl Block {
    const fn hole(from: u64) -> Self {
        Self { from, start: from, asked: 0, site: None }
    }
}

/// What is in use of a range of addresses, and what is not.
#[derive(Clone, Debug)]
pub(crate) struct Heap {
    /// By address; together they are the whole heap, and no two holes are neighbours.
    blocks: Vec<Block, DESCRIPTORS>,
    start: u64,
    end: u64,
}

impl Heap {
    /// `bytes` bytes at `start`, all free. Of more than 4 GiB - 1, which no core can have, and of what is beyond the
    /// 64-bit space, the rest is left out.
    #[inline(always)]
    pub(crate) const fn new(start: u64, bytes: u64) -> Self {
        let most = if bytes < u32::MAX as u64 { bytes } else { u32::MAX as u64 };
        Self { blocks: Vec::from_array([Block::hole(start)]), start, end: start.saturating_add(most) }
    }

    /// A block of `bytes` bytes at a multiple of `align`, in the first hole that has room for it.
    #[inline]
    pub(crate) fn allocate(&mut self, bytes: u64, align: u64, site: Site) -> Result<u64, HeapError> {
        if bytes == 0 {
            return Err(HeapError::Nothing);
        }
        if !align.is_power_of_two() {
            return Err(HeapError::Align(align));
        }
        for at in 0..self.blocks.len() {
            let Block { from, site: None, .. } = self.blocks[at] else { continue };
            let hole_end = self.end_of(at);
            let Some(start) = aligned(from, align) else { break };
            if start > hole_end || hole_end - start < bytes {
                continue;
            }
            let end = start + bytes;
            if hole_end - end > SPLINTER {
                // If no descriptor is left, the block keeps the rest.
                let _ = self.blocks.insert(at + 1, Block::hole(end));
            }
            self.blocks[at] = Block { from, start, asked: bytes, site: Some(site) };
            return Ok(start);
        }
        Err(HeapError::NoFit(self.state(bytes, align)))
    }

    /// Give back the block that begins at `start`: the bytes that were asked for.
    #[inline]
    pub(crate) fn free(&mut self, start: u64) -> Result<u64, FreeError> {
        let found = self.blocks.iter().position(|block| block.start == start && block.site.is_some());
        let Some(at) = found else { return Err(self.no_block_at(start)) };
        let Block { from, asked, .. } = self.blocks[at];
        self.blocks[at] = Block::hole(from);
        if self.is_hole(at + 1) {
            self.blocks.remove(at + 1);
        }
        if at > 0 && self.is_hole(at - 1) {
            self.blocks.remove(at);
        }
        Ok(asked)
    }

    /// Bytes of the largest block of this alignment, a power of two, that there is room for.
    pub(crate) fn largest_free(&self, align: u64) -> u64 {
        let room = |at| Some(self.end_of(at).saturating_sub(aligned(self.blocks[at].from, align)?));
        self.holes().filter_map(room).max().unwrap_or(0)
    }

    /// Bytes in no block.
    pub(crate) fn free_bytes(&self) -> u64 {
        self.holes().map(|at| self.end_of(at) - self.blocks[at].from).sum()
    }

    /// Bytes in all.
    pub(crate) const fn bytes(&self) -> u64 {
        self.end - self.start
    }

    /// The blocks in use, by address.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = Live> + '_ {
        self.blocks.iter().enumerate().filter_map(|(at, &Block { from, start, asked, site })| {
            Some(Live { start, asked, held: self.end_of(at) - from, site: site? })
        })
    }

    /// What to tell whoever asked for `bytes` bytes at a multiple of `align`.
    #[cold]
    fn state(&self, bytes: u64, align: u64) -> HeapState {
        let mut state = HeapState::new(self.bytes() as u32, bytes, align).with_free(
            self.free_bytes() as u32,
            self.largest_free(align) as u32,
            !self.blocks.is_full(),
        );
        for block in self.blocks().filter(|block| self.is_first_of_line(block)) {
            let of_line = || self.blocks().filter(|other| other.site == block.site);
            state.add_holder(block.site, of_line().count(), of_line().map(|block| block.held as u32).sum());
        }
        state
    }

    fn is_first_of_line(&self, block: &Live) -> bool {
        self.blocks().find(|other| other.site == block.site).is_some_and(|first| first.start == block.start)
    }

    /// Why a block of this heap that begins at `addr`, if one does, is not to be given back.
    #[cold]
    pub(crate) fn owned(&self, addr: u64) -> FreeError {
        match self.blocks().find(|block| block.start == addr) {
            Some(block) => FreeError::Owned { site: block.site },
            None => self.no_block_at(addr),
        }
    }

    #[cold]
    fn no_block_at(&self, addr: u64) -> FreeError {
        if !(self.start..self.end).contains(&addr) {
            return FreeError::Outside;
        }
        let inside = self.blocks.iter().rev().find(|block| block.from <= addr);
        match inside {
            Some(&Block { start, site: Some(site), .. }) => {
                FreeError::Inside { offset: addr.wrapping_sub(start) as i64, site }
            }
            _ => FreeError::Free,
        }
    }

    fn holes(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.blocks.len()).filter(|&at| self.is_hole(at))
    }

    #[inline]
    fn is_hole(&self, at: usize) -> bool {
        self.blocks.get(at).is_some_and(|block| block.site.is_none())
    }

    #[inline]
    fn end_of(&self, at: usize) -> u64 {
        self.blocks.get(at + 1).map_or(self.end, |next| next.from)
    }
}

/// The first multiple of `align`, a power of two, that is not below `from`.
#[inline]
const fn aligned(from: u64, align: u64) -> Option<u64> {
    match from.checked_add(align - 1) {
        Some(last) => Some(last & !(align - 1)),
        None => None,
    }
}

#[cfg(test)]
mod tests;
