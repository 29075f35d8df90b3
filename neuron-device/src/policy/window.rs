//! The window table: which 16 MiB of HBM each dynamic window shows, and which one a miss takes.
//!
//! Source of every rule and constant: `docs/machine.md`, sections 3 and 4.

use core::cell::Cell;

use super::counters::WindowCounters;
use crate::words::addr::{HbmAddr, NxAddr, WINDOW_BYTES};

/// Dynamic records of the window table: the ones a miss may remap (`docs/machine.md`, section 4).
///
/// ```
/// use neuron_device::{DYNAMIC_RECORDS, WindowTable};
/// let table = WindowTable::<()>::new([None, None]);
/// let victims: Vec<usize> = (0..4).map(|_| table.take_victim()).collect();
/// assert_eq!(victims, [0, 1, DYNAMIC_RECORDS - 1, 0]);
/// ```
pub const DYNAMIC_RECORDS: usize = 3;

/// Records of the window table in all: three dynamic, then two pinned (`docs/machine.md`, section 4).
///
/// ```
/// use neuron_device::{HbmAddr, RECORDS, WindowTable};
/// let pinned = HbmAddr::new(0x20_0000_0000);
/// let table = WindowTable::<()>::new([None, Some(pinned)]);
/// assert_eq!(table.lookup(pinned), Some(RECORDS - 1));
/// ```
pub const RECORDS: usize = 5;

/// Where the core sees each record's window.
const WINDOWS: [NxAddr; RECORDS] = [
    NxAddr::new(0x0700_0000),
    NxAddr::new(0x0900_0000),
    NxAddr::new(0x0A00_0000),
    NxAddr::new(0x8000_0000),
    NxAddr::new(0x8400_0000),
];

/// The pinned record that shows SBUF.
const SBUF: usize = DYNAMIC_RECORDS;

/// Bytes a pinned window spans: 64 MiB.
const PINNED_BYTES: u64 = 1 << 26;

/// The tag of a record without a mapping. Real tags have their low 24 bits clear, so it equals none of them; an
/// all-zero tag would answer for addresses 0..16 MiB, and 0 is a valid address.
const NO_MAPPING: u64 = 1;

/// The table of one core (`docs/machine.md`, section 4). It decides and remembers; mapping a register is the
/// platform's part. `M` is what the platform gave for a mapped window (for a core: a
/// [`MappedWindow`](crate::MappedWindow)).
///
/// ```
/// use neuron_device::{HbmAddr, NxAddr, WindowTable};
/// let table = WindowTable::<&str>::new([None, None]);
/// let addr = HbmAddr::new(0x10_0000_0040);
/// assert_eq!(table.lookup(addr), None);
/// let record = table.take_victim();
/// table.install(record, addr, "what the platform gave");
/// assert_eq!(table.lookup(addr), Some(record));
/// assert_eq!(table.mapping(record), "what the platform gave");
/// assert_eq!(table.local(record, addr), NxAddr::new(0x0700_0040));
/// table.count_hits(record, 1);
/// assert_eq!((table.counters()[record].hits, table.counters()[record].misses), (1, 1));
/// ```
#[derive(Debug)]
pub struct WindowTable<M: Copy> {
    /// Power-of-two lengths let the hot path index without a bounds check; the entry past the dynamic ones, which is
    /// SBUF's, has no tag for ever, and the mapping that its memory was given.
    tags: [Cell<u64>; 4],
    mappings: [Cell<M>; 4],
    pinned: [Option<HbmAddr>; RECORDS - DYNAMIC_RECORDS],
    cursor: Cell<u8>,
    counters: [Cell<WindowCounters>; RECORDS],
}

impl<M: Copy + Default> WindowTable<M> {
    /// The table at the start of an op: cursor 0, dynamic records unmapped, pinned records on these 64 MiB
    /// boundaries (rounded down), or absent.
    #[inline]
    pub fn new(pinned: [Option<HbmAddr>; RECORDS - DYNAMIC_RECORDS]) -> Self {
        Self {
            tags: [const { Cell::new(NO_MAPPING) }; 4],
            mappings: [M::default(); 4].map(Cell::new),
            pinned: pinned.map(|base| base.map(|base| HbmAddr::new(base.get() & !(PINNED_BYTES - 1)))),
            cursor: Cell::new(0),
            counters: Default::default(),
        }
    }

    /// Does dynamic record `record`, 0 to 2, show the window `addr` lies in? Record 3 shows none; of a number
    /// beyond, the low two bits count.
    pub fn shows(&self, record: usize, addr: HbmAddr) -> bool {
        self.tags[record & 3].get() == addr.window_base().get()
    }

    /// What the platform gave for dynamic record `record`, 0 to 2, or for pinned record 3, which is SBUF's;
    /// `M::default()` while it shows nothing. Of a number beyond, the low two bits count.
    #[inline(always)]
    pub fn mapping(&self, record: usize) -> M {
        self.mappings[record & 3].get()
    }

    /// The platform gave this for record 3, which is pinned and shows SBUF.
    ///
    /// ```
    /// use neuron_device::{HbmAddr, WindowTable};
    /// let sbuf = HbmAddr::new(0x20_0000_0000);
    /// let table = WindowTable::<&str>::new([Some(sbuf), None]);
    /// table.pin_sbuf("what the platform gave");
    /// let record = table.lookup(sbuf).unwrap();
    /// assert_eq!((record, table.mapping(record)), (3, "what the platform gave"));
    /// ```
    pub fn pin_sbuf(&self, mapping: M) {
        self.mappings[SBUF].set(mapping);
    }

    /// The first record that shows `addr`, in table order, without evicting anything.
    pub fn lookup(&self, addr: HbmAddr) -> Option<usize> {
        (0..DYNAMIC_RECORDS).find(|&record| self.shows(record, addr)).or_else(|| {
            let base = HbmAddr::new(addr.get() & !(PINNED_BYTES - 1));
            self.pinned.iter().position(|&pinned| pinned == Some(base)).map(|at| DYNAMIC_RECORDS + at)
        })
    }

    /// The dynamic record a miss takes: the cursor's. Its mapping ends here, the cursor moves on, and the miss is
    /// counted.
    pub fn take_victim(&self) -> usize {
        let record = usize::from(self.cursor.get());
        self.cursor.set((self.cursor.get() + 1) % DYNAMIC_RECORDS as u8);
        let evicted = self.tags[record].replace(NO_MAPPING) != NO_MAPPING;
        self.mappings[record].set(M::default());
        self.count(record, WindowCounters { hits: 0, misses: 1, evictions: u64::from(evicted) });
        record
    }

    /// Record that dynamic record `record` now shows the window of `addr`, which the platform mapped to `mapping`.
    ///
    /// # Panics
    /// If `record` is not dynamic.
    pub fn install(&self, record: usize, addr: HbmAddr, mapping: M) {
        assert!(record < DYNAMIC_RECORDS, "record {record} of the window table is pinned");
        self.mappings[record].set(mapping);
        self.tags[record].set(addr.window_base().get());
    }

    /// The local address at which record `record` shows `addr`, or would if it were mapped there.
    ///
    /// # Panics
    /// If there is no such record.
    pub fn local(&self, record: usize, addr: HbmAddr) -> NxAddr {
        let bytes = if record < DYNAMIC_RECORDS { WINDOW_BYTES } else { PINNED_BYTES };
        NxAddr::new(WINDOWS[record].get() + (addr.get() & (bytes - 1)) as u32)
    }

    /// The record whose window has the local address `local`, and the HBM address it shows there.
    pub fn shown_at(&self, local: NxAddr) -> Option<(usize, HbmAddr)> {
        let record = WINDOWS.iter().enumerate().position(|(record, window)| {
            let bytes = if record < DYNAMIC_RECORDS { WINDOW_BYTES } else { PINNED_BYTES };
            u64::from(local.get().wrapping_sub(window.get())) < bytes
        })?;
        let base = match record {
            dynamic if dynamic < DYNAMIC_RECORDS => match self.tags[dynamic].get() {
                NO_MAPPING => return None,
                tag => HbmAddr::new(tag),
            },
            pinned => self.pinned[pinned - DYNAMIC_RECORDS]?,
        };
        let offset = u64::from(local.get() - WINDOWS[record].get());
        base.checked_add(offset).map(|addr| (record, addr))
    }

    /// Count `hits` translations that record `record` answered.
    ///
    /// # Panics
    /// If there is no such record.
    pub fn count_hits(&self, record: usize, hits: u64) {
        self.count(record, WindowCounters { hits, ..WindowCounters::default() });
    }

    /// What was counted so far, one entry a record.
    pub fn counters(&self) -> [WindowCounters; RECORDS] {
        self.counters.each_ref().map(Cell::get)
    }

    fn count(&self, record: usize, more: WindowCounters) {
        let mut counters = self.counters[record].get();
        counters.hits += more.hits;
        counters.misses += more.misses;
        counters.evictions += more.evictions;
        self.counters[record].set(counters);
    }
}

#[cfg(test)]
mod tests;
