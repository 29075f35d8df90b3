//! `neuron_memcpy` and the TCM heap, as ports of C++ kernels use them.

use core::panic::Location;

use super::ptr::Q7Ptr;
use crate::core::q7::Q7;
use crate::core::staging::Copy;
use crate::port::fault::{Access, Fault};
use crate::port::observe::{RawPath, Run};
use crate::words::addr::{HbmAddr, NxAddr};
use crate::words::error::{Error, Result, Site};
use crate::words::method::CopyMethod;

/// One end of a [`neuron_memcpy`](Q7::neuron_memcpy): a pointer into HBM, or a local address.
///
/// ```
/// use neuron_device::{CopyEnd, HbmAddr, NxAddr, Q7Ptr};
/// let hbm: CopyEnd = Q7Ptr::<f32>::new(HbmAddr::new(64)).into();
/// let local: CopyEnd = NxAddr::new(0x0008_0000).into();
/// assert_ne!(hbm, local);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CopyEnd {
    /// HBM.
    Hbm(Q7Ptr<u8>),
    /// The core's own memory.
    Local(NxAddr),
}

impl<T> From<Q7Ptr<T>> for CopyEnd {
    fn from(pointer: Q7Ptr<T>) -> Self {
        Self::Hbm(pointer.cast())
    }
}

impl From<NxAddr> for CopyEnd {
    fn from(local: NxAddr) -> Self {
        Self::Local(local)
    }
}

impl Q7 {
    /// Copies are made so from here on: by [`neuron_memcpy`](Self::neuron_memcpy), streams, and staging. The default is
    /// DMA. [`CopyMethod::try_from`] takes the vendor's numbers, and refuses those that are none.
    ///
    /// ```
    /// use neuron_device::{prelude::*, CopyMethod, FlatPlatform, Tcm};
    /// let (mut memory, mut tcm) = ([0; 64], Tcm::new());
    /// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory).with_tcm(&mut tcm), |q7| {
    ///     let mut x = q7.empty(Dtype::I32, &[4])?;
    ///     q7.set_memcpy_method(CopyMethod::VecMemcpy);
    ///     x.write_stream_accessor::<i32>(q7, ..)?.write_from([1, 2, 3, 4]);
    ///     assert_eq!(x.elements::<i32>(q7)?.get(3), 4);
    ///     Ok(())
    /// })
    /// # .map_err(|error: Error| error.to_string()).unwrap();
    /// ```
    pub fn set_memcpy_method(&self, method: CopyMethod) {
        self.staging.method.set(method);
    }

    /// Copy `bytes` bytes between HBM and TCM, and wait until they are there.
    ///
    /// A fault, and nothing copied: the null pointer, a local address that is not in the core's TCM pool with all of its
    /// bytes, no memory. The simulator also finds a pointer that leaves its tensor.
    ///
    /// # Errors
    /// Both ends are in HBM, or both are local.
    ///
    /// # Safety
    /// The bytes are of tensors of this launch and of blocks of TCM the author allocated, which no copy is under way to or
    /// from and no slice or stream is of. A breach of the first is a fault in the simulator, and nothing worse; a slice must
    /// not change under its owner's hands.
    ///
    /// ```
    /// use neuron_device::{prelude::*, FlatPlatform, Tcm};
    /// let (mut memory, mut tcm) = ([0; 64], Tcm::new());
    /// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory).with_tcm(&mut tcm), |q7| {
    ///     let mut x = q7.empty(Dtype::I32, &[4])?;
    ///     x.elements_mut::<i32>(q7)?.set(2, 7);
    ///     let third = x.q7_data_ptr::<i32>()?.add(2).unwrap();
    ///     // SAFETY: one element of `x`, to a block of 4 bytes, which nothing else uses.
    ///     let value = unsafe {
    ///         let block = q7.neuron_dataram_allocate(4, 4)?;
    ///         q7.neuron_memcpy(block, third, 4)?;
    ///         let value = q7.load_nx::<i32>(block);
    ///         q7.neuron_dataram_free(block);
    ///         value
    ///     };
    ///     assert_eq!(value, 7);
    ///     Ok(())
    /// })
    /// # .map_err(|error: Error| error.to_string()).unwrap();
    /// ```
    #[track_caller]
    pub unsafe fn neuron_memcpy(
        &self,
        to: impl Into<CopyEnd>,
        from: impl Into<CopyEnd>,
        bytes: u32,
    ) -> Result<()> {
        if let Some(copy) = self.raw_copy(to.into(), from.into(), bytes)? {
            self.copy(self.staging.method.get(), &copy);
        }
        Ok(())
    }

    /// Begin a [`neuron_memcpy`](Self::neuron_memcpy) by DMA, which is over when
    /// [`neuron_memcpy_wait`](Self::neuron_memcpy_wait) was called with the number given back; `None` if there is nothing
    /// to wait for. Of more than four under way, the oldest is waited for here.
    ///
    /// # Errors
    /// As `neuron_memcpy`.
    ///
    /// # Safety
    /// As for `neuron_memcpy`; and until it is waited for, its bytes of TCM and HBM are left alone, and its block is not
    /// freed.
    #[track_caller]
    pub unsafe fn neuron_memcpy_async(
        &self,
        to: impl Into<CopyEnd>,
        from: impl Into<CopyEnd>,
        bytes: u32,
    ) -> Result<Option<u64>> {
        let copy = self.raw_copy(to.into(), from.into(), bytes)?;
        Ok(copy.map(|copy| self.start_copy(&copy)))
    }

    /// Wait for the copy of this number. A number that no copy has, yet, is a fault.
    ///
    /// ```
    /// use neuron_device::{prelude::*, FlatPlatform, Tcm};
    /// let (mut memory, mut tcm) = ([0; 64], Tcm::new());
    /// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory).with_tcm(&mut tcm), |q7| {
    ///     let mut x = q7.empty(Dtype::I32, &[4])?;
    ///     let buffer = q7.tcm_malloc::<i32>(4)?.filled_with(5);
    ///     // SAFETY: the four elements of `x`, from the four of `buffer`, which is left alone until the copy is over.
    ///     let copy = unsafe { q7.neuron_memcpy_async(x.q7_data_ptr::<i32>()?, buffer.addr(), 16)? };
    ///     copy.into_iter().for_each(|copy| q7.neuron_memcpy_wait(copy));
    ///     assert_eq!(x.elements::<i32>(q7)?.get(3), 5);
    ///     Ok(())
    /// })
    /// # .map_err(|error: Error| error.to_string()).unwrap();
    /// ```
    #[track_caller]
    pub fn neuron_memcpy_wait(&self, copy: u64) {
        self.await_raw_copy(copy, Location::caller());
    }

    /// A block of `bytes` bytes of TCM at a multiple of `align`, a power of two, as a local address. It is given back by
    /// [`neuron_dataram_free`](Self::neuron_dataram_free), or when the op ends, which is a leak.
    ///
    /// # Errors
    /// `bytes` is 0, `align` no power of two, or no hole is large enough.
    #[track_caller]
    pub fn neuron_dataram_allocate(&self, bytes: u32, align: u32) -> Result<NxAddr> {
        match self.tcm_allocate_raw(bytes.into(), align.into(), Location::caller()) {
            Ok(local) => Ok(local),
            Err(kind) => Err(Error::new(kind)),
        }
    }

    /// Give back a block of TCM. An address that is none's, or was given back before, is a fault.
    ///
    /// # Safety
    /// Nothing uses the block any more: it is of [`neuron_dataram_allocate`](Self::neuron_dataram_allocate), and of no
    /// [`TcmBuf`](crate::TcmBuf).
    #[track_caller]
    pub unsafe fn neuron_dataram_free(&self, block: NxAddr) {
        self.tcm_free_raw(block, Location::caller());
    }

    /// The copy between these ends, if there is anything to copy and it may be made.
    #[track_caller]
    fn raw_copy(&self, to: CopyEnd, from: CopyEnd, bytes: u32) -> Result<Option<Copy>> {
        let site = Location::caller();
        let (access, pointer, local) = match (to, from) {
            (CopyEnd::Local(local), CopyEnd::Hbm(pointer)) => (Access::Read, pointer, local),
            (CopyEnd::Hbm(pointer), CopyEnd::Local(local)) => (Access::Write, pointer, local),
            (CopyEnd::Hbm(_), CopyEnd::Hbm(_)) => {
                return Err(Error::message("a copy from HBM to HBM goes by way of TCM: make it two copies"));
            }
            (CopyEnd::Local(_), CopyEnd::Local(_)) => {
                return Err(Error::message(
                    "both ends of the copy are local: one must be a pointer into HBM",
                ));
            }
        };
        if bytes == 0 {
            return Ok(None);
        }
        Ok(self.judged(access, pointer, local, bytes.into(), site))
    }

    fn judged(
        &self,
        access: Access,
        pointer: Q7Ptr<u8>,
        local: NxAddr,
        bytes: u64,
        site: Site,
    ) -> Option<Copy> {
        let Some(addr) = pointer.addr() else {
            self.fault(&Fault::NullPointer { access, site });
            return None;
        };
        if !self.in_tcm(access, local, bytes, site) {
            return None;
        }
        let path = RawPath::Copy { context: pointer.context() };
        if !self.may_access(path, access, addr, bytes, site) {
            return None;
        }
        // What a copy from HBM does to TCM is a write there.
        let there = if access == Access::Read { Access::Write } else { Access::Read };
        let mut may = true;
        self.observer(|observer| may = observer.raw_tcm_access(there, local, bytes, site));
        let hbm = Run { access, start: HbmAddr::new(addr.get()), step: bytes as i64, count: 1, bytes, site };
        may.then_some(Copy { hbm, local, element: 1, counted: true })
    }
}

#[cfg(test)]
mod tests;
