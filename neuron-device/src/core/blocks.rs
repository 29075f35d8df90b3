//! Blocks of the core's HBM scratch, taken and given back by hand.

use core::panic::Location;

use super::q7::Q7;
use crate::port::fault::Fault;
use crate::words::addr::HbmAddr;
use crate::words::error::{Error, ErrorKind, Result, Site};
use crate::words::heap::HeapName;

/// The stack of an op, on the core's HBM scratch until it is dropped.
#[derive(Debug)]
pub(crate) struct DrawnStack<'q>(&'q Q7);

impl Drop for DrawnStack<'_> {
    fn drop(&mut self) {
        self.0.scratch.borrow_mut().free_stack();
    }
}

impl Q7 {
    /// A stack of `bytes` bytes, context and all, for the op whose author wrote `site`.
    pub(crate) fn draw_stack(
        &self,
        bytes: u64,
        site: Site,
    ) -> core::result::Result<DrawnStack<'_>, ErrorKind> {
        self.scratch.borrow_mut().draw_stack(bytes, site)?;
        Ok(DrawnStack(self))
    }

    /// A block of `bytes` bytes on this core's HBM scratch, at a multiple of `align`, uninitialised (the vendor's
    /// `neuron_hbm_allocate`). It is the kernel's until [`neuron_hbm_free`](Self::neuron_hbm_free); pointers into it are
    /// made by [`Q7Ptr::in_block`](crate::Q7Ptr::in_block). A tensor is the better choice:
    /// [`empty`](Self::empty).
    ///
    /// # Errors
    /// The scratch has no room: [`HeapState`](crate::HeapState) says what holds it. `bytes` is 0, or `align` no power of
    /// two.
    ///
    /// # Safety
    /// On a chip nobody looks after the block: it must not be accessed beyond its `bytes`, before it is written, or after
    /// it is given back. In the simulator each of these is a fault, and so is a block that is never given back.
    ///
    /// ```
    /// use neuron_device::{prelude::*, FlatPlatform, Q7Ptr};
    /// let mut memory = [0; 256];
    /// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory), |q7| {
    ///     // SAFETY: used below, for as many elements, and given back there.
    ///     let block = unsafe { q7.neuron_hbm_allocate(4 * 8, 64) }?;
    ///     let last = Q7Ptr::<f32>::in_block(block).add(7).unwrap();
    ///     // SAFETY: the last of eight elements.
    ///     unsafe { last.store(q7, 2.5) };
    ///     // SAFETY: as above.
    ///     assert_eq!(unsafe { last.load(q7) }, 2.5);
    ///     // SAFETY: allocated above, and not used below.
    ///     unsafe { q7.neuron_hbm_free(block) };
    ///     // SAFETY: not used.
    ///     let error = unsafe { q7.neuron_hbm_allocate(4096, 64) }.unwrap_err();
    ///     assert!(error.to_string().starts_with("`neuron_hbm_allocate` needs 4096 bytes"), "{error}");
    ///     Ok(())
    /// })
    /// # .map_err(|error: Error| error.to_string()).unwrap();
    /// ```
    #[track_caller]
    pub unsafe fn neuron_hbm_allocate(&self, bytes: u64, align: u64) -> Result<HbmAddr> {
        let site = Location::caller();
        let allocated = self.scratch.borrow_mut().allocate_raw(bytes, align, site);
        match allocated {
            Ok(start) => {
                self.observer(|observer| observer.taken(start, bytes, site));
                Ok(start)
            }
            Err(kind) => Err(Error::new(kind).about("neuron_hbm_allocate")),
        }
    }

    /// Give back a block of [`neuron_hbm_allocate`](Self::neuron_hbm_allocate) (the vendor's `neuron_hbm_free`).
    ///
    /// What begins no such block is not given back, which is a fault: [`Fault::BadFree`].
    ///
    /// # Safety
    /// On a chip the block must not be used any more, nor have been given back. In the simulator a breach is a fault and
    /// nothing worse.
    #[track_caller]
    pub unsafe fn neuron_hbm_free(&self, block: HbmAddr) {
        let (heap, addr, site) = (HeapName::HbmScratch, block.get(), Location::caller());
        // What was written there is not told as of the next block there.
        self.tell_all();
        let freed = self.scratch.borrow_mut().free_raw(block);
        match freed {
            Ok(()) => self.observer(|observer| observer.released(block, site)),
            Err(error) => self.fault(&Fault::BadFree { heap, addr, error, site }),
        }
    }
}
