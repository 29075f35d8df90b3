//! What the accessors of a core counted, and the run each is in the middle of. Kept in the core, so that accessors
//! need no drop glue and a kernel that leaks one loses nothing.

use core::cell::Cell;

use crate::policy::window::RECORDS;
use crate::port::fault::Access;
use crate::port::observe::Run;
use crate::words::addr::HbmAddr;
use crate::words::error::Site;

/// Tallies of one class (access × element size); accessors beyond that many share.
const PER_CLASS: usize = 4;
/// Element sizes: 1, 2, 4, 8 bytes.
const SIZES: usize = 4;
const TALLIES: usize = 2 * SIZES * PER_CLASS;

/// The count and the current run of one accessor, or of a few of the same class.
#[derive(Debug)]
pub(crate) struct Tally {
    /// The window record that served the last access; one past the dynamic ones: none yet.
    pub(crate) record: Cell<usize>,
    /// Accesses made.
    pub(crate) count: Cell<u64>,
    /// Accesses already attributed to a window record.
    settled: Cell<u64>,
    /// Where the run goes on.
    next: Cell<u64>,
    step: Cell<u64>,
    start: Cell<u64>,
    /// `count` when the run began.
    began: Cell<u64>,
    site: Cell<Option<Site>>,
}

impl Tally {
    const fn new() -> Self {
        Self {
            record: Cell::new(RECORDS - 2),
            count: Cell::new(0),
            settled: Cell::new(0),
            next: Cell::new(0),
            step: Cell::new(0),
            start: Cell::new(0),
            began: Cell::new(0),
            site: Cell::new(None),
        }
    }

    /// Accesses that hit the current record and were not told so yet. The coming access is the miss that mapped the
    /// new record if `missed`.
    pub(crate) fn settle(&self, missed: bool) -> u64 {
        let count = self.count.get();
        let hits = count - self.settled.get();
        self.settled.set(count + u64::from(missed));
        hits
    }

    /// Does the run go on at `addr`, from the same place in the source? Then it does.
    #[inline(always)]
    pub(crate) fn goes_on(&self, addr: u64, site: Site) -> bool {
        let expected = self.next.get() == addr && self.site.get().is_some_and(|last| core::ptr::eq(last, site));
        if expected {
            self.next.set(addr.wrapping_add(self.step.get()));
        }
        expected
    }

    /// The run does not simply go on: take `addr` as its second access, whose distance is the step; or end it, give
    /// it back, and begin another.
    pub(crate) fn turn(&self, class: Class, addr: u64, site: Site) -> Option<Run> {
        // The same line may have several `Location`s, one a monomorphic copy.
        let same_site = self.site.get().is_some_and(|last| *last == *site);
        let made = self.count.get() - self.began.get();
        if same_site && (made == 1 || (made > 1 && self.next.get() == addr)) {
            if made == 1 {
                self.step.set(addr.wrapping_sub(self.start.get()));
            }
            self.site.set(Some(site));
            self.next.set(addr.wrapping_add(self.step.get()));
            return None;
        }
        let ended = self.take_run(class);
        self.start.set(addr);
        // A fresh tally expects the next element; later ones expect the step of the run before.
        if self.step.get() == 0 {
            self.step.set(class.bytes);
        }
        self.next.set(addr.wrapping_add(self.step.get()));
        self.site.set(Some(site));
        ended
    }

    /// End the run, if there is one.
    pub(crate) fn take_run(&self, class: Class) -> Option<Run> {
        let count = self.count.get() - self.began.replace(self.count.get());
        let site = self.site.take()?;
        (count > 0).then(|| Run {
            access: class.access,
            start: HbmAddr::new(self.start.get()),
            step: self.step.get() as i64,
            count,
            bytes: class.bytes,
            site,
        })
    }
}

/// What the accesses of one tally have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Class {
    pub(crate) access: Access,
    pub(crate) bytes: u64,
}

/// All tallies of a core.
#[derive(Debug)]
pub(crate) struct Tallies {
    all: [Tally; TALLIES],
    /// How many accessors each class has opened.
    opened: [Cell<u8>; 2 * SIZES],
}

impl Tallies {
    pub(crate) const fn new() -> Self {
        Self { all: [const { Tally::new() }; TALLIES], opened: [const { Cell::new(0) }; 2 * SIZES] }
    }

    /// The tally for one more accessor of this class.
    pub(crate) fn open(&self, class: Class) -> &Tally {
        let row = SIZES * class.access as usize + class.bytes.trailing_zeros() as usize;
        let opened = self.opened[row].get();
        // Wrapping past 255 keeps the order of turns, as 256 is a multiple of `PER_CLASS`, but must not look unused.
        self.opened[row].set(opened.checked_add(1).unwrap_or(PER_CLASS as u8));
        &self.all[row * PER_CLASS + usize::from(opened) % PER_CLASS]
    }

    /// Every tally that was opened, with its class.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Class, &Tally)> {
        self.opened.iter().enumerate().flat_map(|(row, opened)| {
            let access = if row < SIZES { Access::Read } else { Access::Write };
            let class = Class { access, bytes: 1 << (row % SIZES) };
            let used = usize::from(opened.get()).min(PER_CLASS);
            self.all[row * PER_CLASS..][..used].iter().map(move |tally| (class, tally))
        })
    }
}

#[cfg(test)]
mod tests;
