//! How an accessor reaches memory: one per accessor and direction.

use core::fmt;

use super::q7::Q7;
use super::tally::Tally;
use crate::port::fault::Access;
use crate::port::window::Located;
use crate::words::element::Element;
use crate::words::error::Site;

/// Translates, counts and, when somebody watches, tells. It holds references into the core and nothing that changes,
/// so that an accessor stays in registers.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'a> {
    q7: &'a Q7,
    tally: &'a Tally,
    watched: bool,
}

impl<'a> Cursor<'a> {
    pub(super) const fn new(q7: &'a Q7, tally: &'a Tally, watched: bool) -> Self {
        Self { q7, tally, watched }
    }

    /// The core.
    pub(crate) const fn q7(&self) -> &'a Q7 {
        self.q7
    }

    /// Read the element at `addr`, a multiple of its size. Where there is no memory: poison.
    #[inline(always)]
    pub(crate) fn load<T: Element>(&self, addr: u64, site: Site) -> T {
        match self.reach::<T>(Access::Read, addr, site) {
            // SAFETY: `addr` is a multiple of the element's size, and nothing was mapped since it was located.
            Some(located) => unsafe { located.load() },
            None => T::POISON,
        }
    }

    /// Write the element at `addr`, a multiple of its size. Where there is no memory: dropped.
    #[inline(always)]
    pub(crate) fn store<T: Element>(&self, addr: u64, value: T, site: Site) {
        if let Some(located) = self.reach::<T>(Access::Write, addr, site) {
            // SAFETY: as in `load`.
            unsafe { located.store(value) }
        }
    }

    /// Translate, tell and count one access.
    #[inline(always)]
    fn reach<T: Element>(&self, access: Access, addr: u64, site: Site) -> Option<Located> {
        let located = match self.q7.reach(self.tally, addr) {
            Some(located) => located,
            None => self.q7.reach_anew(self.tally, addr, site)?,
        };
        if self.watched && !self.tally.goes_on(addr, site) {
            self.q7.turn(self.tally, access, size_of::<T>() as u64, addr, site);
        }
        self.tally.count.set(self.tally.count.get() + 1);
        Some(located)
    }
}

impl fmt::Debug for Cursor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cursor").field("watched", &self.watched).finish_non_exhaustive()
    }
}
