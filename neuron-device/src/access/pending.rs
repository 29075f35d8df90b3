//! [`Pending`]: a copy that goes on while the core does something else.

use core::fmt;
use core::mem::ManuallyDrop;
use core::panic::Location;

use super::tcm::{TcmBuf, TcmTile};
use super::tensor::Tensor;
use crate::core::q7::Q7;
use crate::core::staging::Copy;
use crate::policy::partition::Span;
use crate::port::fault::Access;
use crate::words::addr::HbmAddr;
use crate::words::element::Element;
use crate::words::error::{Result, Site};

/// A copy by the DMA engine that may not be over. It has the buffer, so that nothing can touch it meanwhile;
/// [`wait`](Self::wait) gives it back.
///
/// One that is never waited for keeps its buffer until the op ends, and is reported: whether its bytes ever arrive is a
/// matter of luck.
///
/// Two buffers, one being filled while the other is worked on:
///
/// ```
/// use neuron_device::{prelude::*, FlatPlatform, Tcm};
/// let (mut memory, mut tcm) = ([0; 64], Tcm::new());
/// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory).with_tcm(&mut tcm), |q7| {
///     let mut x = q7.empty(Dtype::I32, &[50])?;
///     x.write_stream_accessor::<i32>(q7, ..)?.write_from(0..50);
///     let mut tiles = q7.partition_flat(50).tiles(8);
///     let (mut spare, mut sum) = (q7.tcm_malloc::<i32>(8)?, 0);
///     let Some(first) = tiles.next() else { return Ok(()) };
///     let mut coming = x.tensor_to_tcm_async(q7, first, q7.tcm_malloc(8)?)?;
///     for tile in tiles {
///         let next = x.tensor_to_tcm_async(q7, tile, spare)?;
///         let values = coming.wait();
///         sum += values.iter().sum::<i32>();
///         (coming, spare) = (next, values.into_buf());
///     }
///     assert_eq!(sum + coming.wait().iter().sum::<i32>(), 49 * 50 / 2);
///     Ok(())
/// })
/// # .map_err(|error: Error| error.to_string()).unwrap();
/// ```
#[must_use = "a copy that is not waited for may never arrive: call `wait`"]
pub struct Pending<'a, T: Element> {
    /// It is not given back before the copy is over.
    buffer: ManuallyDrop<TcmBuf<'a, T>>,
    len: u32,
    /// Elements that were asked for and do not exist.
    missing: u32,
    /// The copy's number, and its HBM address; `None` if there is nothing to copy.
    copy: Option<(u64, HbmAddr)>,
    site: Site,
}

impl<'a, T: Element> Pending<'a, T> {
    /// Wait until the copy is over, and get the buffer back with the elements that were copied, there or from there.
    #[track_caller]
    pub fn wait(self) -> TcmTile<'a, T> {
        if let Some((number, addr)) = self.copy {
            self.buffer.q7().await_copy(number, addr, Location::caller());
        }
        let mut buffer = ManuallyDrop::into_inner(self.buffer);
        buffer.poison(self.len..self.len + self.missing);
        // SAFETY: the first `len` elements were copied there, or were written before they were copied from there; the
        // missing ones were just written.
        unsafe { TcmTile::new(buffer, self.len + self.missing) }
    }
}

impl<T: Element> fmt::Debug for Pending<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pending({:?}, since {}:{})", *self.buffer, self.site.file(), self.site.line())
    }
}

impl Tensor {
    /// Begin to copy elements `span` of this tensor to TCM, as [`tensor_to_tcm`](Self::tensor_to_tcm) does, by DMA
    /// whatever the copy method is.
    ///
    /// # Errors
    /// As `tensor_to_tcm`; the buffer is given back to the pool then.
    #[track_caller]
    pub fn tensor_to_tcm_async<'b, T: Element>(
        &self,
        q7: &Q7,
        span: Span,
        buffer: TcmBuf<'b, T>,
    ) -> Result<Pending<'b, T>> {
        let site = Location::caller();
        self.expect_contiguous()?;
        self.open_copy::<T>(q7, Access::Read)?;
        self.expect_room(span.len, &buffer)?;
        let len = self.cut(q7, Access::Read, span.offset, span.len.into(), site) as u32;
        let copy = self.start(q7, Access::Read, span.offset, len, &buffer, site);
        Ok(Pending { buffer: buffer.leak(), len, missing: span.len - len, copy, site })
    }

    /// Begin to copy a tile to the elements of this tensor from `offset` on, as [`tcm_to_tensor`](Self::tcm_to_tensor)
    /// does, by DMA whatever the copy method is.
    ///
    /// # Errors
    /// As `tcm_to_tensor`; the buffer is given back to the pool then.
    #[track_caller]
    pub fn tcm_to_tensor_async<'b, T: Element>(
        &mut self,
        q7: &Q7,
        offset: u64,
        tile: TcmTile<'b, T>,
    ) -> Result<Pending<'b, T>> {
        let site = Location::caller();
        self.expect_contiguous()?;
        self.open_copy::<T>(q7, Access::Write)?;
        let held = tile.len() as u32;
        let len = self.cut(q7, Access::Write, offset, held.into(), site) as u32;
        let copy = self.start(q7, Access::Write, offset, len, tile.buffer(), site);
        Ok(Pending { buffer: tile.into_buf().leak(), len: held, missing: 0, copy, site })
    }

    fn start<T: Element>(
        &self,
        q7: &Q7,
        access: Access,
        offset: u64,
        len: u32,
        buffer: &TcmBuf<'_, T>,
        site: Site,
    ) -> Option<(u64, HbmAddr)> {
        let hbm = self.run(access, offset, len.into(), site);
        let copy = Copy { hbm, local: buffer.addr(), element: self.dtype().size(), counted: false };
        (len > 0).then(|| (q7.start_copy(&copy), hbm.start))
    }
}

#[cfg(test)]
mod tests;
