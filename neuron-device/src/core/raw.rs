//! The raw layer: accesses at local addresses and fences, as a port of a C++ kernel makes them.

use core::panic::Location;

use super::q7::Q7;
use super::tally::Class;
use crate::port::fault::{Access, Fault};
use crate::port::observe::{RawPath, Run, Staged, Wants};
use crate::port::window::Located;
use crate::words::addr::{Band, HbmAddr, NxAddr};
use crate::words::element::Element;
use crate::words::error::Site;

impl Q7 {
    /// Read the element at a local address: whatever the window there shows now, which may no longer be what
    /// [`translate`](Self::translate) gave the address for (`docs/machine.md`, section 4).
    ///
    /// At an address in TCM, the element there.
    ///
    /// A fault, and [`Element::POISON`]: an address that is no multiple of the element's size, or where no window of this
    /// core shows HBM. The simulator also finds addresses used too late, and those outside the tensor they were
    /// translated for.
    ///
    /// # Safety
    /// On a chip `local` must come from a translation on this core that was its last, or be in a block of TCM, and be an
    /// element of type `T`. In the simulator a breach is a fault and nothing worse; but no element of TCM that a slice or
    /// a stream owns must be written.
    ///
    /// ```
    /// use neuron_device::{prelude::*, FlatPlatform};
    /// let mut memory = [0; 64];
    /// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory), |q7| {
    ///     let x = q7.empty(Dtype::F32, &[4])?;
    ///     let local = q7.translate(x.storage());
    ///     // SAFETY: just translated, and `x` is of f32.
    ///     unsafe { q7.store_nx(local, 2.5_f32) };
    ///     assert_eq!(x.elements::<f32>(q7)?.get(0), 2.5);
    ///     // SAFETY: as above; `get` found its window mapped.
    ///     assert_eq!(unsafe { q7.load_nx::<f32>(local) }, 2.5);
    ///     Ok(())
    /// })
    /// # .map_err(|error: Error| error.to_string()).unwrap();
    /// ```
    #[track_caller]
    pub unsafe fn load_nx<T: Element>(&self, local: NxAddr) -> T {
        match self.locate_nx::<T>(Access::Read, local, Location::caller()) {
            // SAFETY: aligned, and nothing was mapped since.
            Some(located) => unsafe { located.load() },
            None => T::POISON,
        }
    }

    /// Write the element at a local address; see [`load_nx`](Self::load_nx). After a fault nothing is written.
    ///
    /// # Safety
    /// As for `load_nx`.
    #[track_caller]
    pub unsafe fn store_nx<T: Element>(&self, local: NxAddr, value: T) {
        if let Some(located) = self.locate_nx::<T>(Access::Write, local, Location::caller()) {
            // SAFETY: as in `load_nx`.
            unsafe { located.store(value) }
        }
    }

    /// Order every access made before ahead of every one made after (`memw`: `docs/machine.md`, sections 4 and 7).
    ///
    /// No kernel needs it on the documented machine: a core sees what it wrote, a copy fences before its doorbells are rung
    /// and is over when it was waited for, and the op fences when it ends. It is for machines on which a copy is done before
    /// its bytes can be seen; the simulator can be one.
    ///
    /// ```
    /// use neuron_device::{prelude::*, FlatPlatform, Tcm};
    /// let (mut memory, mut tcm) = ([0; 64], Tcm::new());
    /// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory).with_tcm(&mut tcm), |q7| {
    ///     let mut x = q7.empty(Dtype::I32, &[4])?;
    ///     x.tcm_to_tensor(q7, 0, q7.tcm_malloc::<i32>(4)?.fill(3))?;
    ///     q7.fence();
    ///     assert_eq!(x.elements::<i32>(q7)?.get(2), 3);
    ///     Ok(())
    /// })
    /// # .map_err(|error: Error| error.to_string()).unwrap();
    /// ```
    pub fn fence(&self) {
        self.tell_timed(|| Staged::Fenced);
        self.platform(|platform| platform.fence());
    }

    /// The bytes of HBM, SBUF or TCM at a local address, aligned to an element.
    fn locate_nx<T: Element>(&self, access: Access, local: NxAddr, site: Site) -> Option<Located> {
        let bytes = size_of::<T>() as u64;
        if !u64::from(local.get()).is_multiple_of(bytes) {
            self.fault(&Fault::Misaligned { access, addr: local.get().into(), bytes, site });
            return None;
        }
        if local.band() == Band::Dataram {
            return self.locate_in_tcm(access, local, bytes, site);
        }
        let found = self.windows.shown_at(local).and_then(|(record, addr)| {
            self.windows.mapping(record).locate(addr.get()).map(|located| (addr, located))
        });
        let Some((addr, located)) = found else {
            self.fault(&Fault::NoWindow { access, local, site });
            return None;
        };
        self.may_access(RawPath::Local(local), access, addr, bytes, site).then(|| {
            let (loads, stores) = self.local_accesses.get();
            self.local_accesses.set(match access {
                Access::Read => (loads + 1, stores),
                Access::Write => (loads, stores + 1),
            });
            self.tell(&Run { access, start: addr, step: bytes as i64, count: 1, bytes, site });
            if self.wants > Wants::Nothing {
                self.observer(|observer| observer.checkpoint());
            }
            located
        })
    }

    /// The bytes of TCM at a local address, aligned to an element.
    fn locate_in_tcm(&self, access: Access, local: NxAddr, bytes: u64, site: Site) -> Option<Located> {
        if !self.in_tcm(access, local, bytes, site) {
            return None;
        }
        let mut may = true;
        self.observer(|observer| may = observer.raw_tcm_access(access, local, bytes, site));
        let located = self.staging.dataram.locate(local, bytes).filter(|_| may)?;
        self.staging.count(|counters| match access {
            Access::Read => counters.tcm_loads += 1,
            Access::Write => counters.tcm_stores += 1,
        });
        Some(located)
    }

    /// May this element be accessed? Who watches the core says so.
    pub(crate) fn may_access(
        &self,
        path: RawPath,
        access: Access,
        addr: HbmAddr,
        bytes: u64,
        site: Site,
    ) -> bool {
        let mut may = true;
        self.observer(|observer| may = observer.raw_access(path, access, addr, bytes, site));
        may
    }

    /// Read the element at `addr` through a pointer derived from `context`.
    pub(crate) fn load_through<T: Element>(&self, addr: Option<HbmAddr>, context: u32, site: Site) -> T {
        match self.aligned::<T>(Access::Read, addr, context, site) {
            Some(addr) => {
                let class = Class { access: Access::Read, bytes: size_of::<T>() as u64 };
                // SAFETY: `aligned` looked.
                unsafe { self.pointers(class).load(addr.get(), site) }
            }
            None => T::POISON,
        }
    }

    /// Write the element at `addr` through a pointer derived from `context`.
    pub(crate) fn store_through<T: Element>(
        &self,
        addr: Option<HbmAddr>,
        context: u32,
        value: T,
        site: Site,
    ) {
        if let Some(addr) = self.aligned::<T>(Access::Write, addr, context, site) {
            let class = Class { access: Access::Write, bytes: size_of::<T>() as u64 };
            // SAFETY: `aligned` looked.
            unsafe { self.pointers(class).store(addr.get(), value, site) }
        }
    }

    /// The address of an element a pointer may access.
    fn aligned<T: Element>(
        &self,
        access: Access,
        addr: Option<HbmAddr>,
        context: u32,
        site: Site,
    ) -> Option<HbmAddr> {
        let bytes = size_of::<T>() as u64;
        let Some(addr) = addr else {
            self.fault(&Fault::NullPointer { access, site });
            return None;
        };
        if !addr.is_aligned_to(bytes) {
            self.fault(&Fault::Misaligned { access, addr: addr.get(), bytes, site });
            return None;
        }
        self.may_access(RawPath::Pointer { context }, access, addr, bytes, site).then_some(addr)
    }
}
