//! Accessors of a fixed rank: one translation an element, strides honoured.

use core::hint::cold_path;
use core::panic::Location;

use super::tensor::Tensor;
use crate::core::cursor::Cursor;
use crate::core::q7::Q7;
use crate::port::fault::{Access, Fault, Index, OutOfBounds, Verdict};
use crate::words::addr::HbmAddr;
use crate::words::element::Element;
use crate::words::error::{Result, Site, Sizes};
use crate::words::layout::MAX_RANK;

/// Where element `[i, j, …]` of a tensor of rank `N` is.
#[derive(Clone, Copy, Debug)]
struct Grid<'a, const N: usize> {
    tensor: &'a Tensor,
    base: u64,
    sizes: [u32; N],
    /// In bytes.
    strides: [u64; N],
}

impl<'a, const N: usize> Grid<'a, N> {
    const RANK: () =
        assert!(N > 0 && N <= MAX_RANK, "an accessor has 1 to 8 dimensions; `elements` takes any tensor");

    /// The tensor has rank `N`.
    fn new(tensor: &'a Tensor) -> Self {
        let () = Self::RANK;
        let mut grid =
            Self { tensor, base: tensor.address(tensor.layout().offset()), sizes: [0; N], strides: [0; N] };
        grid.sizes.copy_from_slice(tensor.sizes());
        for (bytes, elements) in grid.strides.iter_mut().zip(tensor.strides()) {
            *bytes = elements.wrapping_mul(tensor.dtype().size());
        }
        grid
    }

    #[inline(always)]
    fn locate(&self, index: [u32; N]) -> Option<u64> {
        let mut addr = self.base;
        for ((at, size), stride) in index.into_iter().zip(self.sizes).zip(self.strides) {
            if at >= size {
                return None;
            }
            addr = addr.wrapping_add(u64::from(at).wrapping_mul(stride));
        }
        Some(addr)
    }
}

#[cold]
#[inline(never)]
fn out_of_bounds<const N: usize>(q7: &Q7, tensor: &Tensor, access: Access, index: [u32; N], site: Site) {
    let layout = tensor.layout();
    let reach = index.iter().zip(layout.strides()).fold(layout.offset(), |offset, (&at, &stride)| {
        offset.saturating_add(u64::from(at).saturating_mul(stride))
    });
    let wrapped = index.iter().zip(layout.strides()).fold(layout.offset(), |offset, (&at, &stride)| {
        offset.wrapping_add(u64::from(at).wrapping_mul(stride))
    });
    q7.fault(&Fault::OutOfBounds(OutOfBounds {
        access,
        argument: tensor.name(),
        storage: tensor.storage(),
        dtype: tensor.dtype(),
        sizes: Sizes::new(tensor.sizes()),
        index: Index::dims(index),
        verdict: if reach < layout.extent() { Verdict::PastADimension } else { Verdict::PastTheEnd },
        count: 1,
        copied: false,
        addr: HbmAddr::new(tensor.address(wrapped)),
        site,
    }));
}

/// Reads a tensor of rank `N` element by element; see [`Tensor::accessor`].
///
/// ```
/// use neuron_device::{Accessor, prelude::*};
/// fn trace(m: Accessor<'_, i32, 2>) -> i32 {
///     (0..m.size(0).min(m.size(1))).map(|i| m.get([i, i])).sum()
/// }
/// # use neuron_device::FlatPlatform;
/// # let mut memory = [0; 64];
/// # Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory), |q7| {
/// let mut m = q7.empty(Dtype::I32, &[3, 4])?;
/// let cells = m.elements_mut::<i32>(q7)?;
/// (0..12).for_each(|i| cells.set(i, i as i32));
/// assert_eq!(trace(m.accessor(q7)?), 0 + 5 + 10);
/// # Ok(())
/// # }).map_err(|error: Error| error.to_string()).unwrap();
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Accessor<'a, T, const N: usize> {
    grid: Grid<'a, N>,
    reads: Cursor<'a>,
    element: core::marker::PhantomData<T>,
}

/// Reads and writes a tensor of rank `N` element by element; see [`Tensor::accessor_mut`].
///
/// ```
/// use neuron_device::{AccessorMut, prelude::*};
/// fn mirror_lower(m: &AccessorMut<'_, i32, 2>) {
///     for row in 0..m.size(0) {
///         (0..row).for_each(|column| m.set([column, row], m.get([row, column])));
///     }
/// }
/// # use neuron_device::FlatPlatform;
/// # let mut memory = [0; 64];
/// # Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory), |q7| {
/// # let mut m = q7.empty(Dtype::I32, &[2, 2])?;
/// let m = m.accessor_mut(q7)?;
/// m.set([1, 0], 7);
/// mirror_lower(&m);
/// assert_eq!(m.get([0, 1]), 7);
/// # Ok(())
/// # }).map_err(|error: Error| error.to_string()).unwrap();
/// ```
#[derive(Debug)]
pub struct AccessorMut<'a, T, const N: usize> {
    grid: Grid<'a, N>,
    reads: Cursor<'a>,
    writes: Cursor<'a>,
    element: core::marker::PhantomData<T>,
}

impl Tensor {
    /// Read access by index `[i, j, …]`, strides honoured; each read translates once. `N` is 1 to 8, which
    /// the compiler checks; for a tensor without dimensions there is [`elements`](Self::elements).
    ///
    /// # Errors
    /// The dtype is not `T`'s, the rank is not `N`, or the tensor belongs to another launch.
    ///
    /// ```
    /// use neuron_device::{prelude::*, FlatPlatform};
    /// let mut memory = [0; 64];
    /// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory), |q7| {
    ///     let mut t = q7.empty(Dtype::I32, &[2, 3])?;
    ///     let cells = t.accessor_mut::<i32, 2>(q7)?;
    ///     for row in 0..cells.size(0) {
    ///         for column in 0..cells.size(1) {
    ///             cells.set([row, column], (10 * row + column) as i32);
    ///         }
    ///     }
    ///     let columns = t.transpose(0, 1)?;
    ///     assert_eq!(columns.accessor::<i32, 2>(q7)?.get([2, 1]), 12);
    ///     assert!(t.accessor::<i32, 1>(q7).is_err());
    ///     assert!(t.accessor::<f32, 2>(q7).is_err());
    ///     Ok(())
    /// })
    /// # .map_err(|error: Error| error.to_string()).unwrap();
    /// ```
    #[track_caller]
    pub fn accessor<'a, T: Element, const N: usize>(&'a self, q7: &'a Q7) -> Result<Accessor<'a, T, N>> {
        self.open_ranked::<T>(q7, Access::Read, N)?;
        let reads = q7.cursor(Access::Read, self.dtype().size());
        Ok(Accessor { grid: Grid::new(self), reads, element: core::marker::PhantomData })
    }

    /// Read and write access by index `[i, j, …]`; see [`accessor`](Self::accessor).
    ///
    /// # Errors
    /// As `accessor`; and the tensor is an input, or a view or clone of one.
    #[track_caller]
    pub fn accessor_mut<'a, T: Element, const N: usize>(
        &'a mut self,
        q7: &'a Q7,
    ) -> Result<AccessorMut<'a, T, N>> {
        self.open_ranked::<T>(q7, Access::Write, N)?;
        let reads = q7.cursor(Access::Read, self.dtype().size());
        let writes = q7.cursor(Access::Write, self.dtype().size());
        Ok(AccessorMut { grid: Grid::new(self), reads, writes, element: core::marker::PhantomData })
    }
}

macro_rules! grid_methods {
    ($accessor:ident) => {
        impl<T: Element, const N: usize> $accessor<'_, T, N> {
            /// The element at `index`, one number a dimension. Outside the tensor, or where there is no
            /// memory: a fault, and [`Element::POISON`].
            #[inline(always)]
            #[track_caller]
            pub fn get(&self, index: [u32; N]) -> T {
                let site = Location::caller();
                match self.grid.locate(index) {
                    // SAFETY: base and strides are whole elements, and the storage is aligned to them (`Tensor::address`).
                    Some(addr) => unsafe { self.reads.load(addr, site) },
                    None => {
                        cold_path();
                        out_of_bounds(self.reads.q7(), self.grid.tensor, Access::Read, index, site);
                        T::POISON
                    }
                }
            }

            /// Size of dimension `dim`, in elements.
            ///
            /// # Panics
            /// If `dim` is not below `N`.
            #[inline(always)]
            #[track_caller]
            pub const fn size(&self, dim: usize) -> u32 {
                self.grid.sizes[dim]
            }

            /// Number of elements.
            pub const fn numel(&self) -> u64 {
                self.grid.tensor.numel()
            }

            /// Number of dimensions: `N`.
            pub const fn dim(&self) -> usize {
                N
            }
        }
    };
}
grid_methods!(Accessor);
grid_methods!(AccessorMut);

impl<T: Element, const N: usize> AccessorMut<'_, T, N> {
    /// Write the element at `index`, one number a dimension. Outside the tensor, or where there is no memory:
    /// a fault, and nothing is written.
    #[inline(always)]
    #[track_caller]
    pub fn set(&self, index: [u32; N], value: T) {
        let site = Location::caller();
        match self.grid.locate(index) {
            // SAFETY: as in `get`.
            Some(addr) => unsafe { self.writes.store(addr, value, site) },
            None => {
                cold_path();
                out_of_bounds(self.writes.q7(), self.grid.tensor, Access::Write, index, site);
            }
        }
    }
}
