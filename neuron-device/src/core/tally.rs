//! What the accessors of a core counted, the window each last used, and the run each is in the middle of. Kept in the
//! core, so that accessors need no drop glue and a kernel that leaks one loses nothing.

use core::cell::Cell;
use core::hint::cold_path;

use super::place::Place;
use crate::port::fault::Access;
use crate::port::observe::Run;
use crate::port::steps::Steps;
use crate::port::walk::Walk;
use crate::port::window::{Located, MappedWindow};
use crate::words::addr::HbmAddr;
use crate::words::element::Element;
use crate::words::error::Site;
use crate::words::layout::Layout;

/// Accesses after which a run is told, though it may go on.
const LONG: u64 = 1 << 20;
/// Tallies of one class; accessors beyond that many share.
const PER_CLASS: usize = 4;
/// Element sizes: 1, 2, 4, 8 bytes.
const SIZES: usize = 4;
/// Reads and writes of each size.
const CLASSES: usize = 2 * SIZES;

/// The count, window and current run of one accessor, or of a few of the same class.
///
/// A run from element to element is not counted access by access: its length follows from where it began and where it
/// would go on.
#[derive(Debug)]
pub(crate) struct Tally {
    /// The run's next access, and the way to it while its window is mapped and the step is the element's size.
    walk: Walk,
    /// The way to the run's next access while its window is mapped and `place` tells the indices. Then `walk` waits where
    /// these began, and serves nobody.
    steps: Steps,
    /// The author's line the run is from; `None`: there is no run.
    site: Cell<Option<Site>>,
    start: Cell<u64>,
    /// Bytes from one access of the run to the next.
    step: Cell<i64>,
    /// Accesses of a run of another step than the element's size; 0 in any other.
    counted: Cell<u64>,
    /// Accesses of the runs before this one.
    before: Cell<u64>,
    /// Accesses already attributed to a window record.
    settled: Cell<u64>,
    /// The window that served the last access, while its record still shows it; otherwise one that shows nothing.
    window: Cell<MappedWindow>,
    record: Cell<usize>,
    /// Where its accessor is in a tensor, if that goes by flat index.
    place: Place,
}

impl Tally {
    /// All zero, so that a core's tallies are made by one fill.
    const fn new() -> Self {
        Self {
            walk: Walk::new(),
            steps: Steps::new(),
            site: Cell::new(None),
            start: Cell::new(0),
            step: Cell::new(0),
            counted: Cell::new(0),
            before: Cell::new(0),
            settled: Cell::new(0),
            window: Cell::new(MappedWindow::NOTHING),
            record: Cell::new(0),
            place: Place::new(),
        }
    }

    /// The bytes at `addr`, if the run goes on there, from the same place in the source; then it has gone on.
    #[inline(always)]
    pub(crate) fn go_on<T: Element>(&self, addr: u64, site: Site) -> Option<Located> {
        if !self.site.get().is_some_and(|last| core::ptr::eq(last, site)) {
            cold_path();
            return None;
        }
        self.walk.go_on::<T>(addr)
    }

    /// The bytes at `addr`, if a run of another step than the element's size goes on there, in the same window and from
    /// the same place in the source; then it has gone on.
    #[inline(always)]
    pub(crate) fn stride_on(&self, addr: u64, site: Site) -> Option<Located> {
        self.leave_steps();
        let counted = self.counted.get();
        if counted == 0
            || counted >= LONG
            || addr != self.walk.next()
            || !self.site.get().is_some_and(|last| core::ptr::eq(last, site))
        {
            return None;
        }
        let located = self.window.get().locate(addr)?;
        self.counted.set(counted + 1);
        self.walk.leave_at(addr.wrapping_add_signed(self.step.get()));
        Some(located)
    }

    /// The bytes of the element with this index, if the run goes on there, from the same place in the source; then it has
    /// gone on.
    #[inline(always)]
    pub(crate) fn step_on(&self, layout: &Layout, index: u64, site: Site) -> Option<Located> {
        if !self.place.is_in(layout) || !self.site.get().is_some_and(|last| core::ptr::eq(last, site)) {
            cold_path();
            return None;
        }
        self.steps.go_on(index)
    }

    /// Storage offset of the element with this index, in elements; `None` if there is no such element.
    pub(crate) fn go(&self, layout: &Layout, index: u64) -> Option<u64> {
        self.leave_steps();
        self.place.go(layout, index)
    }

    /// After the access to element `index` of the layout, at `addr`: if the run is along the layout, its next accesses
    /// are steps.
    pub(crate) fn begin_steps(&self, class: Class, addr: u64, index: u64) {
        let stretch = self.place.stretch();
        let step = stretch.stride().wrapping_mul(class.bytes);
        if self.site.get().is_some()
            && self.step.get() == step as i64
            && self.walk.next() == addr.wrapping_add(step)
        {
            self.steps.begin(&self.window.get(), addr, step, index, stretch.end());
            if self.steps.expects() {
                self.walk.interrupt();
            }
        }
    }

    /// Expect the run's next access by address again.
    #[inline(always)]
    fn leave_steps(&self) {
        if self.steps.expects() {
            self.end_steps();
        }
    }

    /// Steps are no run of their own: what was gone becomes a part of the run they were a way through.
    #[inline(never)]
    fn end_steps(&self) {
        let (gone, step) = (self.steps.take(), self.step.get());
        let next = self.walk.next().wrapping_add_signed(step.wrapping_mul(gone as i64));
        if self.counted.get() == 0 {
            // The step is the element's size.
            self.walk.begin(&self.window.get(), next.wrapping_sub(step as u64), step as u64);
        } else {
            self.counted.set(self.counted.get() + gone);
            self.walk.leave_at(next);
        }
    }

    /// The window that served the last access, if its record still shows it.
    pub(crate) fn window(&self) -> MappedWindow {
        self.window.get()
    }

    /// The record that served the last access.
    pub(crate) fn record(&self) -> usize {
        self.record.get()
    }

    /// From now on `window`, which record `record` shows, serves. A walk through another is over, as nobody would tell
    /// it that its window goes.
    pub(crate) fn serve(&self, record: usize, window: MappedWindow) {
        self.leave_steps();
        self.walk.interrupt();
        self.record.set(record);
        self.window.set(window);
    }

    /// Is the run so long that it has to be told, though it may go on? One that stays where it is would never end.
    pub(crate) fn is_long(&self, class: Class) -> bool {
        self.run_count(class) >= LONG
    }

    /// Record `record` is mapped elsewhere: its window no longer serves.
    fn evict(&self, record: usize) {
        if self.record.get() == record {
            self.leave_steps();
            self.window.set(MappedWindow::NOTHING);
            self.walk.interrupt();
        }
    }

    /// Accesses made.
    pub(crate) fn count(&self, class: Class) -> u64 {
        self.before.get() + self.run_count(class)
    }

    fn run_count(&self, class: Class) -> u64 {
        self.leave_steps();
        match self.step.get() {
            _ if self.site.get().is_none() => 0,
            step if step == class.bytes as i64 => {
                self.walk.next().wrapping_sub(self.start.get()) >> class.bytes.trailing_zeros()
            }
            _ => self.counted.get(),
        }
    }

    /// Accesses that hit the current record and were not told so yet. The coming access is the miss that mapped the
    /// new record if `missed`.
    pub(crate) fn settle(&self, class: Class, missed: bool) -> u64 {
        let count = self.count(class);
        let hits = count - self.settled.get();
        self.settled.set(count + u64::from(missed));
        hits
    }

    /// An access at `addr` that was not the expected one: the run's next all the same, in another window or from a
    /// copy of the line; or its second, whose distance is the step; or the first of a new run. The run that ended, if
    /// one did.
    pub(crate) fn turn(&self, class: Class, addr: u64, site: Site) -> Option<Run> {
        let count = self.run_count(class);
        let advanced = addr.wrapping_sub(self.start.get()) as i64;
        // The same line may have several `Location`s, one a monomorphic copy.
        let same_site = self.site.get().is_some_and(|last| core::ptr::eq(last, site) || *last == *site);
        let step = if count == 1 { advanced } else { self.step.get() };
        let ended = if same_site && advanced == step.wrapping_mul(count as i64) {
            None
        } else {
            let ended = self.take_run(class);
            self.start.set(addr);
            ended
        };
        let count = if self.site.get().is_some() { count } else { 0 };
        // A first access expects the step of the run before; a fresh tally, or one that stayed, the next element.
        let step = match (count, self.step.get()) {
            (0, 0) => class.bytes as i64,
            (0, last) => last,
            _ => step,
        };
        self.site.set(Some(site));
        self.step.set(step);
        if step == class.bytes as i64 {
            self.walk.begin(&self.window.get(), addr, class.bytes);
            self.counted.set(0);
        } else {
            self.walk.leave_at(addr.wrapping_add_signed(step));
            self.counted.set(count + 1);
        }
        ended
    }

    /// End the run, if there is one.
    pub(crate) fn take_run(&self, class: Class) -> Option<Run> {
        let count = self.run_count(class);
        let site = self.site.take()?;
        self.before.set(self.before.get() + count);
        Some(Run {
            access: class.access,
            start: HbmAddr::new(self.start.get()),
            step: self.step.get(),
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
    all: [[Tally; PER_CLASS]; CLASSES],
    /// How many accessors each class has opened.
    opened: [Cell<u8>; CLASSES],
}

impl Tallies {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self {
            all: [const { [const { Tally::new() }; PER_CLASS] }; CLASSES],
            opened: [const { Cell::new(0) }; CLASSES],
        }
    }

    /// The tally for one more accessor of this class.
    pub(crate) fn open(&self, class: Class) -> &Tally {
        let row = SIZES * class.access as usize + class.bytes.trailing_zeros() as usize;
        let opened = self.opened[row].get();
        // Wrapping keeps the order of turns, as 256 is a multiple of `PER_CLASS`, but must not look unused.
        self.opened[row].set(opened.checked_add(1).unwrap_or(PER_CLASS as u8));
        let tally = &self.all[row][usize::from(opened) % PER_CLASS];
        tally.place.clear();
        tally
    }

    /// A tally of this class, whoever else has it.
    pub(crate) fn any(&self, class: Class) -> &Tally {
        let row = SIZES * class.access as usize + class.bytes.trailing_zeros() as usize;
        self.opened[row].set(self.opened[row].get().max(1));
        &self.all[row][0]
    }

    /// Every tally that was opened, with its class.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Class, &Tally)> {
        self.of(Access::Read).chain(self.of(Access::Write))
    }

    /// Was any opened for this access?
    #[inline]
    pub(crate) fn has(&self, access: Access) -> bool {
        let row = SIZES * access as usize;
        self.opened[row..row + SIZES].iter().fold(0, |any, opened| any | opened.get()) != 0
    }

    /// Every tally that was opened for this access, with its class.
    pub(crate) fn of(&self, access: Access) -> impl Iterator<Item = (Class, &Tally)> {
        (0..SIZES).flat_map(move |size| {
            let row = SIZES * access as usize + size;
            let used = usize::from(self.opened[row].get()).min(PER_CLASS);
            self.all[row][..used].iter().map(move |tally| (Class { access, bytes: 1 << size }, tally))
        })
    }

    /// Record `record` is about to be mapped elsewhere.
    pub(crate) fn evict(&self, record: usize) {
        self.iter().for_each(|(_, tally)| tally.evict(record));
    }
}

#[cfg(test)]
mod tests;
