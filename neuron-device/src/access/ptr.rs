//! [`Q7Ptr`]: the vendor's pointer into HBM.

use core::fmt;
use core::marker::PhantomData;

use static_assertions::const_assert_eq;

use super::tensor::Tensor;
use crate::words::addr::HbmAddr;
use crate::words::element::Element;
use crate::words::error::{ErrorKind, Result};

/// A typed pointer into HBM, 16 bytes on every target as on the device (`docs/machine.md`, section 5).
///
/// Address 0 is valid, so null is a flag. Arithmetic never translates. Holding one proves only which type the author
/// claims is there; reading through it is for a raw layer, which is not there yet.
///
/// ```
/// use neuron_device::{HbmAddr, Q7Ptr};
/// let p = Q7Ptr::<f32>::new(HbmAddr::new(0));
/// assert!(!p.is_null());
/// assert_eq!(p.add(3).and_then(Q7Ptr::addr), Some(HbmAddr::new(12)));
/// assert_eq!(Q7Ptr::<f32>::null().add(1), None);
/// ```
#[repr(C, align(8))]
pub struct Q7Ptr<T> {
    addr: u64,
    context: u32,
    is_null: bool,
    pointee: PhantomData<T>,
}

const_assert_eq!(size_of::<Q7Ptr<f32>>(), 16);
const_assert_eq!(align_of::<Q7Ptr<f32>>(), 8);
const_assert_eq!(core::mem::offset_of!(Q7Ptr<f32>, addr), 0);
const_assert_eq!(core::mem::offset_of!(Q7Ptr<f32>, context), 8);
const_assert_eq!(core::mem::offset_of!(Q7Ptr<f32>, is_null), 12);

impl<T> Q7Ptr<T> {
    /// A pointer to `addr`.
    pub const fn new(addr: HbmAddr) -> Self {
        Self { addr: addr.get(), context: 0, is_null: false, pointee: PhantomData }
    }

    /// The null pointer.
    pub const fn null() -> Self {
        Self { addr: 0, context: 0, is_null: true, pointee: PhantomData }
    }

    /// Is this the null pointer? One to address 0 is not.
    pub const fn is_null(self) -> bool {
        self.is_null
    }

    /// The address; `None` if null.
    pub const fn addr(self) -> Option<HbmAddr> {
        if self.is_null { None } else { Some(HbmAddr::new(self.addr)) }
    }

    /// The pointer `count` elements further, each of `size_of::<T>()` bytes; `None` from null or past the
    /// 64-bit space.
    pub const fn add(self, count: u64) -> Option<Self> {
        match (self.addr(), count.checked_mul(size_of::<T>() as u64)) {
            (Some(addr), Some(bytes)) => match addr.checked_add(bytes) {
                Some(addr) => Some(Self::new(addr)),
                None => None,
            },
            _ => None,
        }
    }
}

impl<T> Clone for Q7Ptr<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Q7Ptr<T> {}

impl<T> PartialEq for Q7Ptr<T> {
    fn eq(&self, other: &Self) -> bool {
        self.addr() == other.addr()
    }
}

impl<T> Eq for Q7Ptr<T> {}

impl<T> fmt::Debug for Q7Ptr<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.addr() {
            Some(addr) => write!(f, "Q7Ptr({addr})"),
            None => f.write_str("Q7Ptr(null)"),
        }
    }
}

impl Tensor {
    /// A pointer to element 0 (the vendor's `q7_data_ptr`); null for an empty tensor.
    ///
    /// # Errors
    /// The dtype is not `T`'s. A tensor of another launch is not refused here: a pointer gives no access.
    ///
    /// ```
    /// use neuron_device::{prelude::*, FlatPlatform, Q7Ptr};
    /// let mut memory = [0; 64];
    /// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory), |q7| {
    ///     let t = q7.empty(Dtype::F32, &[4])?;
    ///     assert_eq!(t.slice(0, 2, 4, 1)?.q7_data_ptr::<f32>()?, Q7Ptr::new(t.storage()).add(2).unwrap());
    ///     Ok(())
    /// })
    /// # .map_err(|error: Error| error.to_string()).unwrap();
    /// ```
    #[track_caller]
    pub fn q7_data_ptr<T: Element>(&self) -> Result<Q7Ptr<T>> {
        if self.dtype() != T::DTYPE {
            return Err(self.error(ErrorKind::Dtype { wanted: T::DTYPE, found: self.dtype() }));
        }
        if self.numel() == 0 {
            return Ok(Q7Ptr::null());
        }
        Ok(Q7Ptr::new(HbmAddr::new(self.address(self.layout().offset()))))
    }
}
