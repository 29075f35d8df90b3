//! [`ReadStream`]: forward reads through one buffer.

use core::hint::cold_path;
use core::ops::RangeBounds;
use core::panic::Location;

use super::super::tensor::Tensor;
use super::buffer::{Buffer, Opened};
use crate::core::q7::Q7;
use crate::core::staging::Copy;
use crate::port::fault::{Access, Fault};
use crate::words::addr::NxAddr;
use crate::words::element::Element;
use crate::words::error::{Result, Site};

/// Reads elements of a tensor one after the other, in storage order, through a buffer of 4 KiB of TCM: one copy a buffer
/// instead of one translation an element (`docs/machine.md`, section 6). Where TCM has no room for a buffer, it goes
/// element by element, and the report says so.
///
/// It is an iterator; [`next_chunk`](Self::next_chunk) gives as many elements as are buffered, which is faster still.
///
/// ```
/// use neuron_device::{prelude::*, FlatPlatform, Tcm};
/// let (mut memory, mut tcm) = ([0; 64], Tcm::new());
/// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory).with_tcm(&mut tcm), |q7| {
///     let mut x = q7.empty(Dtype::I32, &[10])?;
///     x.write_stream_accessor::<i32>(q7, ..)?.write_from(0..10);
///     let sum: i32 = x.read_stream_accessor::<i32>(q7, ..)?.sum();
///     assert_eq!(sum, 45);
///     let mut last = x.read_stream_accessor::<i32>(q7, 7..)?;
///     assert_eq!(last.next_chunk(), Some(&[7, 8, 9][..]));
///     assert_eq!(last.next_chunk(), None);
///     Ok(())
/// })
/// # .map_err(|error: Error| error.to_string()).unwrap();
/// ```
#[derive(Debug)]
pub struct ReadStream<'a, T: Element> {
    /// The next element in the buffer of TCM, and one past the last: equal if there is none, as if there is no such buffer.
    at: *const T,
    end_of_chunk: *const T,
    /// Elements from here up to `at` were read one by one, and are not counted yet.
    uncounted: *const T,
    buffer: Buffer<'a, T>,
    /// Does a buffer of one element have it?
    has_one: bool,
    tensor: &'a Tensor,
    opened: Opened<'a>,
    /// The next element to fetch, in storage order.
    next: u64,
    end: u64,
    closed: bool,
}

impl Tensor {
    /// A stream that reads elements `range` of the tensor, all of it with `..`; a core's share is
    /// `q7.partition_flat(x.numel())`, which is a range too. It fetches the first of them at once.
    ///
    /// # Errors
    /// The dtype is not `T`'s; the tensor belongs to another launch, is not contiguous, or has no such range; a stream that
    /// writes it is open ([`CoherencyPolicy`](crate::CoherencyPolicy)).
    #[track_caller]
    pub fn read_stream_accessor<'a, T: Element>(
        &'a self,
        q7: &'a Q7,
        range: impl RangeBounds<u64>,
    ) -> Result<ReadStream<'a, T>> {
        self.expect_contiguous()?;
        self.read_stream_accessor_storage_order(q7, range)
    }

    /// As [`read_stream_accessor`](Self::read_stream_accessor), of a tensor of any strides: `range` counts elements of the
    /// storage from the tensor's first one on, in the order in which they lie there, and those between the tensor's own
    /// too.
    ///
    /// # Errors
    /// As `read_stream_accessor`, but for contiguity.
    ///
    /// ```
    /// use neuron_device::{prelude::*, FlatPlatform, Tcm};
    /// let (mut memory, mut tcm) = ([0; 64], Tcm::new());
    /// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory).with_tcm(&mut tcm), |q7| {
    ///     let mut x = q7.empty(Dtype::I32, &[2, 3])?;
    ///     x.write_stream_accessor::<i32>(q7, ..)?.write_from(0..6);
    ///     let columns = x.transpose(0, 1)?;
    ///     assert!(columns.read_stream_accessor::<i32>(q7, ..).is_err());
    ///     assert!(columns.read_stream_accessor_storage_order::<i32>(q7, ..)?.eq(0..6));
    ///     Ok(())
    /// })
    /// # .map_err(|error: Error| error.to_string()).unwrap();
    /// ```
    #[track_caller]
    pub fn read_stream_accessor_storage_order<'a, T: Element>(
        &'a self,
        q7: &'a Q7,
        range: impl RangeBounds<u64>,
    ) -> Result<ReadStream<'a, T>> {
        let site = Location::caller();
        let (start, end) = ends(&range, self.swept());
        let opened = Opened::new::<T>(q7, self, Access::Read, (start, end), site)?;
        let buffer = if opened.len == 0 { Buffer::One(T::POISON) } else { Buffer::new(q7, site) };
        opened.tell(self, Access::Read, buffer.capacity());
        let nothing = core::ptr::null();
        let (at, end_of_chunk, has_one, closed) = (nothing, nothing, false, false);
        let mut stream = ReadStream {
            at,
            end_of_chunk,
            uncounted: nothing,
            buffer,
            has_one,
            tensor: self,
            opened,
            next: start,
            end,
            closed,
        };
        stream.refill();
        Ok(stream)
    }
}

/// The first index of a range, and one past its last.
pub(super) fn ends(range: &impl RangeBounds<u64>, all: u64) -> (u64, u64) {
    use core::ops::Bound::{Excluded, Included, Unbounded};
    let start = match range.start_bound() {
        Included(&start) => start,
        Excluded(&before) => before.saturating_add(1),
        Unbounded => 0,
    };
    let end = match range.end_bound() {
        Included(&last) => last.saturating_add(1),
        Excluded(&end) => end,
        Unbounded => all,
    };
    (start, end)
}

impl<T: Element> ReadStream<'_, T> {
    /// The next element. At the end, or after [`close`](Self::close): a fault, and [`Element::POISON`].
    #[inline]
    #[track_caller]
    pub fn read(&mut self) -> T {
        match self.buffered() {
            Some(value) => value,
            None => {
                cold_path();
                self.read_on(Location::caller())
            }
        }
    }

    /// The elements that are buffered and were not read yet, or else the next ones fetched; `None` at the end. After
    /// [`close`](Self::close): a fault, and `None`.
    #[track_caller]
    pub fn next_chunk(&mut self) -> Option<&[T]> {
        if self.buffered_len() == 0 {
            self.refill();
        }
        let len = self.buffered_len();
        if len == 0 {
            self.complain_if_closed(Location::caller());
            return None;
        }
        self.has_one = false;
        self.count();
        let at = core::mem::replace(&mut self.at, self.end_of_chunk);
        self.uncounted = self.at;
        if let Buffer::Tcm(buffer) = &self.buffer {
            let before = (at.addr() - buffer.native().addr()) as u32;
            let local = NxAddr::new(buffer.addr().get() + before);
            self.opened.q7.tell_swept(local, (len * size_of::<T>()) as u64, self.opened.site);
        }
        Some(match &self.buffer {
            // SAFETY: from `at` on are `len` elements that were copied to the buffer, which is borrowed as the slice is.
            Buffer::Tcm(_) => unsafe { core::slice::from_raw_parts(at, len) },
            Buffer::One(value) => core::slice::from_ref(value),
        })
    }

    /// How many elements are left.
    pub fn remaining(&self) -> u64 {
        self.end - self.next + self.buffered_len() as u64
    }

    /// Give the buffer's place in the coherency rules back. Closing twice is as good as once; a stream that is dropped is
    /// closed.
    pub fn close(&mut self) {
        if !core::mem::replace(&mut self.closed, true) {
            self.count();
            (self.at, self.has_one, self.next) = (self.end_of_chunk, false, self.end);
            self.uncounted = self.at;
            self.opened.close();
        }
    }

    /// Count the elements that were read one by one.
    fn count(&mut self) {
        let bytes = self.at.addr() - self.uncounted.addr();
        self.uncounted = self.at;
        self.opened.q7.staging.count(|counters| counters.tcm_loads += (bytes / size_of::<T>()) as u64);
    }

    /// Elements that are buffered and not read yet.
    fn buffered_len(&self) -> usize {
        let bytes = self.end_of_chunk.addr() - self.at.addr();
        bytes / size_of::<T>() + usize::from(self.has_one)
    }

    /// The next element, if it is in a buffer of TCM.
    #[inline(always)]
    fn buffered(&mut self) -> Option<T> {
        let at = self.at;
        if at == self.end_of_chunk {
            return None;
        }
        self.at = at.wrapping_add(1);
        // SAFETY: `at` is one of the elements that were copied to the buffer, which is this stream's.
        Some(unsafe { at.read() })
    }

    /// The next element, wherever it is.
    #[cold]
    fn fetched(&mut self) -> Option<T> {
        if !self.has_one {
            self.refill();
        }
        match &self.buffer {
            Buffer::One(value) if self.has_one => {
                self.has_one = false;
                Some(*value)
            }
            _ => self.buffered(),
        }
    }

    /// Fetch the next elements; none at the end. There is nothing in the buffer.
    #[cold]
    fn refill(&mut self) {
        let len = (self.end - self.next).min(self.buffer.capacity().into()) as u32;
        if len == 0 {
            return;
        }
        self.count();
        let Opened { q7, site, .. } = self.opened;
        match &mut self.buffer {
            Buffer::Tcm(buffer) => {
                // The stream was opened on elements that there are.
                let hbm = self.tensor.run(Access::Read, self.next, len.into(), site);
                let element = self.tensor.dtype().size();
                let copy = Copy { hbm, local: buffer.addr(), element, counted: true };
                q7.copy(q7.staging.method.get(), &copy);
                // SAFETY: `len` elements were just copied there; the buffer holds as many.
                let chunk = unsafe { buffer.slice(len) }.as_ptr_range();
                (self.at, self.end_of_chunk) = (chunk.start, chunk.end);
                self.uncounted = chunk.start;
            }
            Buffer::One(value) => {
                *value = self.tensor.load_alone(q7, self.next, site);
                self.has_one = true;
            }
        }
        self.next += u64::from(len);
    }

    #[cold]
    fn read_on(&mut self, site: Site) -> T {
        match self.fetched() {
            Some(value) => value,
            None => {
                self.ended(site);
                T::POISON
            }
        }
    }

    #[cold]
    fn complain_if_closed(&self, site: Site) {
        if self.closed {
            self.ended(site);
        }
    }

    #[cold]
    fn ended(&self, site: Site) {
        self.opened.q7.fault(&Fault::StreamEnded {
            access: Access::Read,
            argument: self.tensor.name(),
            storage: self.tensor.storage(),
            len: self.opened.len,
            closed: self.closed,
            opened: self.opened.site,
            site,
        });
    }
}

impl<T: Element> Iterator for ReadStream<'_, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        match self.buffered() {
            Some(value) => Some(value),
            None => {
                cold_path();
                let value = self.fetched();
                if value.is_none() {
                    self.complain_if_closed(self.opened.site);
                }
                value
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let remaining = usize::try_from(self.remaining());
        (remaining.unwrap_or(usize::MAX), remaining.ok())
    }

    fn fold<B, F: FnMut(B, T) -> B>(mut self, init: B, mut f: F) -> B {
        let mut folded = init;
        while let Some(chunk) = self.next_chunk() {
            folded = chunk.iter().copied().fold(folded, &mut f);
        }
        folded
    }
}

impl<T: Element> core::iter::FusedIterator for ReadStream<'_, T> {}

impl<T: Element> Drop for ReadStream<'_, T> {
    fn drop(&mut self) {
        self.close();
    }
}
