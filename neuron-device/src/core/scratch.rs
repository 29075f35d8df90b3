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
    fn note(&mut self, run: &Run) {
        let first = run.start.get() - self.start;
        let dense = run.step == run.bytes as i64;
        let (pieces, len) = if dense { (1, run.count * run.bytes) } else { (run.count, run.bytes) };
        for piece in 0..pieces {
            let start = first.wrapping_add_signed(run.step.wrapping_mul(piece as i64));
            if self.written.runs.insert(start, start + len).is_err() {
                self.written.overflow.get_or_insert(run.site);
                return;
            }
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

    /// A run of writes, which may lie in a block.
    pub(crate) fn note(&mut self, run: &Run) {
        let at = run.start.get();
        if let Some(block) = self.blocks.iter_mut().find(|block| at.wrapping_sub(block.start) < block.bytes) {
            block.note(run);
        }
    }
}
