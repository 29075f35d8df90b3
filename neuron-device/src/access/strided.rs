//! Staging of any view in logical order: a descriptor for each piece of it that has no gaps.

use core::panic::Location;

use super::tcm::TcmBuf;
use super::tensor::Tensor;
use crate::core::q7::Q7;
use crate::core::staging::Copy;
use crate::policy::partition::Span;
use crate::port::fault::Access;
use crate::port::observe::Run;
use crate::words::addr::{HbmAddr, NxAddr};
use crate::words::element::Element;
use crate::words::error::{Result, Site};

impl Tensor {
    /// Copy the elements with row-major indices `span` to TCM, whatever the strides are, and give them in that order as a
    /// slice. It takes a DMA descriptor for each piece that has no gaps, so a tensor whose elements are scattered takes one
    /// an element: the report counts them.
    ///
    /// Elements past the tensor's end are a fault, and come as [`POISON`](Element::POISON).
    ///
    /// # Errors
    /// The dtype is not `T`'s; the tensor belongs to another launch; the buffer is too small.
    ///
    /// ```
    /// use neuron_device::{prelude::*, FlatPlatform, Tcm};
    /// let (mut memory, mut tcm) = ([0; 64], Tcm::new());
    /// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory).with_tcm(&mut tcm), |q7| {
    ///     let mut x = q7.empty(Dtype::I32, &[2, 3])?;
    ///     x.write_stream_accessor::<i32>(q7, ..)?.write_from(0..6);
    ///     let mut buffer = q7.tcm_malloc::<i32>(6)?;
    ///     let columns = x.transpose(0, 1)?;
    ///     let staged = columns.strided_to_tcm(q7, Span { offset: 0, len: 6 }, &mut buffer)?;
    ///     assert_eq!(staged, [0, 3, 1, 4, 2, 5]);
    ///     Ok(())
    /// })
    /// # .map_err(|error: Error| error.to_string()).unwrap();
    /// ```
    #[track_caller]
    pub fn strided_to_tcm<'b, T: Element>(
        &self,
        q7: &Q7,
        span: Span,
        buffer: &'b mut TcmBuf<'_, T>,
    ) -> Result<&'b mut [T]> {
        let site = Location::caller();
        self.open_copy::<T>(q7, Access::Read)?;
        self.expect_room(span.len, buffer)?;
        let len = self.copy_pieces(q7, Access::Read, span.offset, span.len.into(), buffer.addr(), site);
        buffer.poison(len as u32..span.len);
        // SAFETY: the first `len` were copied, the others were just written; `expect_room` counted.
        Ok(unsafe { buffer.slice_mut(span.len) })
    }

    /// Copy `values`, a slice in TCM, to the elements with row-major indices from `offset` on, whatever the strides are; see
    /// [`strided_to_tcm`](Self::strided_to_tcm).
    ///
    /// # Errors
    /// The dtype is not `T`'s; the tensor belongs to another launch, or is an input or a view of one; `values` is not in
    /// TCM.
    #[track_caller]
    pub fn tcm_to_strided<T: Element>(&mut self, q7: &Q7, offset: u64, values: &[T]) -> Result<()> {
        let site = Location::caller();
        self.open_copy::<T>(q7, Access::Write)?;
        let local = self.in_tcm(q7, values)?;
        self.copy_pieces(q7, Access::Write, offset, values.len() as u64, local, site);
        Ok(())
    }

    /// Copy what there is of `len` elements from the row-major index `offset` on. How many that is.
    fn copy_pieces(&self, q7: &Q7, access: Access, offset: u64, len: u64, local: NxAddr, site: Site) -> u64 {
        let element = self.dtype().size();
        let len = self.cut_to(self.numel(), q7, access, offset, len, site);
        // Rows that lie evenly are one copy, of several pieces.
        let (mut rows, mut rows_at): (Option<Run>, u64) = (None, 0);
        let mut done = 0;
        while done < len {
            let index = offset + done;
            // Every index below `numel` is in a stretch, and at an offset of it.
            let Some(stretch) = self.layout().stretch_at(index) else { break };
            let Some(at) = stretch.offset_of(index) else { break };
            let count = (stretch.end() - index).min(len - done);
            let start = HbmAddr::new(self.address(at));
            let piece = if stretch.stride() == 1 || count == 1 {
                let bytes = count * element;
                Run { access, start, step: bytes as i64, count: 1, bytes, site }
            } else {
                let step = stretch.stride().wrapping_mul(element) as i64;
                Run { access, start, step, count, bytes: element, site }
            };
            rows = match rows.and_then(|rows| behind(&rows, &piece)) {
                Some(rows) => Some(rows),
                None => {
                    self.copy_rows(q7, rows, local, rows_at);
                    rows_at = done;
                    Some(piece)
                }
            };
            done += count;
        }
        self.copy_rows(q7, rows, local, rows_at);
        len
    }

    /// Copy these pieces, of which the first is element `at` of what is staged.
    fn copy_rows(&self, q7: &Q7, rows: Option<Run>, local: NxAddr, at: u64) {
        if let Some(hbm) = rows {
            let element = self.dtype().size();
            let local = NxAddr::new(local.get() + (at * element) as u32);
            q7.copy(q7.staging.method.get(), &Copy { hbm, local, element, counted: false });
        }
    }
}

/// The pieces of `rows`, and `piece`, which is one, behind them; `None` if it does not lie as they do.
fn behind(rows: &Run, piece: &Run) -> Option<Run> {
    let same = piece.count == 1 && piece.bytes == rows.bytes;
    let step = piece.start.get().wrapping_sub(rows.start.get()) as i64;
    match rows.count {
        1 if same => Some(Run { step, count: 2, ..*rows }),
        count if same && rows.step.wrapping_mul(count as i64) == step => {
            Some(Run { count: count + 1, ..*rows })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
