//! Going through a mapped window by number: evenly spaced elements, whatever lies between.

use core::cell::Cell;
use core::hint::cold_path;

use super::window::{Located, MappedWindow};

/// Where the next of some evenly spaced elements is in this program's memory, by the number that counts them.
///
/// What a [`Walk`](super::walk::Walk) is to addresses. As numbers follow one another whatever the distance of the
/// elements is, it costs the same for every distance.
///
/// Invariant: `end` is 0, or a window is mapped that shows every element behind `last` and before `end`, the first of
/// them at `native` and each `step` bytes from the one before.
#[derive(Debug)]
pub(crate) struct Steps {
    /// The number of the element before. Not the next one's: compilers would add 1 to a loop's number early then, also
    /// for the accesses that are not steps.
    last: Cell<u64>,
    end: Cell<u64>,
    native: Cell<*mut u8>,
    step: Cell<usize>,
    /// What `last` was when the steps so far were taken.
    taken: Cell<u64>,
}

impl Steps {
    pub(crate) const fn new() -> Self {
        Self {
            last: Cell::new(0),
            end: Cell::new(0),
            native: Cell::new(core::ptr::null_mut()),
            step: Cell::new(0),
            taken: Cell::new(0),
        }
    }

    /// The bytes of element `number`, if it is the next; then it has gone on.
    #[inline(always)]
    pub(crate) fn go_on(&self, number: u64) -> Option<Located> {
        if number.wrapping_sub(1) != self.last.get() {
            cold_path();
            return None;
        }
        if number >= self.end.get() {
            cold_path();
            return None;
        }
        self.last.set(number);
        let native = self.native.get();
        self.native.set(native.wrapping_add(self.step.get()));
        // SAFETY: `number` is behind `last` and before `end`, so by the invariant the window shows it, at `native`.
        Some(unsafe { Located::new(native) })
    }

    /// Go on behind element `number`, at `addr` in `window`, to those before number `end`, each `step` bytes from the
    /// one before, as far as the window goes.
    pub(crate) fn begin(&self, window: &MappedWindow, addr: u64, step: u64, number: u64, end: u64) {
        let wanted = end.saturating_sub(number + 1);
        let fitting = match (window.locate(addr), wanted.checked_mul(step)) {
            (None, _) => 0,
            (Some(_), Some(reach)) if reach < window.end() - addr => wanted,
            // Here `step` is not 0.
            (Some(_), _) => (window.end() - 1 - addr) / step,
        };
        self.last.set(number);
        self.taken.set(number);
        self.end.set(if fitting > 0 { number + 1 + fitting } else { 0 });
        self.step.set(step as usize);
        self.native.set(window.origin().wrapping_add(addr as usize).wrapping_add(step as usize));
    }

    /// Is an element expected?
    #[inline(always)]
    pub(crate) fn expects(&self) -> bool {
        self.end.get() != 0
    }

    /// No element is expected from here on: the window is mapped elsewhere, or somebody goes on in another way. How many
    /// steps were gone since the beginning.
    pub(crate) fn take(&self) -> u64 {
        self.end.set(0);
        self.last.get() - self.taken.replace(self.last.get())
    }
}

#[cfg(test)]
mod tests;
