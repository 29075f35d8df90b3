//! Access by flat logical index: any rank, any layout.

use core::hint::cold_path;
use core::panic::Location;

use super::tensor::Tensor;
use crate::core::cursor::Cursor;
use crate::core::q7::Q7;
use crate::port::fault::{Access, Fault, Index, OutOfBounds, Verdict};
use crate::words::addr::HbmAddr;
use crate::words::element::Element;
use crate::words::error::{Result, Site, Sizes};
use crate::words::handle::Handle;

/// Where the element with a flat index is.
#[derive(Clone, Copy, Debug)]
struct Row<'a> {
    tensor: &'a Tensor,
    base: u64,
    /// Indices below this one lie in a row from `base`: all of them, or none if the tensor is not contiguous.
    in_a_row: u64,
}

impl<'a> Row<'a> {
    fn new(tensor: &'a Tensor) -> Self {
        Self { tensor, base: tensor.address(tensor.layout().offset()), in_a_row: in_a_row(tensor) }
    }

    /// The address of an element that lies in a row from `base`.
    #[inline(always)]
    fn locate<T: Element>(&self, index: u64) -> Option<u64> {
        (index < self.in_a_row).then(|| self.base.wrapping_add(index.wrapping_mul(size_of::<T>() as u64)))
    }
}

/// How many elements lie one after the other: all of them, or none for sure. A call, as the compiler would work it out anew at
/// each access.
#[inline(never)]
fn in_a_row(tensor: &Tensor) -> u64 {
    if tensor.is_contiguous() { tensor.numel() } else { 0 }
}

/// Read an element that does not lie in a row, or does not exist. Quick is the one behind the last.
#[inline(always)]
fn get_scattered<T: Element>(reads: Cursor<'_>, tensor: &Tensor, index: u64, site: Site) -> T {
    match reads.step_on(tensor.layout(), index, site) {
        // SAFETY: an element's address is a multiple of its size (`Tensor::address`); nothing was mapped meanwhile.
        Some(located) => unsafe { located.load() },
        None => get_elsewhere(reads, tensor, index, site),
    }
}

/// As [`get_scattered`], where it is not the one behind the last.
#[inline(never)]
fn get_elsewhere<T: Element>(reads: Cursor<'_>, tensor: &Tensor, index: u64, site: Site) -> T {
    let Some(offset) = reads.go(tensor.layout(), index) else {
        out_of_bounds(reads.q7(), tensor, Access::Read, index, site);
        return T::POISON;
    };
    let addr = tensor.address(offset);
    // SAFETY: an element's address is a multiple of its size (`Tensor::address`).
    let value = unsafe { reads.load(addr, site) };
    reads.begin_steps(Access::Read, size_of::<T>() as u64, addr, index);
    value
}

/// Write an element that does not lie in a row, or does not exist; see [`get_scattered`].
#[inline(always)]
fn set_scattered<T: Element>(writes: Cursor<'_>, tensor: &Tensor, index: u64, value: T, site: Site) {
    match writes.step_on(tensor.layout(), index, site) {
        // SAFETY: as in `get_scattered`.
        Some(located) => unsafe { located.store(value) },
        None => set_elsewhere(writes, tensor, index, value, site),
    }
}

/// As [`set_scattered`], where it is not the one behind the last.
#[inline(never)]
fn set_elsewhere<T: Element>(writes: Cursor<'_>, tensor: &Tensor, index: u64, value: T, site: Site) {
    let Some(offset) = writes.go(tensor.layout(), index) else {
        return out_of_bounds(writes.q7(), tensor, Access::Write, index, site);
    };
    let addr = tensor.address(offset);
    // SAFETY: as in `get_elsewhere`.
    unsafe { writes.store(addr, value, site) };
    writes.begin_steps(Access::Write, size_of::<T>() as u64, addr, index);
}

#[cold]
fn out_of_bounds(q7: &Q7, tensor: &Tensor, access: Access, index: u64, site: Site) {
    q7.fault(&Fault::OutOfBounds(OutOfBounds {
        access,
        argument: tensor.name(),
        storage: tensor.storage(),
        dtype: tensor.dtype(),
        sizes: Sizes::new(tensor.sizes()),
        index: Index::Flat(index),
        verdict: Verdict::PastTheEnd,
        count: 1,
        copied: false,
        addr: HbmAddr::new(tensor.address(tensor.layout().offset_of_flat(index))),
        site,
    }));
}

/// Reads a tensor by flat logical index; see [`Tensor::elements`].
///
/// ```
/// use neuron_device::{Elements, prelude::*};
/// fn largest(x: Elements<'_, i32>) -> Option<i32> {
///     (0..x.numel()).map(|i| x.get(i)).max()
/// }
/// # use neuron_device::FlatPlatform;
/// # let mut memory = [0; 64];
/// # Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory), |q7| {
/// let mut x = q7.empty(Dtype::I32, &[2, 2])?;
/// let cells = x.elements_mut::<i32>(q7)?;
/// (0..4).for_each(|i| cells.set(i, 10 - i as i32));
/// assert_eq!(largest(x.elements(q7)?), Some(10));
/// assert_eq!(largest(x.slice(0, 0, 0, 1)?.elements(q7)?), None);
/// # Ok(())
/// # }).map_err(|error: Error| error.to_string()).unwrap();
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Elements<'a, T> {
    row: Row<'a>,
    reads: Cursor<'a>,
    element: core::marker::PhantomData<T>,
}

/// Reads and writes a tensor by flat logical index; see [`Tensor::elements_mut`].
///
/// ```
/// use neuron_device::{ElementsMut, prelude::*};
/// fn prefix_sums(x: &ElementsMut<'_, i32>) {
///     (1..x.numel()).for_each(|i| x.set(i, x.get(i - 1) + x.get(i)));
/// }
/// # use neuron_device::FlatPlatform;
/// # let mut memory = [0; 64];
/// # Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory), |q7| {
/// # let mut x = q7.empty(Dtype::I32, &[4])?;
/// let x = x.elements_mut(q7)?;
/// (0..4).for_each(|i| x.set(i, 1));
/// prefix_sums(&x);
/// assert_eq!(x.get(3), 4);
/// # Ok(())
/// # }).map_err(|error: Error| error.to_string()).unwrap();
/// ```
#[derive(Debug)]
pub struct ElementsMut<'a, T> {
    row: Row<'a>,
    reads: Cursor<'a>,
    writes: Cursor<'a>,
    element: core::marker::PhantomData<T>,
}

impl Tensor {
    /// Read access by row-major index `0..numel`, whatever the rank and the strides.
    ///
    /// # Errors
    /// The dtype is not `T`'s, or the tensor belongs to another launch.
    ///
    /// ```
    /// use neuron_device::{prelude::*, FlatPlatform};
    /// let mut memory = [0; 64];
    /// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory), |q7| {
    ///     let mut t = q7.empty(Dtype::I32, &[2, 3])?;
    ///     let cells = t.elements_mut::<i32>(q7)?;
    ///     for i in 0..cells.numel() {
    ///         cells.set(i, i as i32);
    ///     }
    ///     let columns = t.transpose(0, 1)?;
    ///     assert_eq!(columns.elements::<i32>(q7)?.get(1), 3);
    ///     Ok(())
    /// })
    /// # .map_err(|error: Error| error.to_string()).unwrap();
    /// ```
    #[track_caller]
    pub fn elements<'a, T: Element>(&'a self, q7: &'a Q7) -> Result<Elements<'a, T>> {
        self.open::<T>(q7, Access::Read, Handle::Accessor, Location::caller())?;
        let reads = q7.cursor(Access::Read, self.dtype().size());
        Ok(Elements { row: Row::new(self), reads, element: core::marker::PhantomData })
    }

    /// Read and write access by row-major index; see [`elements`](Self::elements).
    ///
    /// # Errors
    /// As `elements`; and the tensor is an input, or a view or clone of one.
    #[track_caller]
    pub fn elements_mut<'a, T: Element>(&'a mut self, q7: &'a Q7) -> Result<ElementsMut<'a, T>> {
        self.elements_mut_from(q7, Location::caller())
    }

    /// As [`elements_mut`](Self::elements_mut), on behalf of the line `site`.
    #[track_caller]
    pub(crate) fn elements_mut_from<'a, T: Element>(
        &'a mut self,
        q7: &'a Q7,
        site: Site,
    ) -> Result<ElementsMut<'a, T>> {
        self.open::<T>(q7, Access::Write, Handle::Accessor, site)?;
        let reads = q7.cursor(Access::Read, self.dtype().size());
        let writes = q7.cursor(Access::Write, self.dtype().size());
        Ok(ElementsMut { row: Row::new(self), reads, writes, element: core::marker::PhantomData })
    }
}

macro_rules! row_methods {
    ($elements:ident) => {
        impl<T: Element> $elements<'_, T> {
            /// The element with this index. Outside the tensor, or where there is no memory: a fault, and
            /// [`Element::POISON`].
            #[inline(always)]
            #[track_caller]
            pub fn get(&self, index: u64) -> T {
                self.get_from(index, Location::caller())
            }

            #[inline(always)]
            pub(crate) fn get_from(&self, index: u64, site: Site) -> T {
                match self.row.locate::<T>(index) {
                    // SAFETY: base and index are whole elements, and the storage is aligned to them (`Tensor::address`).
                    Some(addr) => unsafe { self.reads.load(addr, site) },
                    None => {
                        cold_path();
                        get_scattered(self.reads, self.row.tensor, index, site)
                    }
                }
            }

            /// Number of elements.
            #[inline(always)]
            pub const fn numel(&self) -> u64 {
                self.row.tensor.numel()
            }

            /// Size of dimension `dim` of the tensor, in elements.
            ///
            /// # Panics
            /// If there is no such dimension.
            #[track_caller]
            pub fn size(&self, dim: usize) -> u32 {
                self.row.tensor.size(dim)
            }

            /// Number of dimensions of the tensor.
            pub const fn dim(&self) -> usize {
                self.row.tensor.dim()
            }
        }
    };
}
row_methods!(Elements);
row_methods!(ElementsMut);

impl<T: Element> ElementsMut<'_, T> {
    /// Write the element with this index. Outside the tensor, or where there is no memory: a fault, and
    /// nothing is written.
    #[inline(always)]
    #[track_caller]
    pub fn set(&self, index: u64, value: T) {
        self.set_from(index, value, Location::caller());
    }

    #[inline(always)]
    pub(crate) fn set_from(&self, index: u64, value: T, site: Site) {
        match self.row.locate::<T>(index) {
            // SAFETY: as in `get_from`.
            Some(addr) => unsafe { self.writes.store(addr, value, site) },
            None => {
                cold_path();
                set_scattered(self.writes, self.row.tensor, index, value, site);
            }
        }
    }
}
