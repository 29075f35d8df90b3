//! The 48-byte argument record: how a tensor's description reaches a core.
//!
//! Source of every offset and limit: `docs/machine.md`, section 9. The view extension beside it is this project's own.

mod error;
mod view;

use bytemuck::{Pod, Zeroable};
use static_assertions::const_assert_eq;

pub use self::error::RecordError;
pub use self::view::ViewExtension;
use super::addr::HbmAddr;
use super::dtype::{Dtype, WireDtype};
use super::error::Sizes;
use super::layout::{Layout, LayoutError, MAX_RANK};

/// Most arguments an op may take, core and destination not counted (`docs/machine.md`, section 9).
///
/// ```
/// use neuron_device::{MAX_ARGUMENTS, prelude::*};
/// # #[custom_op]
/// # fn add(q7: &Q7, x: &Tensor, y: &Tensor, out: &mut Tensor) -> Result<()> {
/// #     let _ = (q7, x, y, out);
/// #     Ok(())
/// # }
/// // fn add(q7: &Q7, x: &Tensor, y: &Tensor, out: &mut Tensor) -> Result<()>
/// assert_eq!(MAX_ARGUMENTS - op!(add).parameters().len(), 8); // room for eight more
/// ```
pub const MAX_ARGUMENTS: usize = 10;

/// `location` of a tensor in HBM.
const LOCATION_HBM: u8 = 2;
/// `shape_type` of 8 dimensions of 16 bits.
const INLINE_8D: u8 = 0;
/// `shape_type` of 4 dimensions of 32 bits.
const INLINE_4D: u8 = 2;

/// A tensor argument as the wire carries it: 48 bytes, little-endian (`docs/machine.md`, section 9).
///
/// It has no rank, no strides and no offset. Dimensions after the last are 0, so rank 0 and empty tensors need a
/// [`ViewExtension`]. Holding one proves nothing: [`parse`](Self::parse) checks it.
///
/// ```
/// use neuron_device::{ArgRecord, Dtype, HbmAddr, Layout};
/// let layout = Layout::contiguous(&[2, 3])?;
/// let record = ArgRecord::new(HbmAddr::new(0x10_0000_0000), Dtype::F32, &layout)?;
/// let parsed = record.parse()?;
/// assert_eq!((parsed.dtype, parsed.layout), (Dtype::F32, layout));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, align(8))]
pub struct ArgRecord {
    location: u8,
    shape_type: u8,
    dtype: u8,
    reserved: [u8; 5],
    shape: [u8; 16],
    addr: u64,
    num_elem: u32,
    unused: [u8; 12],
}

const_assert_eq!(size_of::<ArgRecord>(), 48);
const_assert_eq!(align_of::<ArgRecord>(), 8);
const_assert_eq!(core::mem::offset_of!(ArgRecord, location), 0);
const_assert_eq!(core::mem::offset_of!(ArgRecord, shape_type), 1);
const_assert_eq!(core::mem::offset_of!(ArgRecord, dtype), 2);
const_assert_eq!(core::mem::offset_of!(ArgRecord, shape), 8);
const_assert_eq!(core::mem::offset_of!(ArgRecord, addr), 24);
const_assert_eq!(core::mem::offset_of!(ArgRecord, num_elem), 32);

/// What a record says, checked: the address is a multiple of the element size, the layout stays inside the
/// storage, and the storage inside the 64-bit address space. Whether memory is there, nobody has checked.
///
/// ```
/// use neuron_device::{ArgRecord, Dtype, HbmAddr, Layout, ParsedRecord};
/// let record = ArgRecord::new(HbmAddr::new(0x1000), Dtype::I16, &Layout::contiguous(&[5])?)?;
/// let ParsedRecord { storage, storage_elems, dtype, .. } = record.parse()?;
/// assert_eq!(storage.checked_add(storage_elems * dtype.size()), Some(HbmAddr::new(0x100A)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParsedRecord {
    /// Where the storage begins.
    pub storage: HbmAddr,
    /// Elements the storage holds.
    pub storage_elems: u64,
    /// Element type.
    pub dtype: Dtype,
    /// Sizes, strides and offset.
    pub layout: Layout,
}

impl ArgRecord {
    /// The record of a tensor whose storage begins at `addr` in HBM. Of the layout it holds the sizes;
    /// strides and offset go into a [`ViewExtension`].
    ///
    /// # Errors
    /// Sizes that fit neither shape form, more than `u32::MAX` elements, or an address not aligned to the element.
    pub fn new(addr: HbmAddr, dtype: Dtype, layout: &Layout) -> Result<Self, RecordError> {
        let sizes = layout.sizes();
        let mut shape = [0; 16];
        let shape_type = if sizes.iter().all(|&size| size <= u32::from(u16::MAX)) {
            for (slot, &size) in shape.chunks_exact_mut(2).zip(sizes) {
                slot.copy_from_slice(&(size as u16).to_le_bytes());
            }
            INLINE_8D
        } else if sizes.len() <= 4 {
            for (slot, &size) in shape.chunks_exact_mut(4).zip(sizes) {
                slot.copy_from_slice(&size.to_le_bytes());
            }
            INLINE_4D
        } else {
            return Err(RecordError::Dims(Sizes::new(sizes)));
        };
        let num_elem =
            u32::try_from(layout.numel()).map_err(|_| RecordError::TooManyElements(layout.numel()))?.to_le();
        let record = Self {
            location: LOCATION_HBM,
            shape_type,
            dtype: dtype.wire() as u8,
            reserved: [0; 5],
            shape,
            addr: addr.get().to_le(),
            num_elem,
            unused: [0; 12],
        };
        record.check_alignment(dtype)?;
        Ok(record)
    }

    /// The 48 bytes.
    pub fn as_bytes(&self) -> &[u8; 48] {
        bytemuck::cast_ref(self)
    }

    /// The record these 48 bytes are. Any bytes will do: [`parse`](Self::parse) checks them.
    pub fn from_bytes(bytes: &[u8; 48]) -> Self {
        bytemuck::pod_read_unaligned(bytes)
    }

    /// What the record says by itself: a contiguous tensor of rank 1 to 8 without empty dimensions. The first
    /// 0 ends the dimensions.
    ///
    /// # Errors
    /// The first wrong field, with its byte offset and value.
    pub fn parse(&self) -> Result<ParsedRecord, RecordError> {
        let (mut sizes, dtype) = self.parse_head()?;
        let rank = sizes.iter().position(|&size| size == 0).unwrap_or(MAX_RANK);
        if rank == 0 {
            return Err(RecordError::RankZero);
        }
        sizes[rank..].fill(0);
        let layout = Layout::contiguous(&sizes[..rank])?;
        self.checked(dtype, layout, layout.numel())
    }

    /// What the record and its extension say together.
    ///
    /// # Errors
    /// The first wrong field; sizes on which the two disagree; a view that reaches beyond its storage.
    pub fn parse_with(&self, view: &ViewExtension) -> Result<ParsedRecord, RecordError> {
        let (sizes, dtype) = self.parse_head()?;
        let rank = usize::from(view.rank);
        if rank > MAX_RANK {
            return Err(RecordError::Layout(LayoutError::TooManyDims(rank)));
        }
        if view.sizes != sizes || sizes[rank..].iter().any(|&size| size != 0) {
            return Err(RecordError::Extension);
        }
        let layout = Layout::strided(&sizes[..rank], &view.strides[..rank], view.offset)?;
        self.checked(dtype, layout, view.storage_elems)
    }

    /// The dimensions as stored (zeros after the last) and the dtype.
    fn parse_head(&self) -> Result<([u32; MAX_RANK], Dtype), RecordError> {
        if self.location != LOCATION_HBM {
            return Err(RecordError::Location(self.location));
        }
        let mut sizes = [0; MAX_RANK];
        match self.shape_type {
            INLINE_8D => {
                for (size, bytes) in sizes.iter_mut().zip(self.shape.chunks_exact(2)) {
                    *size = u32::from(u16::from_le_bytes([bytes[0], bytes[1]]));
                }
            }
            INLINE_4D => {
                for (size, bytes) in sizes.iter_mut().zip(self.shape.chunks_exact(4)) {
                    *size = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
                }
            }
            other => return Err(RecordError::ShapeType(other)),
        }
        let dtype = WireDtype::from_code(self.dtype)
            .and_then(WireDtype::crosses)
            .ok_or(RecordError::Dtype(self.dtype))?;
        Ok((sizes, dtype))
    }

    fn checked(&self, dtype: Dtype, layout: Layout, storage_elems: u64) -> Result<ParsedRecord, RecordError> {
        let stated = u32::from_le(self.num_elem);
        if u64::from(stated) != layout.numel() {
            return Err(RecordError::Count { stated, product: layout.numel() });
        }
        if layout.extent() > storage_elems {
            return Err(RecordError::Extent { extent: layout.extent(), storage: storage_elems });
        }
        self.check_alignment(dtype)?;
        let storage = HbmAddr::new(u64::from_le(self.addr));
        storage_elems
            .checked_mul(dtype.size())
            .and_then(|bytes| storage.checked_add(bytes))
            .ok_or(RecordError::AddressSpace(storage))?;
        Ok(ParsedRecord { storage, storage_elems, dtype, layout })
    }

    fn check_alignment(&self, dtype: Dtype) -> Result<(), RecordError> {
        let addr = HbmAddr::new(u64::from_le(self.addr));
        if addr.is_aligned_to(dtype.size()) {
            Ok(())
        } else {
            Err(RecordError::Misaligned { addr, align: dtype.size() })
        }
    }
}

#[cfg(test)]
mod tests;
