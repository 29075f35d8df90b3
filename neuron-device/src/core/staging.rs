//! Copies between HBM or SBUF and TCM, as the core makes them or has them made.

use core::cell::{Cell, RefCell};

use super::q7::Q7;
use crate::policy::coherency::Coherency;
use crate::policy::counters::CopyCounters;
use crate::policy::heap::{DEFAULT_ALIGN, DESCRIPTORS, Heap};
use crate::policy::ring::{DmaRing, MOST_BYTES, Progress, SLOTS};
use crate::port::bulk;
use crate::port::dataram::Dataram;
use crate::port::engine::Doorbell;
use crate::port::fault::{Access, Fault};
use crate::port::observe::{Copied, Run, Staged};
use crate::words::addr::{Band, HbmAddr, NxAddr};
use crate::words::error::{ErrorKind, Site};
use crate::words::handle::CoherencyPolicy;
use crate::words::heap::{FreeError, HeapName};
use crate::words::method::CopyMethod;
use crate::words::work::Work;

/// What a core has for staging.
#[derive(Debug)]
pub(crate) struct Staging {
    pub(crate) dataram: Dataram,
    pub(crate) tcm: RefCell<Heap>,
    /// Where the blocks of TCM begin that were allocated by hand, and may be given back so.
    by_hand: RefCell<heapless::Vec<u32, DESCRIPTORS>>,
    ring: DmaRing,
    pub(crate) method: Cell<CopyMethod>,
    pub(crate) policy: Cell<CoherencyPolicy>,
    pub(crate) coherency: RefCell<Coherency>,
    counters: RefCell<CopyCounters>,
}

impl Staging {
    #[inline(always)]
    pub(super) const fn new(dataram: Dataram) -> Self {
        Self {
            dataram,
            tcm: RefCell::new(Heap::new(Dataram::BASE.get() as u64, dataram.len() as u64)),
            by_hand: RefCell::new(heapless::Vec::new()),
            ring: DmaRing::new(),
            method: Cell::new(CopyMethod::Dma),
            policy: Cell::new(CoherencyPolicy::Coherent),
            coherency: RefCell::new(Coherency::new()),
            counters: RefCell::new(CopyCounters::NONE),
        }
    }

    /// What was copied so far.
    pub(super) fn counters(&self) -> CopyCounters {
        *self.counters.borrow()
    }

    /// Count, in place: it is done at every copy.
    pub(crate) fn count(&self, change: impl FnOnce(&mut CopyCounters)) {
        change(&mut self.counters.borrow_mut());
    }
}

/// A copy between HBM and TCM, checked: both sides are memory the kernel may copy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Copy {
    /// Its HBM side, as pieces.
    pub(crate) hbm: Run,
    /// Where its TCM side begins.
    pub(crate) local: NxAddr,
    /// Bytes of an element.
    pub(crate) element: u64,
    /// Are the core's accesses to its bytes in TCM counted?
    pub(crate) counted: bool,
}

/// A copy whose descriptors are being posted.
struct Posting {
    access: Access,
    /// The number of its first pair.
    first: u64,
    site: Site,
    /// Pairs the engine was not told of.
    posted: u64,
    /// Did the bytes move of those that were waited for?
    moved: bool,
}

impl Q7 {
    /// `bytes` bytes of TCM.
    pub(crate) fn tcm_allocate(
        &self,
        bytes: u64,
        align: Option<u64>,
        site: Site,
    ) -> Result<NxAddr, ErrorKind> {
        let align = align.unwrap_or(DEFAULT_ALIGN);
        let allocated = self.staging.tcm.borrow_mut().allocate(bytes, align, site);
        let start = allocated.map_err(|error| error.of(HeapName::Tcm))?;
        // The heap is of local addresses, which have 32 bits.
        let local = NxAddr::new(start as u32);
        let end = start + bytes - u64::from(Dataram::BASE.get());
        self.staging.count(|counters| counters.tcm_peak = counters.tcm_peak.max(end as u32));
        if self.is_watched() {
            self.observer(|observer| observer.staged(&Staged::Allocated { local, bytes, site }));
        }
        Ok(local)
    }

    /// Give back the block of TCM that begins at `local`; the line is known if it was given back by hand.
    pub(crate) fn tcm_free(&self, local: NxAddr, site: Option<Site>) -> Result<(), FreeError> {
        self.staging.tcm.borrow_mut().free(local.get().into())?;
        if self.is_watched() {
            self.observer(|observer| observer.staged(&Staged::Freed { local, site }));
        }
        Ok(())
    }

    /// `bytes` bytes of TCM, to be given back by hand.
    pub(crate) fn tcm_allocate_raw(&self, bytes: u64, align: u64, site: Site) -> Result<NxAddr, ErrorKind> {
        let local = self.tcm_allocate(bytes, Some(align), site)?;
        // The heap has no more blocks than there is room for here.
        let _ = self.staging.by_hand.borrow_mut().push(local.get());
        Ok(local)
    }

    /// As [`tcm_free`](Self::tcm_free), of any address: what begins no block, or one that a buffer gives back, is a fault.
    pub(crate) fn tcm_free_raw(&self, local: NxAddr, site: Site) {
        let addr = u64::from(local.get());
        let at = self.staging.by_hand.borrow().iter().position(|&block| block == local.get());
        let freed = match at {
            Some(at) => {
                self.staging.by_hand.borrow_mut().swap_remove(at);
                self.tcm_free(local, Some(site))
            }
            None => Err(self.staging.tcm.borrow().owned(addr)),
        };
        if let Err(error) = freed {
            self.fault(&Fault::BadFree { heap: HeapName::Tcm, addr, error, site });
        }
    }

    /// Wait for an asynchronous copy of any number; one that none has is a fault.
    pub(crate) fn await_raw_copy(&self, number: u64, site: Site) {
        if number >= self.staging.ring.posted() {
            return self.fault(&Fault::NoSuchCopy { copy: number, site });
        }
        self.await_copy(number, self.hbm_of(number), site);
    }

    /// Values are there from now on.
    pub(crate) fn tcm_filled(&self, local: NxAddr, bytes: u64) {
        if self.is_watched() && bytes > 0 {
            self.observer(|observer| observer.staged(&Staged::Filled { local, bytes }));
        }
    }

    /// Copy, and wait until the bytes are moved. Where there is no memory: a fault.
    pub(crate) fn copy(&self, method: CopyMethod, copy: &Copy) {
        if copy.hbm.count == 0 || copy.hbm.bytes == 0 {
            return;
        }
        self.before_copy(method, copy, None);
        let moved = match method {
            CopyMethod::Dma => {
                let first = self.staging.ring.posted();
                let (last, moved) = self.post(copy);
                if first == last {
                    self.await_dma(last) && moved
                } else {
                    let left = first.max((last + 1).saturating_sub(SLOTS))..=last;
                    left.fold(moved, |moved, pair| self.await_dma(pair) && moved)
                }
            }
            CopyMethod::CMemcpy | CopyMethod::VecMemcpy => self.copy_through_windows(copy),
        };
        if !moved {
            self.fault(&Fault::NoMemory { addr: copy.hbm.start, site: copy.hbm.site });
        }
        if self.is_watched() {
            self.observer(|observer| observer.checkpoint());
        }
    }

    /// Have the DMA engine copy a piece, which it may do until [`await_copy`](Self::await_copy) was called with the number
    /// given back.
    ///
    /// # Panics
    /// If the copy has more than one piece, or is empty.
    pub(crate) fn start_copy(&self, copy: &Copy) -> u64 {
        assert!(copy.hbm.count == 1 && copy.hbm.bytes > 0, "an asynchronous copy is one descriptor");
        let number = self.staging.ring.posted();
        self.before_copy(CopyMethod::Dma, copy, Some(number));
        let (last, _) = self.post(copy);
        if self.is_watched() {
            self.observer(|observer| observer.checkpoint());
        }
        last
    }

    /// Wait for an asynchronous copy. Where there was no memory: a fault.
    pub(crate) fn await_copy(&self, number: u64, addr: HbmAddr, site: Site) {
        let moved = self.await_dma(number);
        if self.is_watched() {
            self.tell_all();
        }
        self.tell_timed(|| Staged::Awaited { copy: number, site });
        if !moved {
            self.fault(&Fault::NoMemory { addr, site });
        }
    }

    /// Say that the kernel computes this between its accesses, which a simulator does not see: for
    /// modelled time, and nothing else. On a chip it does nothing.
    ///
    /// ```
    /// use neuron_device::{prelude::*, FlatPlatform, Unit, Work};
    /// Q7::enter(&mut FlatPlatform::new(0, 1, &mut []), |q7| {
    ///     // A kernel that multiplies and adds 1024 pairs of f32, all lanes at once:
    ///     q7.declare(Work::independent(Unit::VectorFma, 32, 1024));
    /// });
    /// ```
    pub fn declare(&self, work: Work) {
        self.tell_timed(|| Staged::Computed(work));
    }

    /// The kernel is given a slice of elements that a copy brought whose accesses are counted.
    pub(crate) fn tell_swept(&self, local: NxAddr, bytes: u64, site: Site) {
        self.tell_timed(|| Staged::Swept { local, bytes, site });
    }

    /// Tell something that takes time, and before it how far the core is, if anybody wants to know.
    #[inline]
    pub(super) fn tell_timed(&self, event: impl FnOnce() -> Staged) {
        if self.wants_progress {
            self.tell_progress();
        } else if !self.is_watched() {
            return;
        }
        let event = event();
        self.observer(|observer| observer.staged(&event));
    }

    /// Tell and count a copy that is about to be made.
    #[inline]
    fn before_copy(&self, method: CopyMethod, copy: &Copy, pending: Option<u64>) {
        self.tell_all();
        if copy.hbm.access == Access::Write {
            self.scratch.borrow_mut().note(&copy.hbm);
        }
        let descriptors = match method {
            CopyMethod::Dma => copy.hbm.count * copy.hbm.bytes.div_ceil(MOST_BYTES),
            CopyMethod::CMemcpy | CopyMethod::VecMemcpy => 0,
        };
        let bytes = copy.hbm.count * copy.hbm.bytes;
        self.staging.count(|counters| {
            match method {
                CopyMethod::Dma => counters.dma_calls += 1,
                CopyMethod::CMemcpy | CopyMethod::VecMemcpy => counters.core_copies += 1,
            }
            match copy.hbm.access {
                Access::Read => counters.bytes_in += bytes,
                Access::Write => counters.bytes_out += bytes,
            }
            counters.descriptors += descriptors;
        });
        let Copy { hbm, local, element, counted } = *copy;
        self.tell_timed(|| {
            Staged::Copied(Copied { hbm, local, element, method, descriptors, counted, pending })
        });
    }

    /// Post the descriptors of a copy and ring the doorbells, in fours, as the ring has no more. The number of the last,
    /// and whether those that had to make room moved their bytes.
    #[inline]
    fn post(&self, copy: &Copy) -> (u64, bool) {
        let ring = &self.staging.ring;
        let Run { access, start, step, count, bytes, site } = copy.hbm;
        let local = Dataram::alias(self.get_cpu_id(), copy.local);
        let mut posting = Posting { access, first: ring.posted(), site, posted: 0, moved: true };
        if count == 1 && bytes <= MOST_BYTES {
            // Nearly every copy.
            self.post_pair(&mut posting, start.get(), local, bytes);
        } else {
            for piece in 0..count {
                let hbm = start.get().wrapping_add_signed(step.wrapping_mul(piece as i64));
                let local = local + piece * bytes;
                for done in (0..bytes).step_by(MOST_BYTES as usize) {
                    self.post_pair(&mut posting, hbm + done, local + done, (bytes - done).min(MOST_BYTES));
                }
            }
        }
        self.ring_doorbells(&mut posting.posted);
        (ring.posted() - 1, posting.moved)
    }

    /// Post one pair of a copy, and make room for it first if the ring is full.
    #[inline(always)]
    fn post_pair(&self, posting: &mut Posting, hbm: u64, local: u64, bytes: u64) {
        let ring = &self.staging.ring;
        if let Some(oldest) = ring.posted().checked_sub(SLOTS)
            && ring.progress(oldest) != Progress::Done
        {
            self.make_room(posting, oldest);
        }
        let (from, to) = if posting.access == Access::Read { (hbm, local) } else { (local, hbm) };
        ring.post(bytes, from, to);
        posting.posted += 1;
    }

    /// Wait for the pair of this number, whose slot a copy needs. That an earlier, asynchronous copy found no memory is told
    /// here, as nobody can ask for it any more.
    #[cold]
    fn make_room(&self, posting: &mut Posting, oldest: u64) {
        self.ring_doorbells(&mut posting.posted);
        let moved = self.await_dma(oldest);
        if oldest >= posting.first {
            posting.moved &= moved;
        } else if !moved {
            self.fault(&Fault::NoMemory { addr: self.hbm_of(oldest), site: posting.site });
        }
    }

    /// The HBM side of the pair of this number, of the last 4.
    fn hbm_of(&self, number: u64) -> HbmAddr {
        let (from, to) = self.staging.ring.pair(number);
        let is_own = Dataram::aliased(self.get_cpu_id(), from.buffer()).is_some();
        HbmAddr::new(if is_own { to.buffer() } else { from.buffer() })
    }

    /// Fence twice and ring both doorbells, if anything is posted that the engine was not told of.
    fn ring_doorbells(&self, posted: &mut u64) {
        if core::mem::take(posted) > 0 {
            self.platform(|platform| {
                platform.fence();
                platform.fence();
                platform.ring_doorbell(Doorbell::M2s, &self.staging.ring);
                platform.ring_doorbell(Doorbell::S2m, &self.staging.ring);
            });
        }
    }

    /// Spin until the pair of this number is completed, as each one before it then is. Was its memory there? That it was
    /// not is said once.
    fn await_dma(&self, number: u64) -> bool {
        let ring = &self.staging.ring;
        if number + SLOTS < ring.posted() {
            // Its slot was used again, for which it had to be completed.
            return true;
        }
        loop {
            match ring.progress(number) {
                Progress::Done => return true,
                Progress::Failed => {
                    ring.complete(number, true);
                    return false;
                }
                Progress::Pending => self.platform(|platform| platform.poll_dma(ring)),
            }
        }
    }

    /// The kernel has returned: have the engine move what nobody waited for.
    pub(super) fn drain(&self) {
        let ring = &self.staging.ring;
        let last = ring.posted().checked_sub(1);
        // Pairs are completed in order.
        if last.is_some_and(|last| ring.progress(last) == Progress::Pending) {
            self.platform(|platform| platform.drain(ring));
        }
    }

    /// Copy as `C_MEMCPY` and `VEC_MEMCPY` do: translate, copy up to the end of what is mapped, go on behind it.
    #[inline(never)]
    fn copy_through_windows(&self, copy: &Copy) -> bool {
        let Run { access, start, step, count, bytes, site } = copy.hbm;
        let mut moved = true;
        for piece in 0..count {
            let hbm = start.get().wrapping_add_signed(step.wrapping_mul(piece as i64));
            let mut done = 0;
            while done < bytes {
                let addr = HbmAddr::new(hbm + done);
                let record = match self.windows.lookup(addr) {
                    Some(record) => {
                        self.windows.count_hits(record, 1);
                        record
                    }
                    None => self.map(addr, site),
                };
                let window = self.windows.mapping(record);
                let local = NxAddr::new(copy.local.get() + (piece * bytes + done) as u32);
                let Some((native, shown)) = window.from(addr.get()) else {
                    moved = false;
                    break;
                };
                let chunk = shown.min(bytes - done);
                let Some(own) = self.staging.dataram.native(local, chunk) else {
                    moved = false;
                    break;
                };
                match access {
                    // SAFETY: the window shows `chunk` bytes, which are shared; the dataram has as many, which are not.
                    Access::Read => unsafe { bulk::copy_from_shared(native, own, chunk as usize) },
                    // SAFETY: as above.
                    Access::Write => unsafe { bulk::copy_to_shared(own, native, chunk as usize) },
                }
                done += chunk;
            }
        }
        moved
    }

    /// May a copy, or an access, of `bytes` bytes be made at this local address? If not, that is a fault.
    pub(crate) fn in_tcm(&self, access: Access, local: NxAddr, bytes: u64, site: Site) -> bool {
        if self.staging.dataram.native(local, bytes).is_some() {
            return true;
        }
        let pool = self.staging.dataram.len();
        self.fault(&match local.band() {
            Band::Dataram => Fault::OutsideTcm { access, local, bytes, pool, site },
            _ => Fault::NotInDataram { access, local, bytes, site },
        });
        false
    }
}

#[cfg(test)]
mod tests;
