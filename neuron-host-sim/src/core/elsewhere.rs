//! What the DMA engine and the memory of a core do on machines that this one is not ([`WhatIf`]).
//!
//! Nothing here changes TCM that a slice may be of: a slice's owner has it alone. Where such bytes would be read, poison is
//! read instead, and where they would be written, they are left.

mod arriving;
mod cache;
mod core;

use std::collections::VecDeque;
use std::ops::Range;

use neuron_device::{Dataram, DmaRing, HbmAddr, NxAddr, Site, Staged, bulk};

use self::arriving::{Arriving, State};
use self::cache::Cache;
use super::POISON;
use super::dataram::CoreMemory;
use super::tcm::{Accesses, line_of};
use crate::fault::{Fault, Line, Part, Severity, Verdict};
use crate::subjects::Subjects;
use crate::what_if::WhatIf;

/// Where so many bytes of HBM are, as the core sees them.
type Native<'a> = dyn Fn(HbmAddr, u64) -> Option<*mut u8> + 'a;

/// A block of TCM.
#[derive(Clone, Debug)]
struct Block {
    bytes: Range<u32>,
    /// May there be slices of it?
    sliced: bool,
}

/// A copy by DMA that was told, of which not every pair was moved.
#[derive(Clone, Copy, Debug)]
struct Told {
    /// The number behind that of its last pair.
    behind: u64,
    pending: Option<u64>,
    site: Site,
}

/// The DMA engine of such a machine, and what it has to do with.
#[derive(Debug)]
pub(super) struct Elsewhere {
    core: u32,
    granule: u64,
    done_before_visible: bool,
    cache: Option<Cache>,
    /// Descriptor pairs that were told, and that were moved.
    told: u64,
    completed: u64,
    copies: VecDeque<Told>,
    arriving: Vec<Arriving>,
    blocks: Vec<Block>,
}

impl Elsewhere {
    /// For core `core` with this memory, at the start of an op; `None` if it has nothing to do.
    pub(super) fn new(what_if: WhatIf, core: u32, memory: &CoreMemory) -> Option<Self> {
        let WhatIf { dma_granule, done_before_visible, tcm_write_back, .. } = what_if;
        let is_any = dma_granule.is_some() || done_before_visible || tcm_write_back.is_some();
        is_any.then(|| Self {
            core,
            granule: dma_granule.unwrap_or(1).into(),
            done_before_visible,
            cache: tcm_write_back.map(|line| Cache::new(line, memory)),
            told: 0,
            completed: 0,
            copies: VecDeque::new(),
            arriving: Vec::new(),
            blocks: Vec::new(),
        })
    }

    /// Does what is told of an access depend on when it is made?
    pub(super) fn looks_at_each(&self) -> bool {
        self.done_before_visible
    }

    /// The kernel staged something, or made ready to.
    pub(super) fn staged(&mut self, event: &Staged, memory: &CoreMemory) {
        match *event {
            Staged::Allocated { local, bytes, .. } => {
                let bytes = local.get()..local.get() + bytes as u32;
                if let Some(cache) = &mut self.cache {
                    cache.write_back(&bytes, memory);
                }
                self.blocks.push(Block { bytes, sliced: false });
            }
            Staged::Freed { local, .. } => self.blocks.retain(|block| block.bytes.start != local.get()),
            Staged::Filled { local, .. } | Staged::Swept { local, .. } => self.slice(local),
            Staged::Copied(copy) => {
                if !copy.counted {
                    self.slice(copy.local);
                }
                if copy.descriptors > 0 {
                    self.told += copy.descriptors;
                    let (pending, site) = (copy.pending, copy.hbm.site);
                    self.copies.push_back(Told { behind: self.told, pending, site });
                }
            }
            Staged::Awaited { copy, .. } => {
                self.arriving.iter_mut().for_each(|arriving| arriving.awaited(copy));
            }
            _ => {}
        }
    }

    /// There may be slices of the block at `local` from now on.
    fn slice(&mut self, local: NxAddr) {
        let block = self.blocks.iter_mut().find(|block| block.bytes.contains(&local.get()));
        block.into_iter().for_each(|block| block.sliced = true);
    }

    /// Can no slice be of this byte?
    fn is_free(&self, local: u32) -> bool {
        !self.blocks.iter().any(|block| block.sliced && block.bytes.contains(&local))
    }

    /// How many bytes a piece takes along that is written up to `end`.
    fn along(&self, end: u64) -> u64 {
        end.next_multiple_of(self.granule) - end
    }

    /// Move what is posted, up to pair number `end`.
    fn run(&mut self, ring: &DmaRing, end: u64, memory: &CoreMemory, native: &Native<'_>) {
        while self.completed < end {
            let (from, to) = ring.pair(self.completed);
            let own = |buffer| Dataram::aliased(self.core, buffer);
            let moved = match (own(from.buffer()), own(to.buffer())) {
                (None, Some(local)) => {
                    self.move_in(HbmAddr::new(from.buffer()), local, from.bytes(), memory, native)
                }
                (Some(local), None) => {
                    self.move_out(local, HbmAddr::new(to.buffer()), from.bytes(), memory, native)
                }
                _ => None,
            };
            ring.complete(self.completed, moved.is_some());
            self.completed += 1;
            self.copies.retain(|told| told.behind > self.completed);
        }
    }

    /// Move a piece to TCM. `None` if there is no memory at one of its ends.
    fn move_in(
        &mut self,
        hbm: HbmAddr,
        local: NxAddr,
        bytes: u64,
        memory: &CoreMemory,
        native: &Native<'_>,
    ) -> Option<()> {
        let piece = fetched(hbm, bytes, native)?;
        memory.write(local, &piece).then_some(())?;
        let end = local.get() + bytes as u32;
        let along = self.along(end.into());
        let behind = hbm.checked_add(bytes).filter(|_| along > 0);
        let taken = behind.and_then(|behind| fetched(behind, along, native)).unwrap_or_default();
        for (at, byte) in (end..).zip(&taken).filter(|(at, _)| self.is_free(*at)) {
            memory.write(NxAddr::new(at), &[*byte]);
        }
        if let Some(mut cache) = self.cache.take() {
            cache.write_back(&(local.get()..end), memory);
            for at in (end..end + taken.len() as u32).filter(|&at| self.is_free(at)) {
                cache.write_back(&(at..at + 1), memory);
            }
            let beside = cache.beside(local.get()..end).filter(|&at| self.is_free(at));
            beside.for_each(|at| cache.drop_write(at, memory));
            self.cache = Some(cache);
        }
        Some(())
    }

    /// Move a piece to HBM, now or when it is to be seen. `None` if there is no memory at one of its ends.
    fn move_out(
        &mut self,
        local: NxAddr,
        hbm: HbmAddr,
        bytes: u64,
        memory: &CoreMemory,
        native: &Native<'_>,
    ) -> Option<()> {
        native(hbm, bytes)?;
        let seen = |local: NxAddr, bytes: u64| match &self.cache {
            Some(cache) => cache.beneath(local, bytes),
            None => memory.read(local, bytes),
        };
        let mut piece = seen(local, bytes)?;
        let end = local.get() + bytes as u32;
        let along = self.along(hbm.get() + bytes);
        if native(hbm, bytes + along).is_some() {
            let byte = |at: u32| self.is_free(at).then(|| seen(NxAddr::new(at), 1)).flatten();
            piece.extend((end..end + along as u32).map(|at| byte(at).map_or(POISON, |byte| byte[0])));
        }
        let told = self.copies.front();
        let pending = told.and_then(|told| told.pending);
        let site = told.map(|told| told.site);
        let arriving = Arriving::new(hbm, piece, pending, site);
        if self.done_before_visible {
            self.arriving.push(arriving);
        } else {
            arriving.arrive(native);
        }
        Some(())
    }

    /// What is done is seen from here on; or all of it.
    fn fence(&mut self, all: bool, native: &Native<'_>) {
        let is_done = |arriving: &mut Arriving| all || arriving.state() == State::Done;
        self.arriving.extract_if(.., is_done).for_each(|arriving| arriving.arrive(native));
    }

    /// A copy to HBM that is done, and that these accesses, of which each sees what is visible, meet before it is.
    fn not_yet_visible(&self, op: &'static str, by: &Accesses, subjects: Subjects<'_>) -> Option<Fault> {
        let mut done = self.arriving.iter().filter(|arriving| arriving.state() == State::Done);
        let (arriving, (first, bytes)) =
            done.find_map(|arriving| Some((arriving, by.meeting(&arriving.bytes())?)))?;
        let of = subjects.at(first, by.access);
        let each = of.map_or(1, |of| of.dtype.size()).max(by.each());
        let copied = arriving.site().map(|site| Line::new(Part::Started, site));
        Some(Fault {
            access: by.access,
            count: bytes.div_ceil(each),
            lines: [line_of(by.access, by.site)].into_iter().chain(copied).collect(),
            ..Fault::new(op, Verdict::NotYetVisible, Severity::Error).at(of, first)
        })
    }
}

/// Bytes of HBM; `None` if not all of them are there.
fn fetched(hbm: HbmAddr, bytes: u64, native: &Native<'_>) -> Option<Vec<u8>> {
    let from = native(hbm, bytes)?;
    let mut fetched = vec![0; bytes as usize];
    // SAFETY: `native` gives that many bytes of HBM as this core sees them, which cores access as `bulk` says; `fetched` has
    // as many.
    unsafe { bulk::copy_from_shared(from, fetched.as_mut_ptr(), bytes as usize) };
    Some(fetched)
}
