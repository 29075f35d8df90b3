//! [`Q7Ptr`]: the vendor's pointer into HBM.

use core::fmt;
use core::marker::PhantomData;
use core::panic::Location;

use static_assertions::const_assert_eq;

use super::factory::SCRATCH_NAME;
use super::tensor::Tensor;
use crate::core::q7::Q7;
use crate::port::observe::RawPath;
use crate::words::addr::HbmAddr;
use crate::words::element::Element;
use crate::words::error::{ErrorKind, Result};

/// A typed pointer into HBM, 16 bytes on every target as on the device (`docs/machine.md`, section 5).
///
/// Address 0 is valid, so null is a flag. Arithmetic never translates; each [`load`](Self::load) and
/// [`store`](Self::store) does. Holding one proves only which type the author claims is there.
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
    /// A pointer to `addr`, derived from no tensor.
    pub const fn new(addr: HbmAddr) -> Self {
        Self::derived(addr, 0)
    }

    /// A pointer to the start of a block of [`Q7::neuron_hbm_allocate`]. The simulator finds that it left the block, and
    /// that the block was given back; of a bare address it knows no more than what is there.
    pub const fn in_block(block: HbmAddr) -> Self {
        Self::derived(block, RawPath::context(block, SCRATCH_NAME))
    }

    const fn derived(addr: HbmAddr, context: u32) -> Self {
        Self { addr: addr.get(), context, is_null: false, pointee: PhantomData }
    }

    /// Which tensor it was derived from, kept by arithmetic: [`RawPath::context`](crate::RawPath::context) of storage and
    /// name; 0 if it was made of a bare address. By it the simulator finds that a pointer left its tensor.
    pub const fn context(self) -> u32 {
        self.context
    }

    /// The same address, as a pointer to another type.
    ///
    /// ```
    /// use neuron_device::{HbmAddr, Q7Ptr};
    /// let floats = Q7Ptr::<f32>::new(HbmAddr::new(64));
    /// assert_eq!(floats.cast::<u8>().add(4), floats.add(1).map(Q7Ptr::cast));
    /// ```
    pub const fn cast<U>(self) -> Q7Ptr<U> {
        Q7Ptr { addr: self.addr, context: self.context, is_null: self.is_null, pointee: PhantomData }
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
                Some(addr) => Some(Self::derived(addr, self.context)),
                None => None,
            },
            _ => None,
        }
    }

    /// The pointer `count` elements before, each of `size_of::<T>()` bytes; `None` from null or before address 0.
    pub const fn sub(self, count: u64) -> Option<Self> {
        match (self.addr(), count.checked_mul(size_of::<T>() as u64)) {
            (Some(addr), Some(bytes)) => match addr.get().checked_sub(bytes) {
                Some(addr) => Some(Self::derived(HbmAddr::new(addr), self.context)),
                None => None,
            },
            _ => None,
        }
    }
}

impl<T: Element> Q7Ptr<T> {
    /// Read the element it points to, by translation. A fault, and [`Element::POISON`]: the null pointer, an address that
    /// is no multiple of the element's size, or where there is no memory. The simulator also finds a pointer outside the
    /// tensor it was derived from.
    ///
    /// # Safety
    /// On a chip there must be an element of type `T`. In the simulator a breach is a fault and nothing worse.
    ///
    /// ```
    /// use neuron_device::{prelude::*, FlatPlatform};
    /// let mut memory = [0; 64];
    /// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory), |q7| {
    ///     let x = q7.empty(Dtype::I32, &[4])?;
    ///     let last = x.q7_data_ptr::<i32>()?.add(3).unwrap();
    ///     // SAFETY: the last of the four elements.
    ///     unsafe { last.store(q7, 7) };
    ///     // SAFETY: as above.
    ///     assert_eq!(unsafe { last.load(q7) }, 7);
    ///     assert_eq!(x.elements::<i32>(q7)?.get(3), 7);
    ///     Ok(())
    /// })
    /// # .map_err(|error: Error| error.to_string()).unwrap();
    /// ```
    #[track_caller]
    pub unsafe fn load(self, q7: &Q7) -> T {
        q7.load_through(self.addr(), self.context, Location::caller())
    }

    /// Write the element it points to; see [`load`](Self::load). After a fault nothing is written.
    ///
    /// # Safety
    /// As for `load`.
    #[track_caller]
    pub unsafe fn store(self, q7: &Q7, value: T) {
        q7.store_through(self.addr(), self.context, value, Location::caller());
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
        let context = RawPath::context(self.storage(), self.name());
        Ok(Q7Ptr::derived(HbmAddr::new(self.address(self.layout().offset())), context))
    }
}
