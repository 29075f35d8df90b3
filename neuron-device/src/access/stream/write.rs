//! [`WriteStream`]: forward writes through one buffer.

use core::hint::cold_path;
use core::ops::RangeBounds;
use core::panic::Location;

use super::super::tensor::Tensor;
use super::buffer::{Buffer, Opened};
use super::read::ends;
use crate::core::q7::Q7;
use crate::port::fault::{Access, Fault};
use crate::words::element::Element;
use crate::words::error::{Result, Site};

/// Writes elements of a tensor one after the other, in storage order, through a buffer of 4 KiB of TCM, which is copied
/// to HBM when it is full, at [`close`](Self::close) and when the stream is dropped (`docs/machine.md`, section 6). Where
/// TCM has no room for a buffer, it goes element by element, and the report says so.
///
/// ```
/// use neuron_device::{prelude::*, FlatPlatform, Tcm};
/// let (mut memory, mut tcm) = ([0; 64], Tcm::new());
/// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory).with_tcm(&mut tcm), |q7| {
///     let mut x = q7.empty(Dtype::F32, &[4])?;
///     let mut stream = x.write_stream_accessor::<f32>(q7, ..)?;
///     stream.write(0.5);
///     stream.write_map(&[1, 2, 3], |i: i32| i as f32);
///     stream.close();
///     drop(stream);
///     assert_eq!(x.read_stream_accessor::<f32>(q7, ..)?.sum::<f32>(), 6.5);
///     Ok(())
/// })
/// # .map_err(|error: Error| error.to_string()).unwrap();
/// ```
#[derive(Debug)]
pub struct WriteStream<'a, T: Element> {
    /// Where the next element goes in the buffer of TCM, and one past where the last does: equal if there is no room, as if
    /// there is no such buffer.
    at: *mut T,
    end_of_room: *mut T,
    buffer: Buffer<'a, T>,
    tensor: &'a Tensor,
    opened: Opened<'a>,
    /// Where the buffer goes, in storage order.
    next: u64,
    end: u64,
    closed: bool,
}

impl Tensor {
    /// A stream that writes elements `range` of the tensor, all of it with `..`; a core's share is
    /// `q7.partition_flat(out.numel())`, which is a range too.
    ///
    /// # Errors
    /// The dtype is not `T`'s; the tensor belongs to another launch, is an input or a view of one, is not contiguous, or
    /// has no such range; another stream is open on its storage ([`CoherencyPolicy`](crate::CoherencyPolicy)).
    #[track_caller]
    pub fn write_stream_accessor<'a, T: Element>(
        &'a mut self,
        q7: &'a Q7,
        range: impl RangeBounds<u64>,
    ) -> Result<WriteStream<'a, T>> {
        self.expect_contiguous()?;
        self.write_stream_accessor_storage_order(q7, range)
    }

    /// As [`write_stream_accessor`](Self::write_stream_accessor), of a tensor of any strides; see
    /// [`read_stream_accessor_storage_order`](Self::read_stream_accessor_storage_order).
    ///
    /// # Errors
    /// As `write_stream_accessor`, but for contiguity.
    #[track_caller]
    pub fn write_stream_accessor_storage_order<'a, T: Element>(
        &'a mut self,
        q7: &'a Q7,
        range: impl RangeBounds<u64>,
    ) -> Result<WriteStream<'a, T>> {
        let site = Location::caller();
        let (start, end) = ends(&range, self.swept());
        let opened = Opened::new::<T>(q7, self, Access::Write, (start, end), site)?;
        let buffer = if opened.len == 0 { Buffer::One(T::POISON) } else { Buffer::new(q7, site) };
        opened.tell(self, Access::Write, buffer.capacity());
        let (at, end_of_room) = (core::ptr::null_mut(), core::ptr::null_mut());
        let mut stream =
            WriteStream { at, end_of_room, buffer, tensor: self, opened, next: start, end, closed: false };
        stream.make_room();
        Ok(stream)
    }
}

impl<T: Element> WriteStream<'_, T> {
    /// Write the next element. At the end, or after [`close`](Self::close): a fault, and nothing is written.
    #[inline]
    #[track_caller]
    pub fn write(&mut self, value: T) {
        if !self.put(value) {
            cold_path();
            self.write_alone(value, Location::caller());
        }
    }

    /// Write all that an iterator gives.
    #[track_caller]
    pub fn write_from(&mut self, values: impl IntoIterator<Item = T>) {
        let site = Location::caller();
        for value in values {
            if !self.put(value) {
                cold_path();
                self.write_alone(value, site);
            }
        }
    }

    /// Write what `f` makes of each of `values`, in order.
    #[track_caller]
    pub fn write_map<U: Copy>(&mut self, values: &[U], mut f: impl FnMut(U) -> T) {
        let site = Location::caller();
        let mut rest = values;
        while !rest.is_empty() {
            let (chunk, behind) = rest.split_at(rest.len().min(self.room()));
            if chunk.is_empty() {
                break;
            }
            // SAFETY: from `at` on there is room for as many elements in the buffer, which is this stream's.
            let free = unsafe { core::slice::from_raw_parts_mut(self.at, chunk.len()) };
            free.iter_mut().zip(chunk).for_each(|(to, value)| *to = f(*value));
            self.at = self.at.wrapping_add(chunk.len());
            rest = behind;
            if self.at == self.end_of_room {
                self.flush();
            }
        }
        for value in rest {
            self.write_alone(f(*value), site);
        }
    }

    /// How many elements there is room for.
    pub fn remaining(&self) -> u64 {
        self.end - self.next - self.buffered_len()
    }

    /// Copy what is buffered to HBM, and give its place in the coherency rules back. Closing twice is as good as once; a
    /// stream that is dropped is closed.
    pub fn close(&mut self) {
        if !core::mem::replace(&mut self.closed, true) {
            self.flush();
            self.end = self.next;
            self.make_room();
            self.opened.close();
        }
    }

    /// Write the next element to the buffer of TCM. Is there room for it?
    #[inline(always)]
    fn put(&mut self, value: T) -> bool {
        let at = self.at;
        if at == self.end_of_room {
            return false;
        }
        // SAFETY: `at` is an element of the buffer, which is this stream's.
        unsafe { at.write(value) };
        self.at = at.wrapping_add(1);
        if self.at == self.end_of_room {
            cold_path();
            self.flush();
        }
        true
    }

    /// How many elements there is room for in the buffer of TCM.
    fn room(&self) -> usize {
        (self.end_of_room.addr() - self.at.addr()) / size_of::<T>()
    }

    /// How many elements the buffer of TCM has that are not in HBM.
    fn buffered_len(&self) -> u64 {
        match &self.buffer {
            Buffer::Tcm(buffer) if !self.at.is_null() => {
                ((self.at.addr() - buffer.native().addr()) / size_of::<T>()) as u64
            }
            _ => 0,
        }
    }

    /// The buffer is empty, and has room for what is left.
    fn make_room(&mut self) {
        if let Buffer::Tcm(buffer) = &self.buffer {
            let room = (self.end - self.next).min(buffer.len().into());
            self.at = buffer.native();
            self.end_of_room = self.at.wrapping_add(room as usize);
        }
    }

    /// Copy what is buffered to HBM.
    #[cold]
    fn flush(&mut self) {
        let len = self.buffered_len();
        let Opened { q7, site, .. } = self.opened;
        if let Buffer::Tcm(buffer) = &self.buffer {
            q7.tcm_filled(buffer.addr(), len * size_of::<T>() as u64);
            self.tensor.copy_out(q7, self.next, len, buffer.addr(), site);
        }
        self.next += len;
        self.make_room();
    }

    /// Write an element without a buffer, if there is room for it.
    #[cold]
    fn write_alone(&mut self, value: T, site: Site) {
        if self.next == self.end {
            self.opened.q7.fault(&Fault::StreamEnded {
                access: Access::Write,
                argument: self.tensor.name(),
                storage: self.tensor.storage(),
                len: self.opened.len,
                closed: self.closed,
                opened: self.opened.site,
                site,
            });
            return;
        }
        self.tensor.store_alone(self.opened.q7, self.next, value, self.opened.site);
        self.next += 1;
    }
}

impl<T: Element> Drop for WriteStream<'_, T> {
    fn drop(&mut self) {
        self.close();
    }
}
