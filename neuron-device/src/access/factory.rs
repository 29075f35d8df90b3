//! Tensors a kernel makes on its core's HBM scratch.

use core::panic::Location;

use super::tensor::{Role, Tensor};
use crate::core::q7::Q7;
use crate::words::dtype::Dtype;
use crate::words::error::{Error, ErrorKind, Result};
use crate::words::layout::{Layout, LayoutError};

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
}

/// What reports call a tensor the kernel made, and a block it took.
pub(super) const SCRATCH_NAME: &str = "scratch";
