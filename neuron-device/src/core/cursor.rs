//! How an accessor reaches memory: one per accessor and direction.

use core::hint::cold_path;

use super::q7::Q7;
use super::tally::{Class, Tally};
use crate::port::fault::Access;
use crate::port::window::Located;
use crate::words::element::Element;
use crate::words::error::Site;
use crate::words::layout::Layout;

/// Translates, counts and tells. It holds references into the core and nothing that changes,
/// so that an accessor stays in registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    q7: &'a Q7,
    tally: &'a Tally,
}

impl<'a> Cursor<'a> {
    pub(super) const fn new(q7: &'a Q7, tally: &'a Tally) -> Self {
        Self { q7, tally }
    }

    /// The core.
    pub(crate) const fn q7(&self) -> &'a Q7 {
        self.q7
    }

    /// The bytes of the element with this index, if it is the one expected next.
    #[inline(always)]
    pub(crate) fn step_on(self, layout: &Layout, index: u64, site: Site) -> Option<Located> {
        self.tally.step_on(layout, index, site)
    }

    /// Storage offset of the element with this index, in elements; `None` if there is no such element.
    pub(crate) fn go(self, layout: &Layout, index: u64) -> Option<u64> {
        self.tally.go(layout, index)
    }

    /// After the access to element `index` of the layout that [`go`](Self::go) was told, at `addr`: expect the next one.
    pub(crate) fn begin_steps(self, access: Access, bytes: u64, addr: u64, index: u64) {
        self.tally.begin_steps(Class { access, bytes }, addr, index);
    }

    /// Read the element at `addr`. Where there is no memory: poison.
    ///
    /// # Safety
    /// `addr` is a multiple of the element's size.
    #[inline(always)]
    pub(crate) unsafe fn load<T: Element>(self, addr: u64, site: Site) -> T {
        match self.tally.go_on::<T>(addr, site) {
            // SAFETY: aligned by the caller's promise, and nothing was mapped since it was located.
            Some(located) => unsafe { located.load() },
            None => {
                cold_path();
                // SAFETY: the caller's promise is passed on.
                unsafe { self.load_unexpected(addr, site) }
            }
        }
    }

    /// Write the element at `addr`. Where there is no memory: dropped.
    ///
    /// # Safety
    /// `addr` is a multiple of the element's size.
    #[inline(always)]
    pub(crate) unsafe fn store<T: Element>(self, addr: u64, value: T, site: Site) {
        match self.tally.go_on::<T>(addr, site) {
            // SAFETY: as in `load`.
            Some(located) => unsafe { located.store(value) },
            None => {
                cold_path();
                // SAFETY: the caller's promise is passed on.
                unsafe { self.store_unexpected(addr, value, site) }
            }
        }
    }

    /// # Safety
    /// As for [`load`](Self::load).
    #[inline(never)]
    unsafe fn load_unexpected<T: Element>(self, addr: u64, site: Site) -> T {
        if let Some(located) = self.tally.stride_on(addr, site) {
            // SAFETY: as in `load`.
            return unsafe { located.load() };
        }
        cold_path();
        let class = Class { access: Access::Read, bytes: size_of::<T>() as u64 };
        match self.q7.reach(self.tally, class, addr, site) {
            // SAFETY: as in `load`.
            Some(located) => unsafe { located.load() },
            None => T::POISON,
        }
    }

    /// # Safety
    /// As for [`store`](Self::store).
    #[inline(never)]
    unsafe fn store_unexpected<T: Element>(self, addr: u64, value: T, site: Site) {
        if let Some(located) = self.tally.stride_on(addr, site) {
            // SAFETY: as in `load`.
            return unsafe { located.store(value) };
        }
        cold_path();
        let class = Class { access: Access::Write, bytes: size_of::<T>() as u64 };
        if let Some(located) = self.q7.reach(self.tally, class, addr, site) {
            // SAFETY: as in `load`.
            unsafe { located.store(value) }
        }
    }
}
