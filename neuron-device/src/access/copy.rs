//! Copies between tensors and TCM buffers, in elements and in storage order.

use core::panic::Location;

use super::tcm::TcmBuf;
use super::tensor::Tensor;
use crate::core::q7::Q7;
use crate::core::staging::Copy;
use crate::core::tally::Class;
use crate::policy::partition::Span;
use crate::port::fault::{Access, Fault, Index, OutOfBounds, Verdict};
use crate::port::observe::Run;
use crate::words::addr::{HbmAddr, NxAddr};
use crate::words::element::Element;
use crate::words::error::{ErrorKind, Result, Site, Sizes};

impl Tensor {
    /// Copy elements `span` of this tensor to TCM, and give them as a slice (the vendor's `tensor_to_tcm`).
    ///
    /// Elements past the tensor's end are a fault, and come as [`POISON`](Element::POISON); nothing is transferred for
    /// them, and none for no elements.
    ///
    /// # Errors
    /// The dtype is not `T`'s; the tensor belongs to another launch, or is not contiguous; the buffer is too small.
    ///
    /// ```
    /// use neuron_device::{prelude::*, FlatPlatform, Tcm};
    /// # #[custom_op]
    /// # fn shown(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    /// let mut buffer = q7.tcm_malloc::<f32>(1024)?;
    /// for tile in q7.partition_flat(x.numel()).tiles(1024) {
    ///     let values = x.tensor_to_tcm(q7, tile, &mut buffer)?;
    ///     values.iter_mut().for_each(|value| *value *= 2.0);
    ///     out.tcm_to_tensor(q7, tile.offset, values)?;
    /// }
    /// #     Ok(())
    /// # }
    /// ```
    #[track_caller]
    pub fn tensor_to_tcm<'b, T: Element>(
        &self,
        q7: &Q7,
        span: Span,
        buffer: &'b mut TcmBuf<'_, T>,
    ) -> Result<&'b mut [T]> {
        self.expect_contiguous()?;
        self.tensor_to_tcm_storage_order(q7, span, buffer)
    }

    /// As [`tensor_to_tcm`](Self::tensor_to_tcm), of a tensor of any strides: `span` counts elements of the storage from
    /// the tensor's first one on, in the order in which they lie there, and those between the tensor's own too.
    ///
    /// # Errors
    /// As `tensor_to_tcm`, but for contiguity.
    ///
    /// ```
    /// use neuron_device::{prelude::*, FlatPlatform, Tcm};
    /// let (mut memory, mut tcm) = ([0; 64], Tcm::new());
    /// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory).with_tcm(&mut tcm), |q7| {
    ///     let mut x = q7.empty(Dtype::I32, &[2, 3])?;
    ///     let mut buffer = q7.tcm_malloc(6)?;
    ///     x.tcm_to_tensor(q7, 0, buffer.write_from([0, 1, 2, 3, 4, 5]))?;
    ///     let columns = x.transpose(0, 1)?;
    ///     let all = Span { offset: 0, len: 6 };
    ///     assert!(columns.tensor_to_tcm(q7, all, &mut buffer).is_err());
    ///     assert_eq!(columns.tensor_to_tcm_storage_order(q7, all, &mut buffer)?, [0, 1, 2, 3, 4, 5]);
    ///     Ok(())
    /// })
    /// # .map_err(|error: Error| error.to_string()).unwrap();
    /// ```
    #[track_caller]
    pub fn tensor_to_tcm_storage_order<'b, T: Element>(
        &self,
        q7: &Q7,
        span: Span,
        buffer: &'b mut TcmBuf<'_, T>,
    ) -> Result<&'b mut [T]> {
        let site = Location::caller();
        self.open_copy::<T>(q7, Access::Read)?;
        self.expect_room(span.len, buffer)?;
        let len = self.copy_in(q7, span, buffer.addr(), site);
        buffer.poison(len..span.len);
        // SAFETY: the first `len` were copied, or are in a place that faulted and hold whatever bits are there; the others
        // were just written; `expect_room` counted.
        Ok(unsafe { buffer.slice_mut(span.len) })
    }

    /// Copy `values`, a slice in TCM, to the elements of this tensor from `offset` on (the vendor's `tcm_to_tensor`).
    ///
    /// Elements past the tensor's end are a fault, and are dropped; nothing is transferred for them, and none for no
    /// elements.
    ///
    /// # Errors
    /// The dtype is not `T`'s; the tensor belongs to another launch, is an input or a view of one, or is not contiguous;
    /// `values` is not in TCM.
    ///
    /// ```
    /// use neuron_device::{prelude::*, FlatPlatform, Tcm};
    /// let (mut memory, mut tcm) = ([0; 64], Tcm::new());
    /// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory).with_tcm(&mut tcm), |q7| {
    ///     let mut x = q7.empty(Dtype::I32, &[4])?;
    ///     let mut buffer = q7.tcm_malloc(4)?;
    ///     x.tcm_to_tensor(q7, 0, buffer.fill(7))?;
    ///     let error = x.tcm_to_tensor(q7, 0, &[7; 4]).unwrap_err();
    ///     assert!(error.to_string().contains("not in the core's TCM"));
    ///     Ok(())
    /// })
    /// # .map_err(|error: Error| error.to_string()).unwrap();
    /// ```
    #[track_caller]
    pub fn tcm_to_tensor<T: Element>(&mut self, q7: &Q7, offset: u64, values: &[T]) -> Result<()> {
        self.expect_contiguous()?;
        self.tcm_to_tensor_storage_order(q7, offset, values)
    }

    /// As [`tcm_to_tensor`](Self::tcm_to_tensor), of a tensor of any strides; see
    /// [`tensor_to_tcm_storage_order`](Self::tensor_to_tcm_storage_order).
    ///
    /// # Errors
    /// As `tcm_to_tensor`, but for contiguity.
    #[track_caller]
    pub fn tcm_to_tensor_storage_order<T: Element>(
        &mut self,
        q7: &Q7,
        offset: u64,
        values: &[T],
    ) -> Result<()> {
        let site = Location::caller();
        self.open_copy::<T>(q7, Access::Write)?;
        let local = self.in_tcm(q7, values)?;
        self.copy_out(q7, offset, values.len() as u64, local, site);
        Ok(())
    }

    /// Copy what there is of `span` to a buffer with room for it. How many elements that is.
    pub(crate) fn copy_in(&self, q7: &Q7, span: Span, local: NxAddr, site: Site) -> u32 {
        let len = self.cut(q7, Access::Read, span.offset, span.len.into(), site);
        self.copy_run(q7, Access::Read, span.offset, len, local, site);
        len as u32
    }

    /// Copy from a buffer what there is room for from element `offset` on.
    pub(crate) fn copy_out(&self, q7: &Q7, offset: u64, len: u64, local: NxAddr, site: Site) {
        let len = self.cut(q7, Access::Write, offset, len, site);
        self.copy_run(q7, Access::Write, offset, len, local, site);
    }

    /// The HBM side of a copy of `len` elements from `offset` on, in storage order.
    pub(super) fn run(&self, access: Access, offset: u64, len: u64, site: Site) -> Run {
        let start = HbmAddr::new(self.address(self.layout().offset() + offset));
        let bytes = len * self.dtype().size();
        Run { access, start, step: bytes as i64, count: 1, bytes, site }
    }

    fn copy_run(&self, q7: &Q7, access: Access, offset: u64, len: u64, local: NxAddr, site: Site) {
        if len > 0 {
            let hbm = self.run(access, offset, len, site);
            q7.copy(
                q7.staging.method.get(),
                &Copy { hbm, local, element: self.dtype().size(), counted: false },
            );
        }
    }

    /// Element `index` in storage order, which there is, through a window.
    pub(crate) fn load_alone<T: Element>(&self, q7: &Q7, index: u64, site: Site) -> T {
        let class = Class { access: Access::Read, bytes: size_of::<T>() as u64 };
        // SAFETY: an element's address is a multiple of its size (`Tensor::address`).
        unsafe { q7.pointers(class).load(self.address(self.layout().offset() + index), site) }
    }

    /// Write element `index` in storage order, which there is, through a window.
    pub(super) fn store_alone<T: Element>(&self, q7: &Q7, index: u64, value: T, site: Site) {
        let class = Class { access: Access::Write, bytes: size_of::<T>() as u64 };
        // SAFETY: as in `load_alone`.
        unsafe { q7.pointers(class).store(self.address(self.layout().offset() + index), value, site) }
    }

    /// How many of `len` elements from `offset` on there are; the others are a fault.
    pub(super) fn cut(&self, q7: &Q7, access: Access, offset: u64, len: u64, site: Site) -> u64 {
        self.cut_to(self.swept(), q7, access, offset, len, site)
    }

    /// How many of `len` elements from `offset` on there are of `all`; the others are a fault.
    pub(super) fn cut_to(&self, all: u64, q7: &Q7, access: Access, offset: u64, len: u64, site: Site) -> u64 {
        let there = all.saturating_sub(offset).min(len);
        if there < len {
            self.past_the_end(q7, access, offset + there, len - there, site);
        }
        there
    }

    /// Elements a sweep through the storage meets, from the first of the tensor to its last.
    pub(super) fn swept(&self) -> u64 {
        if self.numel() == 0 { 0 } else { self.layout().extent() - self.layout().offset() }
    }

    #[cold]
    fn past_the_end(&self, q7: &Q7, access: Access, index: u64, count: u64, site: Site) {
        let offset = self.layout().offset().wrapping_add(index);
        q7.fault(&Fault::OutOfBounds(OutOfBounds {
            access,
            argument: self.name(),
            storage: self.storage(),
            dtype: self.dtype(),
            sizes: Sizes::new(self.sizes()),
            index: Index::Flat(index),
            verdict: Verdict::PastTheEnd,
            count,
            copied: true,
            addr: HbmAddr::new(self.address(offset)),
            site,
        }));
    }

    #[track_caller]
    pub(super) fn expect_room<T: Element>(&self, len: u32, buffer: &TcmBuf<'_, T>) -> Result<()> {
        if len <= buffer.len() {
            return Ok(());
        }
        Err(self.error(ErrorKind::TcmTooSmall { asked: len.into(), holds: buffer.len() }))
    }

    /// The local address of a slice in TCM.
    #[track_caller]
    pub(super) fn in_tcm<T: Element>(&self, q7: &Q7, values: &[T]) -> Result<NxAddr> {
        match q7.staging.dataram.local(values.as_ptr().cast(), size_of_val(values) as u64) {
            Some(local) => Ok(local),
            // Nothing of it is copied.
            None if values.is_empty() => Ok(crate::port::dataram::Dataram::BASE),
            None => Err(self.error(ErrorKind::NotInTcm)),
        }
    }
}
