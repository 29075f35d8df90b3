//! [`Q7`]: the core a kernel runs on.

use core::cell::{Cell, RefCell};
use core::fmt;
use core::marker::PhantomData;
use core::panic::Location;

use super::cursor::Cursor;
use super::handover::Handover;
use super::scratch::Scratch;
use super::staging::Staging;
use super::tally::{Class, Tallies, Tally};
use crate::policy::counters::Counters;
use crate::policy::partition::{Partition, Tiles, balanced, ceiling};
use crate::policy::window::WindowTable;
use crate::port::attached::AttachedPlatform;
use crate::port::fault::{Access, Fault};
use crate::port::observe::{Observer, Run, Wants};
use crate::port::platform::Platform;
use crate::port::window::{Located, MappedWindow};
use crate::words::addr::{HbmAddr, NxAddr};
use crate::words::error::Site;
use crate::words::sbuf::SbufAddresses;

/// One Vision-Q7 core, in one launch. Every kernel gets it first and passes it to whatever touches a tensor.
///
/// It cannot be made, stored, sent to another thread or kept beyond the launch: the only way to one is
/// [`Q7::enter`].
///
/// ```
/// use neuron_device::{prelude::*, FlatPlatform};
/// let sum = Q7::enter(&mut FlatPlatform::new(3, 8, &mut []), |q7| {
///     assert_eq!((q7.get_cpu_id(), q7.get_cpu_count()), (3, 8));
///     q7.partition(17).into_iter().sum::<u32>()
/// });
/// assert_eq!(sum, 7 + 8); // core 0 has 0..3, core 1 3..5, core 2 5..7, core 3 7..9
/// ```
///
/// A core belongs to its thread, and so do its accessors:
///
/// ```compile_fail,E0277
/// use neuron_device::{FlatPlatform, prelude::*};
/// Q7::enter(&mut FlatPlatform::new(0, 1, &mut []), |q7| {
///     std::thread::scope(|scope| {
///         scope.spawn(|| q7.get_cpu_id());
///     });
/// });
/// ```
///
/// ```compile_fail,E0277
/// # use neuron_device::prelude::*;
/// fn kernel(q7: &Q7, x: &Tensor) -> Result<f32> {
///     let src = x.elements::<f32>(q7)?;
///     Ok(std::thread::scope(|scope| scope.spawn(move || src.get(0)).join().unwrap()))
/// }
/// ```
pub struct Q7 {
    platform: AttachedPlatform,
    core: u32,
    cores: u32,
    stamp: u64,
    pub(super) wants: Wants,
    pub(super) wants_progress: bool,
    pub(super) windows: WindowTable<MappedWindow>,
    /// What the addresses of records in SBUF are.
    pub(crate) sbuf_addresses: SbufAddresses,
    tallies: Tallies,
    /// Loads and stores by local address, which translate nothing.
    pub(super) local_accesses: Cell<(u64, u64)>,
    pub(crate) scratch: RefCell<Scratch>,
    pub(crate) staging: Staging,
    handover: Cell<Handover>,
    /// Is there anybody to print to?
    pub(super) console: bool,
    /// Slots of the console it filled.
    pub(super) printed: Cell<u32>,
    /// Was the op left in the middle of something? Then nothing here is to be relied on.
    abandoned: Cell<bool>,
    /// A core belongs to its thread.
    not_send: PhantomData<*mut ()>,
}

/// Ends a core's work, also when the kernel panics.
struct Retire<'a>(&'a Q7);

impl Drop for Retire<'_> {
    fn drop(&mut self) {
        self.0.retire();
    }
}

impl Q7 {
    /// Run `kernel` on the core `platform` is.
    ///
    /// # Panics
    /// If the platform's core number is not below its core count; and when `kernel` does.
    pub fn enter<R>(platform: &mut dyn Platform, kernel: impl FnOnce(&Q7) -> R) -> R {
        let (core, cores, stamp) = (platform.core_id(), platform.core_count(), platform.launch_stamp());
        assert!(core < cores, "core {core} of {cores}");
        let (base, bytes) = platform.scratch();
        let (dataram, sbuf) = (platform.dataram(), platform.sbuf());
        let (sbuf_base, sbuf_addresses) =
            sbuf.map_or((None, SbufAddresses::Local), |sbuf| (Some(sbuf.base()), sbuf.addresses()));
        let console = platform.console();
        let wanted = platform.observer().map(|observer| (observer.wants(), observer.wants_progress()));
        let (wants, wants_progress) = wanted.unwrap_or((Wants::Nothing, false));
        let q7 = Q7 {
            // SAFETY: `q7` does not leave this function, which borrows `platform` to its end.
            platform: unsafe { AttachedPlatform::new(platform) },
            core,
            cores,
            stamp,
            wants,
            wants_progress,
            windows: WindowTable::new([sbuf_base, None]),
            sbuf_addresses,
            tallies: Tallies::new(),
            local_accesses: Cell::new((0, 0)),
            scratch: RefCell::new(Scratch::new(base, bytes)),
            staging: Staging::new(dataram),
            handover: Cell::new(Handover::Nothing),
            console,
            printed: Cell::new(0),
            abandoned: Cell::new(false),
            not_send: PhantomData,
        };
        if let Some(sbuf) = sbuf {
            q7.windows.pin_sbuf(sbuf.window());
        }
        let _retire = Retire(&q7);
        let result = kernel(&q7);
        if !q7.abandoned.get() {
            q7.drain();
        }
        result
    }

    /// This core's number: 0 to `get_cpu_count() - 1` (`docs/machine.md`, section 2).
    pub const fn get_cpu_id(&self) -> u32 {
        self.core
    }

    /// How many cores run this launch; 8 on the machine (`docs/machine.md`, section 2).
    pub const fn get_cpu_count(&self) -> u32 {
        self.cores
    }

    /// This core's share of `0..n`: all of it is shared out, nothing twice, shares differ by at most one, the
    /// longer ones first.
    pub fn partition(&self, n: u32) -> Partition<u32> {
        Partition::<u32>::new(balanced(u64::from(n), self.core, self.cores))
    }

    /// As [`partition`](Self::partition), for a flat index range such as `0..x.numel()`.
    pub fn partition_flat(&self, n: u64) -> Partition<u64> {
        Partition::<u64>::new(balanced(n, self.core, self.cores))
    }

    /// This core's share of `0..n` by the ceiling split: shares of `ceil(n / cores)`, the last ones shorter or empty.
    ///
    /// ```
    /// use neuron_device::{FlatPlatform, Q7};
    /// let share = |core| {
    ///     Q7::enter(&mut FlatPlatform::new(core, 4, &mut []), |q7| {
    ///         let share = q7.partition_ceil(9);
    ///         (share.start(), share.len(), share.is_empty())
    ///     })
    /// };
    /// assert_eq!([0, 1, 2, 3].map(share), [(0, 3, false), (3, 3, false), (6, 3, false), (9, 0, true)]);
    /// ```
    pub fn partition_ceil(&self, n: u64) -> Partition<u64> {
        Partition::<u64>::new(ceiling(n, self.core, self.cores))
    }

    /// This core's share of `0..n` in pieces of `tile` indices, where the cores share out whole tiles: only
    /// the last tile of all is shorter.
    ///
    /// # Panics
    /// If `tile` is 0.
    ///
    /// ```
    /// use neuron_device::{FlatPlatform, Q7};
    /// let tiles = |core| {
    ///     Q7::enter(&mut FlatPlatform::new(core, 2, &mut []), |q7| {
    ///         q7.partition_tiles(10, 4).map(|span| (span.offset, span.len)).collect::<Vec<_>>()
    ///     })
    /// };
    /// assert_eq!((tiles(0), tiles(1)), (vec![(0, 4), (4, 4)], vec![(8, 2)]));
    /// ```
    #[track_caller]
    pub fn partition_tiles(&self, n: u64, tile: u32) -> Tiles {
        assert!(tile > 0, "a tile must hold at least one element");
        let whole = balanced(n.div_ceil(u64::from(tile)), self.core, self.cores);
        let at = |tiles: u64| tiles.saturating_mul(u64::from(tile)).min(n);
        Partition::<u64>::new(at(whole.start)..at(whole.end)).tiles(tile)
    }

    /// The local address at which this core sees `addr`, mapping a window if none shows it. It is good until the next
    /// translation (`docs/machine.md`, section 4).
    ///
    /// Where there is no memory, that is a fault each time, and the address given shows nothing.
    #[track_caller]
    pub fn translate(&self, addr: HbmAddr) -> NxAddr {
        // Not inside the closure below, where the caller would be this line.
        let site = Location::caller();
        let record = match self.windows.lookup(addr) {
            Some(record) => {
                self.windows.count_hits(record, 1);
                record
            }
            None => self.map(addr, site),
        };
        if self.windows.mapping(record).locate(addr.get()).is_none() {
            self.fault(&Fault::NoMemory { addr, site });
        }
        let local = self.windows.local(record, addr);
        self.observer(|observer| observer.translated(addr, local, site));
        local
    }

    /// The 64-bit address that the pinned window onto SBUF shows at `local`; `None` if this core has no memory there.
    pub(crate) fn in_sbuf(&self, local: NxAddr) -> Option<HbmAddr> {
        self.windows.shown_at(local).map(|(_, addr)| addr)
    }

    /// The tally that pointers to elements of this class share, with accessors if need be.
    pub(crate) fn pointers(&self, class: Class) -> Cursor<'_> {
        Cursor::new(self, self.tallies.any(class))
    }

    /// A cursor for one more accessor.
    pub(crate) fn cursor(&self, access: Access, bytes: u64) -> Cursor<'_> {
        Cursor::new(self, self.tallies.open(Class { access, bytes }))
    }

    /// How the op's result got to the output.
    pub(crate) const fn handover(&self) -> Handover {
        self.handover.get()
    }

    /// The op's result gets there so.
    pub(crate) fn hand_over(&self, handover: Handover) {
        self.handover.set(handover);
    }

    pub(crate) const fn stamp(&self) -> u64 {
        self.stamp
    }

    /// Translate, tell and count an access that was not the expected one. Where there is no memory: a fault.
    #[inline(never)]
    pub(super) fn reach(&self, tally: &Tally, class: Class, addr: u64, site: Site) -> Option<Located> {
        let located = match tally.window().locate(addr) {
            Some(located) => located,
            None => self.translate_for(tally, class, HbmAddr::new(addr), site)?,
        };
        let ended = if tally.is_long(class) {
            let run = tally.take_run(class);
            tally.turn(class, addr, site);
            run
        } else {
            tally.turn(class, addr, site)
        };
        if self.wants == Wants::EveryAccess {
            // A run that is over does not go on inline, and is not told again.
            tally.take_run(class);
            let Class { access, bytes } = class;
            self.tell(&Run { access, start: HbmAddr::new(addr), step: bytes as i64, count: 1, bytes, site });
        } else if let Some(run) = ended {
            self.tell(&run);
        } else {
            return Some(located);
        }
        if self.wants > Wants::Nothing {
            self.observer(|observer| observer.checkpoint());
        }
        Some(located)
    }

    /// The bytes at `addr` by way of the whole table, mapping a window if need be.
    #[cold]
    fn translate_for(&self, tally: &Tally, class: Class, addr: HbmAddr, site: Site) -> Option<Located> {
        let found = self.windows.lookup(addr);
        let record = found.unwrap_or_else(|| self.map(addr, site));
        let window = self.windows.mapping(record);
        let located = window.locate(addr.get());
        self.windows.count_hits(tally.record(), tally.settle(class, found.is_none() && located.is_some()));
        tally.serve(record, window);
        if located.is_none() {
            self.fault(&Fault::NoMemory { addr, site });
        }
        located
    }

    /// Tell every run of this access that is not told yet.
    #[inline]
    pub(crate) fn flush(&self, access: Access) {
        // Every copy comes here, mostly for nothing.
        if self.tallies.has(access) {
            self.flush_opened(access);
        }
    }

    #[inline(never)]
    fn flush_opened(&self, access: Access) {
        for (class, tally) in self.tallies.of(access) {
            if let Some(run) = tally.take_run(class)
                && self.wants != Wants::EveryAccess
            {
                self.tell(&run);
            }
        }
    }

    /// Tell every run that is not told yet, reads if anybody wants to know; what was written of the scratch must be known
    /// at the same moments whether anybody does or not, as the order of runs decides how many pieces they are.
    pub(crate) fn tell_all(&self) {
        if self.wants > Wants::Nothing {
            self.flush(Access::Read);
        }
        self.flush(Access::Write);
    }

    /// Does anybody want to know what it accesses?
    #[inline(always)]
    pub(crate) fn is_watched(&self) -> bool {
        self.wants > Wants::Nothing
    }

    /// Call who watches this core, if somebody does.
    pub(crate) fn observer(&self, call: impl FnOnce(&mut dyn Observer)) {
        self.platform.with(|platform| {
            if let Some(observer) = platform.observer() {
                call(observer);
            }
        });
    }

    /// The one path for faults.
    #[cold]
    #[inline(never)]
    pub(crate) fn fault(&self, fault: &Fault) {
        self.platform.with(|platform| platform.fault(fault));
    }

    pub(crate) fn platform<R>(&self, call: impl FnOnce(&mut dyn Platform) -> R) -> R {
        self.platform.with(call)
    }

    /// A miss: point the next dynamic record at the window of `addr` (fence, registers, fence), and say which it is.
    pub(super) fn map(&self, addr: HbmAddr, site: Site) -> usize {
        let record = self.windows.take_victim();
        self.tallies.evict(record);
        let mapped = self.platform.with(|platform| {
            platform.fence();
            let mapped = platform.map_window(record, addr.window_base());
            platform.fence();
            mapped
        });
        self.windows.install(record, addr, mapped.unwrap_or(MappedWindow::NOTHING));
        if self.wants_progress {
            self.tell_progress();
        }
        self.observer(|observer| observer.remapped(record, addr.window_base(), site));
        record
    }

    pub(super) fn tell(&self, run: &Run) {
        if run.access == Access::Write {
            self.scratch.borrow_mut().note(run);
        }
        if self.wants > Wants::Nothing {
            self.observer(|observer| observer.run(run));
        }
    }

    /// What the core counted so far. Tallies have hits of windows that are not settled.
    fn counters(&self) -> Counters {
        let (loads, stores) = self.local_accesses.get();
        let (windows, copies) = (self.windows.counters(), self.staging.counters());
        let mut counters = Counters { loads, stores, windows, copies };
        for (class, tally) in self.tallies.iter() {
            match class.access {
                Access::Read => counters.loads += tally.count(class),
                Access::Write => counters.stores += tally.count(class),
            }
        }
        counters
    }

    /// Say how far the core is.
    #[inline(never)]
    pub(super) fn tell_progress(&self) {
        let counters = self.counters();
        self.observer(|observer| observer.progressed(&counters));
    }

    /// The op will not go on, and was left in the middle of something: the core says nothing more.
    pub(crate) fn abandon(&self) {
        self.abandoned.set(true);
    }

    fn retire(&self) {
        if self.abandoned.get() {
            return;
        }
        self.tell_all();
        for (class, tally) in self.tallies.iter() {
            self.windows.count_hits(tally.record(), tally.settle(class, false));
        }
        let counters = self.counters();
        self.observer(|observer| observer.retired(&counters));
    }
}

impl fmt::Debug for Q7 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Q7 core {} of {}", self.core, self.cores)
    }
}

#[cfg(test)]
mod tests;
