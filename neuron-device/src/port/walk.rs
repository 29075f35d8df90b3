//! Going through a mapped window element by element: the access that is ready before it is asked for.

use core::cell::Cell;
use core::hint::cold_path;

use super::window::{Located, MappedWindow};
use crate::words::element::Element;

/// The next access of a walk through one window, and where it is in this program's memory.
///
/// The hot path of every accessor: two comparisons decide that the access is the expected one and that the window shows
/// it. It costs what it loads, so it knows one step, the element's size; its owner counts other steps, out of line.
///
/// Invariant: `end` is 0, or it is the end of a window that is mapped and whose start is at or below `next`.
#[derive(Debug)]
pub(crate) struct Walk {
    next: Cell<u64>,
    end: Cell<u64>,
    /// What, added to an address in the window, gives the native address; with the window's provenance.
    origin: Cell<*mut u8>,
}

impl Walk {
    pub(crate) const fn new() -> Self {
        Self { next: Cell::new(0), end: Cell::new(0), origin: Cell::new(core::ptr::null_mut()) }
    }

    /// The bytes at `addr`, if that is where the walk goes on; then it has gone on, to the next element of type `T`.
    #[inline(always)]
    pub(crate) fn go_on<T: Element>(&self, addr: u64) -> Option<Located> {
        // Two returns rather than one condition: the compiler then lays the hot path out in one piece.
        if addr != self.next.get() {
            cold_path();
            return None;
        }
        if addr >= self.end.get() {
            cold_path();
            return None;
        }
        // A window ends in the 64-bit space, so at worst this is its end.
        self.next.set(addr.wrapping_add(size_of::<T>() as u64));
        // SAFETY: `addr` is `next` and below `end`, so by the invariant the window shows it.
        Some(unsafe { Located::new(self.origin.get().wrapping_add(addr as usize)) })
    }

    /// Walk on behind the access at `addr`, an element of `bytes` bytes, as far as `window` goes.
    pub(crate) fn begin(&self, window: &MappedWindow, addr: u64, bytes: u64) {
        self.next.set(addr.wrapping_add(bytes));
        self.end.set(if window.locate(addr).is_some() { window.end() } else { 0 });
        self.origin.set(window.origin());
    }

    /// The run goes on at `addr`, but not by this walk: its step is another than the element's size.
    pub(crate) fn leave_at(&self, addr: u64) {
        self.interrupt();
        self.next.set(addr);
    }

    /// Every access from here on is one that is not expected: the window is mapped elsewhere, or the step is another.
    pub(crate) fn interrupt(&self) {
        self.end.set(0);
    }

    /// Where the walk goes on, or would.
    pub(crate) fn next(&self) -> u64 {
        self.next.get()
    }
}
