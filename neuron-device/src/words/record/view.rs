//! What travels beside a record: rank, strides and offset.

use crate::words::layout::{Layout, MAX_RANK};

/// What the 48 bytes have no room for: rank, strides and offset, and how much storage there is. It travels beside
/// the record, in the simulator and the test platforms only; the machine has no such thing.
///
/// ```
/// use neuron_device::{ArgRecord, Dtype, HbmAddr, Layout, ViewExtension};
/// let columns = Layout::contiguous(&[2, 3])?.transpose(0, 1)?;
/// let record = ArgRecord::new(HbmAddr::new(0x10_0000_0000), Dtype::F32, &columns)?;
/// assert_eq!(record.parse()?.layout, Layout::contiguous(&[3, 2])?);
/// assert_eq!(record.parse_with(&ViewExtension::new(&columns, 6))?.layout, columns);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewExtension {
    /// Number of dimensions, 0 to 8.
    pub rank: u8,
    /// Size of each dimension, in elements, then zeros; must repeat what the record holds.
    pub sizes: [u32; MAX_RANK],
    /// Stride of each dimension, in elements; those after the last are not looked at.
    pub strides: [u64; MAX_RANK],
    /// Elements from the record's address to element 0.
    pub offset: u64,
    /// Elements of storage at the record's address.
    pub storage_elems: u64,
}

impl ViewExtension {
    /// The extension that carries `layout`, over a storage of `storage_elems` elements.
    pub fn new(layout: &Layout, storage_elems: u64) -> Self {
        let rank = layout.rank();
        let mut extension = Self {
            rank: rank as u8,
            sizes: [0; MAX_RANK],
            strides: [0; MAX_RANK],
            offset: layout.offset(),
            storage_elems,
        };
        extension.sizes[..rank].copy_from_slice(layout.sizes());
        extension.strides[..rank].copy_from_slice(layout.strides());
        extension
    }
}
