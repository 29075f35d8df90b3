//! Tensors a kernel makes on its core's HBM scratch.

use core::panic::Location;

use super::tensor::{Role, Tensor};
use crate::core::q7::Q7;
use crate::words::dtype::Dtype;
use crate::words::element::Element;
use crate::words::error::{Error, ErrorKind, Result, Site};
use crate::words::layout::{Layout, LayoutError};
use crate::words::scalar::Scalar;

/// Elements from which on a tensor is filled by DMA. A store through a window is 240 ns and a copy 1407 ns at least
/// (`docs/machine.md`, section 13), so that six stores cost more than a copy.
const STAGED_FROM: u64 = 6;

impl Q7 {
    /// A contiguous tensor with the dtype and sizes of `like`, on this core's HBM scratch, uninitialised, at
    /// a multiple of 64 bytes. It lives until the op ends and is private to the core.
    ///
    /// # Errors
    /// The scratch has no room: [`HeapState`](crate::HeapState) says what holds it. A core has 32 block descriptors, and
    /// the last block takes all that is left (`docs/machine.md`, section 8). `like` is an empty view whose other sizes
    /// multiply to more than 64 bits hold.
    ///
    /// ```
    /// use neuron_device::{prelude::*, FlatPlatform};
    /// let mut memory = [0; 64];
    /// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory), |q7| {
    ///     let a = q7.empty(Dtype::I32, &[8])?;
    ///     let b = q7.empty_like(&a)?;
    ///     assert_eq!(b.sizes(), &[8]);
    ///     assert!(q7.empty(Dtype::I64, &[1000]).is_err());
    ///     Ok(())
    /// })
    /// # .map_err(|error: Error| error.to_string()).unwrap();
    /// ```
    #[track_caller]
    pub fn empty_like(&self, like: &Tensor) -> Result<Tensor> {
        self.empty(like.dtype(), like.sizes())
    }

    /// A contiguous tensor of this dtype and these sizes, in elements; see [`empty_like`](Self::empty_like).
    ///
    /// # Errors
    /// As `empty_like`; and more than 8 dimensions, or more bytes than 64 bits count.
    #[track_caller]
    pub fn empty(&self, dtype: Dtype, sizes: &[u32]) -> Result<Tensor> {
        let site = Location::caller();
        let error = |kind| Error::at(kind, site).about(SCRATCH_NAME);
        let layout = match Layout::contiguous(sizes) {
            Ok(layout) => layout,
            Err(cause) => return Err(error(ErrorKind::Layout(cause))),
        };
        let Some(bytes) = layout.numel().checked_mul(dtype.size()) else {
            return Err(error(ErrorKind::Layout(LayoutError::TooLarge)));
        };
        let allocated = self.scratch.borrow_mut().allocate(bytes, site);
        match allocated {
            Ok(storage) => {
                self.observer(|observer| observer.allocated(storage, dtype, &layout, site));
                Ok(Tensor::new(storage, (dtype, layout), SCRATCH_NAME, self.stamp(), Role::Scratch))
            }
            Err(kind) => Err(error(kind)),
        }
    }

    /// A contiguous tensor of this dtype and these sizes with `value` everywhere, as by `torch.full`; it is made as by
    /// [`empty`](Self::empty).
    ///
    /// A tensor of six elements or more is filled through TCM: a block, as large as the tensor or as the largest hole, is
    /// filled once and copied as often as it takes, and given back. A smaller one, or one for which TCM has no room, is
    /// written element by element.
    ///
    /// # Errors
    /// As `empty`; and a value that the dtype does not hold. As in torch, a fraction is cut off, a floating-point value
    /// that is rounded fits, and `-1` is 255 as u8.
    ///
    /// ```
    /// use neuron_device::{prelude::*, FlatPlatform, Tcm};
    /// let (mut memory, mut tcm) = ([0; 64], Tcm::new());
    /// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory).with_tcm(&mut tcm), |q7| {
    ///     let halves = q7.full(Dtype::BF16, &[2, 4], 0.5f32)?;
    ///     assert_eq!(halves.accessor::<bf16, 2>(q7)?.get([1, 3]), bf16::from_f32(0.5));
    ///     let error = q7.full(Dtype::I8, &[4], 300).unwrap_err();
    ///     assert!(error.to_string().contains("cannot be filled with 300, which i8 does not hold"), "{error}");
    ///     Ok(())
    /// })
    /// # .map_err(|error: Error| error.to_string()).unwrap();
    /// ```
    #[track_caller]
    pub fn full(&self, dtype: Dtype, sizes: &[u32], value: impl Into<Scalar>) -> Result<Tensor> {
        let value = value.into();
        let Some(value) = value.filling(dtype) else {
            return Err(Error::new(ErrorKind::Fill { value, dtype }).about(SCRATCH_NAME));
        };
        let tensor = self.empty(dtype, sizes)?;
        self.fill(&tensor, value, Location::caller());
        Ok(tensor)
    }

    /// A contiguous tensor of zeros of this dtype and these sizes, as by `torch.zeros`; see [`full`](Self::full).
    ///
    /// # Errors
    /// As [`empty`](Self::empty).
    ///
    /// ```
    /// use neuron_device::{prelude::*, FlatPlatform};
    /// let mut memory = [u64::MAX; 64];
    /// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory), |q7| {
    ///     let sums = q7.zeros(Dtype::I32, &[4])?;
    ///     assert_eq!(sums.elements::<i32>(q7)?.get(3), 0);
    ///     Ok(())
    /// })
    /// # .map_err(|error: Error| error.to_string()).unwrap();
    /// ```
    #[track_caller]
    pub fn zeros(&self, dtype: Dtype, sizes: &[u32]) -> Result<Tensor> {
        self.full(dtype, sizes, 0_i8)
    }

    /// A contiguous tensor of ones of this dtype and these sizes, as by `torch.ones`; see [`full`](Self::full).
    ///
    /// # Errors
    /// As [`empty`](Self::empty).
    ///
    /// ```
    /// use neuron_device::{prelude::*, FlatPlatform};
    /// let mut memory = [0; 64];
    /// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory), |q7| {
    ///     let weights = q7.ones(Dtype::F16, &[4])?;
    ///     assert_eq!(weights.elements::<f16>(q7)?.get(3), f16::ONE);
    ///     Ok(())
    /// })
    /// # .map_err(|error: Error| error.to_string()).unwrap();
    /// ```
    #[track_caller]
    pub fn ones(&self, dtype: Dtype, sizes: &[u32]) -> Result<Tensor> {
        self.full(dtype, sizes, 1_i8)
    }

    /// A matrix of `n` rows and `m` columns with ones at `[i, i]` and zeros elsewhere, as by `torch.eye`; see
    /// [`full`](Self::full) for the zeros, and the ones are written element by element.
    ///
    /// # Errors
    /// As [`empty`](Self::empty).
    ///
    /// ```
    /// use neuron_device::{prelude::*, FlatPlatform};
    /// let mut memory = [0; 64];
    /// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory), |q7| {
    ///     let unit = q7.eye(Dtype::I32, 2, 3)?;
    ///     let cells = unit.elements::<i32>(q7)?;
    ///     assert!((0..6).map(|i| cells.get(i)).eq([1, 0, 0, 0, 1, 0]));
    ///     Ok(())
    /// })
    /// # .map_err(|error: Error| error.to_string()).unwrap();
    /// ```
    #[track_caller]
    pub fn eye(&self, dtype: Dtype, n: u32, m: u32) -> Result<Tensor> {
        let tensor = self.zeros(dtype, &[n, m])?;
        if let Some(one) = Scalar::I8(1).filling(dtype) {
            let site = Location::caller();
            let each = |i: u32| self.store_bits(&tensor, u64::from(i) * (u64::from(m) + 1), one, site);
            (0..n.min(m)).for_each(each);
        }
        Ok(tensor)
    }

    /// Write `value`, which is of the tensor's dtype, everywhere.
    fn fill(&self, tensor: &Tensor, value: Scalar, site: Site) {
        let (bytes, size) = value.to_bytes();
        match size {
            1 => self.fill_words(tensor, bytes[0], site),
            2 => self.fill_words(tensor, i64::from_le_bytes(bytes) as i16, site),
            4 => self.fill_words(tensor, i64::from_le_bytes(bytes) as i32, site),
            _ => self.fill_words(tensor, i64::from_le_bytes(bytes), site),
        }
    }

    /// Write element `index` of a tensor that has one there.
    fn store_bits(&self, tensor: &Tensor, index: u64, value: Scalar, site: Site) {
        let (bytes, size) = value.to_bytes();
        match size {
            1 => tensor.store_alone(self, index, bytes[0], site),
            2 => tensor.store_alone(self, index, i64::from_le_bytes(bytes) as i16, site),
            4 => tensor.store_alone(self, index, i64::from_le_bytes(bytes) as i32, site),
            _ => tensor.store_alone(self, index, i64::from_le_bytes(bytes), site),
        }
    }

    /// Write `bits` to each element, which has as many bytes.
    fn fill_words<T: Element>(&self, tensor: &Tensor, bits: T, site: Site) {
        let numel = tensor.numel();
        let tile = numel.min(u64::from(self.tcm_largest_free()) / size_of::<T>() as u64);
        if tile >= STAGED_FROM
            // A pool has at most 64 KiB.
            && let Ok(mut block) = self.tcm_malloc_from::<T>(tile as u32, site)
        {
            block.fill(bits);
            let mut next = 0;
            while next < numel {
                let len = tile.min(numel - next);
                tensor.copy_out(self, next, len, block.addr(), site);
                next += len;
            }
            return;
        }
        (0..numel).for_each(|index| tensor.store_alone(self, index, bits, site));
    }
}

/// What reports call a tensor the kernel made, and a block it took.
pub(super) const SCRATCH_NAME: &str = "scratch";

#[cfg(test)]
mod tests;
