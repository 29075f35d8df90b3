//! Going through a mapped window at a steady step: the access that is ready before it is asked for.

use core::cell::Cell;

use super::window::{Located, MappedWindow};

/// The next access of a steady walk through one window, and where it is in this program's memory.
///
/// The hot path of every accessor: two comparisons decide that the access is the expected one and that the window
/// shows it. No access waits for the one before, as what is stored depends on nothing that is loaded but the step.
///
/// Invariant: `end` is 0, or it is the end of a window that is mapped and whose start is at or below `next`, and no
/// sum of an address below `end` and `step` overflows.
#[derive(Debug)]
pub(crate) struct Walk {
    next: Cell<u64>,
    step: Cell<u64>,
    end: Cell<u64>,
    /// What, added to an address in the window, gives the native address; with the window's provenance.
    origin: Cell<*mut u8>,
}

impl Walk {
    pub(crate) const fn new() -> Self {
        Self {
            next: Cell::new(0),
            step: Cell::new(0),
            end: Cell::new(0),
            origin: Cell::new(core::ptr::null_mut()),
        }
    }

    /// The bytes at `addr`, if that is where the walk goes on; then it has gone on.
    #[inline(always)]
    pub(crate) fn go_on(&self, addr: u64) -> Option<Located> {
        if addr == self.next.get() && addr < self.end.get() {
            self.next.set(addr.wrapping_add(self.step.get()));
            // SAFETY: `addr` is `next` and below `end`, so by the invariant the window shows it.
            Some(unsafe { Located::new(self.origin.get().wrapping_add(addr as usize)) })
        } else {
            None
        }
    }

    /// Walk on from the access at `addr` through `window`, `step` bytes at a time. Where that cannot be walked
    /// (on the spot, backwards, or out of the window at once), every access is one that is not expected.
    pub(crate) fn begin(&self, window: &MappedWindow, addr: u64, step: u64) {
        let end = window.end();
        let steady = step > 0
            && step <= i64::MAX as u64
            && end.checked_add(step).is_some()
            && window.locate(addr).is_some();
        self.next.set(addr.wrapping_add(step));
        self.step.set(step);
        self.end.set(if steady { end } else { 0 });
        self.origin.set(window.origin());
    }

    /// The window is not mapped any more.
    pub(crate) fn interrupt(&self) {
        self.end.set(0);
    }

    /// Where the walk goes on.
    pub(crate) fn next(&self) -> u64 {
        self.next.get()
    }
}
