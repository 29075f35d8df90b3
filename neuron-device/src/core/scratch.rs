//! The core's HBM scratch: what was allocated, and which bytes of it were written.

use heapless::Vec;

use crate::policy::arena::Arena;
use crate::policy::runs::Runs;
use crate::port::observe::Run;
use crate::words::addr::HbmAddr;
use crate::words::error::{ErrorKind, Site};

/// Block descriptors of a heap (`docs/machine.md`, section 8).
const BLOCKS: usize = 32;

/// What was written of one scratch allocation.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    /// Byte ranges, counted from the allocation's start.
    pub(crate) runs: Runs,
    /// The write that needed a ninth range.
    pub(crate) overflow: Option<Site>,
    /// Where the tensor was last opened for writing, or else allocated.
    pub(crate) site: Site,
}

/// One scratch allocation.
#[derive(Debug)]
pub(crate) struct Block {
    start: u64,
    bytes: u64,
    pub(crate) written: Written,
}

impl Block {
    /// The bytes `start..end` were written, as far as they are this block's, from the line `site`.
    fn note(&mut self, start: u64, end: u64, site: Site) {
        let (from, to) = (start.max(self.start), end.min(self.start + self.bytes));
        if self.written.overflow.is_none()
            && from < to
            && self.written.runs.insert(from - self.start, to - self.start).is_err()
        {
            self.written.overflow = Some(site);
        }
    }
}

/// All allocations of one op.
#[derive(Debug)]
pub(crate) struct Scratch {
    arena: Arena,
    blocks: Vec<Block, BLOCKS>,
}

impl Scratch {
    #[inline(always)]
    pub(crate) const fn new(base: HbmAddr, bytes: u64) -> Self {
        Self { arena: Arena::new(base, bytes), blocks: Vec::new() }
    }

    /// Room for `bytes` bytes.
    pub(crate) fn allocate(&mut self, bytes: u64, site: Site) -> Result<HbmAddr, ErrorKind> {
        if self.blocks.is_full() {
            return Err(ErrorKind::ScratchBlocks { limit: BLOCKS });
        }
        // An empty tensor takes a byte, so that no two blocks begin at one address.
        let (free, pool) = (self.arena.free(), self.arena.len());
        let exhausted = ErrorKind::ScratchExhausted { asked: bytes, free, pool };
        let start = self.arena.allocate(bytes.max(1)).ok_or(exhausted)?;
        let written = Written { runs: Runs::default(), overflow: None, site };
        let block = Block { start: start.get(), bytes, written };
        self.blocks.push(block).map_err(|_| ErrorKind::ScratchBlocks { limit: BLOCKS })?;
        Ok(start)
    }

    /// The block that begins here.
    pub(crate) fn block_at(&mut self, start: HbmAddr) -> Option<&mut Block> {
        self.blocks.iter_mut().find(|block| block.start == start.get())
    }

    /// A run of writes: in one block, in several (accessors that share a tally make such), or in none.
    pub(crate) fn note(&mut self, run: &Run) {
        let start = run.start.get();
        if run.step == run.bytes as i64 {
            let end = start + run.count * run.bytes;
            self.blocks.iter_mut().for_each(|block| block.note(start, end, run.site));
            return;
        }
        for access in 0..run.count {
            let at = start.wrapping_add_signed(run.step.wrapping_mul(access as i64));
            self.blocks.iter_mut().for_each(|block| block.note(at, at + run.bytes, run.site));
        }
    }
}

#[cfg(test)]
mod tests;
