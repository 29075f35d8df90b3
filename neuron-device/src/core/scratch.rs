//! The core's HBM scratch: what was allocated, and which bytes of it were written.

use heapless::Vec;

use crate::policy::heap::{DEFAULT_ALIGN, DESCRIPTORS, Heap};
use crate::policy::runs::Runs;
use crate::policy::stack::ALIGN;
use crate::port::observe::Run;
use crate::words::addr::HbmAddr;
use crate::words::error::{ErrorKind, Site};
use crate::words::heap::{FreeError, HeapName};

/// What was written of one scratch tensor.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    /// Byte ranges, counted from the tensor's start.
    pub(crate) runs: Runs,
    /// The write that needed a ninth range.
    pub(crate) overflow: Option<Site>,
    /// Where the tensor was last opened for writing, or else allocated.
    pub(crate) site: Site,
}

/// One scratch tensor.
#[derive(Debug)]
pub(crate) struct Block {
    start: u64,
    bytes: u64,
    allocated: Site,
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

/// All blocks of one op.
#[derive(Debug)]
pub(crate) struct Scratch {
    heap: Heap,
    /// Tensors, which live until the op ends.
    blocks: Vec<Block, DESCRIPTORS>,
    /// The block the kernel's stack is on, and whose author's line asked for it.
    stack: Option<(HbmAddr, Site)>,
}

impl Scratch {
    #[inline(always)]
    pub(crate) const fn new(base: HbmAddr, bytes: u64) -> Self {
        Self { heap: Heap::new(base.get(), bytes), blocks: Vec::new(), stack: None }
    }

    /// Room for a tensor of `bytes` bytes.
    pub(crate) fn allocate(&mut self, bytes: u64, site: Site) -> Result<HbmAddr, ErrorKind> {
        // An empty tensor takes a byte, so that no two blocks begin at one address.
        let start = self.allocate_raw(bytes.max(1), DEFAULT_ALIGN, site)?;
        let written = Written { runs: Runs::default(), overflow: None, site };
        // There are as many places here as the heap has blocks.
        let _ = self.blocks.push(Block { start: start.get(), bytes, allocated: site, written });
        Ok(start)
    }

    /// A block that can be given back.
    pub(crate) fn allocate_raw(&mut self, bytes: u64, align: u64, site: Site) -> Result<HbmAddr, ErrorKind> {
        let allocated = self.heap.allocate(bytes, align, site);
        allocated.map(HbmAddr::new).map_err(|error| error.of(HeapName::HbmScratch))
    }

    /// A block for the kernel's stack, if it has none here.
    pub(crate) fn draw_stack(&mut self, bytes: u64, site: Site) -> Result<(), ErrorKind> {
        debug_assert!(self.stack.is_none(), "one op runs at a time");
        self.stack = Some((self.allocate_raw(bytes, ALIGN, site)?, site));
        Ok(())
    }

    /// Give it back.
    pub(crate) fn free_stack(&mut self) {
        if let Some((start, _)) = self.stack.take() {
            // It is a block: `free_raw` leaves it alone.
            let _ = self.heap.free(start.get());
        }
    }

    /// Give back what `allocate_raw` gave.
    pub(crate) fn free_raw(&mut self, start: HbmAddr) -> Result<(), FreeError> {
        let stack = self.stack.filter(|(stack, _)| *stack == start).map(|(_, site)| site);
        match self.block_at(start).map(|block| block.allocated).or(stack) {
            Some(site) => Err(FreeError::Owned { site }),
            None => self.heap.free(start.get()).map(|_| ()),
        }
    }

    /// The tensor that begins here.
    pub(crate) fn block_at(&mut self, start: HbmAddr) -> Option<&mut Block> {
        self.blocks.iter_mut().find(|block| block.start == start.get())
    }

    /// A run of writes: in one block, in several (accessors that share a tally make such), or in none.
    #[inline]
    pub(crate) fn note(&mut self, run: &Run) {
        // As it is with most kernels that are given an output.
        if !self.blocks.is_empty() {
            self.note_in_blocks(run);
        }
    }

    fn note_in_blocks(&mut self, run: &Run) {
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
