//! The 48-byte argument record: how a tensor's description reaches a core.
//!
//! Source of every offset and limit: `docs/machine.md`, section 9. The view extension beside it is this project's own.

mod error;
mod view;

use bytemuck::{Pod, Zeroable};
use static_assertions::const_assert_eq;

pub use self::error::RecordError;
pub use self::view::ViewExtension;
use super::addr::{HbmAddr, NxAddr};
use super::dtype::{Dtype, WireDtype};
use super::error::Sizes;
use super::layout::{Layout, LayoutError, MAX_RANK};
use super::sbuf::SbufAddresses;

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

/// `location` of a tensor in SBUF.
const LOCATION_SBUF: u8 = 1;
/// `location` of a tensor in HBM.
const LOCATION_HBM: u8 = 2;
/// `shape_type` of 8 dimensions of 16 bits.
const INLINE_8D: u8 = 0;
/// `shape_type` of dimensions that are elsewhere, on which the device aborts.
const OUT_OF_LINE: u8 = 1;
/// `shape_type` of 4 dimensions of 32 bits.
const INLINE_4D: u8 = 2;

/// A tensor argument as the wire carries it: 48 bytes, little-endian (`docs/machine.md`, section 9).
///
/// It has no rank, no strides and no offset. Dimensions after the last are 0, so rank 0 and empty tensors need a
/// [`ViewExtension`]. Holding one proves nothing: [`parse`](Self::parse) checks it. Bytes that no field has (3 to 7,
/// and from 36 or, in SBUF, from 40 on) are not looked at.
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
    storage: [u8; 16],
    unused: [u8; 8],
}

const_assert_eq!(size_of::<ArgRecord>(), 48);
const_assert_eq!(align_of::<ArgRecord>(), 8);
const_assert_eq!(core::mem::offset_of!(ArgRecord, location), 0);
const_assert_eq!(core::mem::offset_of!(ArgRecord, shape_type), 1);
const_assert_eq!(core::mem::offset_of!(ArgRecord, dtype), 2);
const_assert_eq!(core::mem::offset_of!(ArgRecord, shape), 8);
const_assert_eq!(core::mem::offset_of!(ArgRecord, storage), 24);

/// Where a record says that its storage begins (`docs/machine.md`, sections 3 and 9).
///
/// ```
/// use neuron_device::{ArgRecord, Dtype, Layout, NxAddr, SbufAddresses, Storage};
/// let at = NxAddr::new(0x8000_0100);
/// for addresses in [SbufAddresses::Local, SbufAddresses::Offsets] {
///     let record = ArgRecord::in_sbuf(at, addresses, Dtype::F32, &Layout::contiguous(&[2, 3])?, 2)?;
///     assert_eq!(record.parse_as(addresses, None)?.storage, Storage::Sbuf(at));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// In HBM, which a core reaches by translation.
    Hbm(HbmAddr),
    /// In SBUF, at this local address of the pinned window.
    Sbuf(NxAddr),
}

/// What a record says, checked: the address is a multiple of the element size, the layout stays inside the
/// storage, and the storage inside the 64-bit address space, or SBUF. Whether memory is there, nobody has
/// checked.
///
/// ```
/// use neuron_device::{ArgRecord, Dtype, HbmAddr, Layout, ParsedRecord, Storage};
/// let record = ArgRecord::new(HbmAddr::new(0x1000), Dtype::I16, &Layout::contiguous(&[5])?)?;
/// let ParsedRecord { storage, storage_elems, dtype, .. } = record.parse()?;
/// assert_eq!(storage, Storage::Hbm(HbmAddr::new(0x1000)));
/// assert_eq!(storage_elems * dtype.size(), 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParsedRecord {
    /// Where the storage begins.
    pub storage: Storage,
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
        let (mut record, num_elem) = Self::of_shape(LOCATION_HBM, dtype, layout)?;
        record.storage[..8].copy_from_slice(&addr.get().to_le_bytes());
        record.storage[8..12].copy_from_slice(&num_elem.to_le_bytes());
        record.check_alignment(addr.get(), dtype)?;
        Ok(record)
    }

    /// The record of a tensor in SBUF, whose storage begins at a local address of the pinned window, for a machine that
    /// takes such `addresses`; spread over so many partitions, each of which holds one block of elements.
    ///
    /// # Errors
    /// As [`new`](Self::new); no partition; a tensor that is not, or not all, in SBUF.
    pub fn in_sbuf(
        at: NxAddr,
        addresses: SbufAddresses,
        dtype: Dtype,
        layout: &Layout,
        partitions: u8,
    ) -> Result<Self, RecordError> {
        let (mut record, num_elem) = Self::of_shape(LOCATION_SBUF, dtype, layout)?;
        if partitions == 0 {
            return Err(RecordError::NoPartitions);
        }
        let block = num_elem.div_ceil(partitions.into());
        let word = addresses.written(at);
        record.storage[..4].copy_from_slice(&word.to_le_bytes());
        record.storage[4..8].copy_from_slice(&num_elem.to_le_bytes());
        record.storage[8] = partitions;
        record.storage[12..].copy_from_slice(&block.to_le_bytes());
        record.check_alignment(word.into(), dtype)?;
        in_sbuf(addresses, word, u64::from(num_elem) * dtype.size())?;
        Ok(record)
    }

    /// The record but for its storage, and its number of elements.
    fn of_shape(location: u8, dtype: Dtype, layout: &Layout) -> Result<(Self, u32), RecordError> {
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
            u32::try_from(layout.numel()).map_err(|_| RecordError::TooManyElements(layout.numel()))?;
        let dtype = dtype.wire() as u8;
        let record =
            Self { location, shape_type, dtype, reserved: [0; 5], shape, storage: [0; 16], unused: [0; 8] };
        Ok((record, num_elem))
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
    /// 0 ends the dimensions. An address in SBUF is taken for a local one.
    ///
    /// # Errors
    /// The first wrong field, with its byte offset and value.
    pub fn parse(&self) -> Result<ParsedRecord, RecordError> {
        self.parse_as(SbufAddresses::Local, None)
    }

    /// What the record and its extension, if there is one, say to a machine with such addresses in SBUF.
    ///
    /// # Errors
    /// As [`parse`](Self::parse) and [`parse_with`](Self::parse_with).
    pub fn parse_as(
        &self,
        addresses: SbufAddresses,
        view: Option<&ViewExtension>,
    ) -> Result<ParsedRecord, RecordError> {
        match view {
            Some(view) => self.parse_viewed(addresses, view),
            None => self.parse_alone(addresses),
        }
    }

    fn parse_alone(&self, addresses: SbufAddresses) -> Result<ParsedRecord, RecordError> {
        let (sizes, dtype) = self.parse_head()?;
        let rank = sizes.iter().position(|&size| size == 0).unwrap_or(MAX_RANK);
        if rank == 0 {
            return Err(RecordError::RankZero);
        }
        if let Some(after) = sizes[rank..].iter().position(|&size| size != 0) {
            let byte = 8 + (rank + after) as u8 * if self.shape_type == INLINE_8D { 2 } else { 4 };
            return Err(RecordError::AfterTheLast { byte, size: sizes[rank + after] });
        }
        let sizes = &sizes[..rank];
        let layout = Layout::contiguous(sizes).map_err(|_| RecordError::Product(Sizes::new(sizes)))?;
        self.checked(addresses, dtype, layout, layout.numel())
    }

    /// What the record and its extension say together. An address in SBUF is taken for a local one.
    ///
    /// # Errors
    /// The first wrong field; sizes on which the two disagree; a view that reaches beyond its storage.
    pub fn parse_with(&self, view: &ViewExtension) -> Result<ParsedRecord, RecordError> {
        self.parse_as(SbufAddresses::Local, Some(view))
    }

    fn parse_viewed(
        &self,
        addresses: SbufAddresses,
        view: &ViewExtension,
    ) -> Result<ParsedRecord, RecordError> {
        let (sizes, dtype) = self.parse_head()?;
        let rank = usize::from(view.rank);
        if rank > MAX_RANK {
            return Err(RecordError::Layout(LayoutError::TooManyDims(rank)));
        }
        let differs = |dim: &usize| view.sizes[*dim] != sizes[*dim] || (*dim >= rank && sizes[*dim] != 0);
        if let Some(dim) = (0..MAX_RANK).find(differs) {
            let (record, extension) = (sizes[dim], view.sizes[dim]);
            return Err(RecordError::Extension { dim: dim as u8, rank: view.rank, record, extension });
        }
        let layout = Layout::strided(&sizes[..rank], &view.strides[..rank], view.offset)?;
        self.checked(addresses, dtype, layout, view.storage_elems)
    }

    /// The dimensions as stored (zeros after the last) and the dtype.
    fn parse_head(&self) -> Result<([u32; MAX_RANK], Dtype), RecordError> {
        if !matches!(self.location, LOCATION_HBM | LOCATION_SBUF) {
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
        let dtype = WireDtype::gate(self.dtype).map_err(RecordError::Dtype)?;
        Ok((sizes, dtype))
    }

    fn checked(
        &self,
        addresses: SbufAddresses,
        dtype: Dtype,
        layout: Layout,
        storage_elems: u64,
    ) -> Result<ParsedRecord, RecordError> {
        let is_in_sbuf = self.location == LOCATION_SBUF;
        let byte = if is_in_sbuf { 28 } else { 32 };
        let stated = self.word(byte);
        if u64::from(stated) != layout.numel() {
            return Err(RecordError::Count { byte: byte as u8, stated, product: layout.numel() });
        }
        if layout.extent() > storage_elems {
            return Err(RecordError::Extent { extent: layout.extent(), storage: storage_elems });
        }
        let bytes = storage_elems.checked_mul(dtype.size());
        let storage = if is_in_sbuf {
            let word = self.word(24);
            self.check_alignment(word.into(), dtype)?;
            self.check_partitions(stated)?;
            // More than SBUF has, if it is more than 64 bits hold.
            Storage::Sbuf(in_sbuf(addresses, word, bytes.unwrap_or(u64::MAX))?)
        } else {
            let addr = HbmAddr::new(u64::from(self.word(24)) | u64::from(self.word(28)) << 32);
            self.check_alignment(addr.get(), dtype)?;
            bytes.and_then(|bytes| addr.checked_add(bytes)).ok_or(RecordError::AddressSpace(addr))?;
            Storage::Hbm(addr)
        };
        Ok(ParsedRecord { storage, storage_elems, dtype, layout })
    }

    /// The partitions of a tensor in SBUF hold its elements, a block each.
    fn check_partitions(&self, elems: u32) -> Result<(), RecordError> {
        let (partitions, block) = (self.storage[8], self.word(36));
        if partitions == 0 {
            return Err(RecordError::NoPartitions);
        }
        if u64::from(partitions) * u64::from(block) < elems.into() {
            return Err(RecordError::Blocks { block, partitions, elems });
        }
        Ok(())
    }

    /// The word at this byte of the record, which is in its storage.
    fn word(&self, byte: usize) -> u32 {
        let at = byte - 24;
        let mut word = [0; 4];
        word.copy_from_slice(&self.storage[at..at + 4]);
        u32::from_le_bytes(word)
    }

    fn check_alignment(&self, addr: u64, dtype: Dtype) -> Result<(), RecordError> {
        if addr.is_multiple_of(dtype.size()) {
            Ok(())
        } else {
            Err(RecordError::Misaligned { addr, align: dtype.size() })
        }
    }
}

/// Where in SBUF the word of a record says that so many bytes are.
fn in_sbuf(addresses: SbufAddresses, word: u32, bytes: u64) -> Result<NxAddr, RecordError> {
    addresses.read(word, bytes).ok_or(RecordError::NotSbuf { addresses, word, bytes })
}

#[cfg(test)]
mod tests;
