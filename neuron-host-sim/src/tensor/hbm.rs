//! [`HbmTensor`]: a tensor in simulated HBM or SBUF.

use std::ops::Range;
use std::sync::Arc;

use neuron_device::{
    ArgDescriptor, ArgRecord, Dtype, HbmAddr, Layout, RecordError, SBUF_PARTITIONS, ViewExtension,
};

use super::host::{HostTensor, TensorError};
use crate::hbm::Hbm;
use crate::hbm::allocation::Allocation;
use crate::hbm::map::{is_in_sbuf, local_in_sbuf};
use crate::rows::row_elements;

/// A handle to a tensor in a simulator's HBM, or in its [SBUF](crate::Simulator::to_sbuf). Views and clones share its storage, which is freed with the last of them.
///
/// ```
/// use neuron_host_sim::{HostTensor, Simulator};
/// let mut sim = Simulator::new()?;
/// let base = sim.upload(&HostTensor::from_slice(&[8], &[0i32; 8])?)?;
/// let upper = base.slice(0, 4, 8, 1)?;
/// assert_eq!((upper.sizes(), upper.layout().offset()), (&[4][..], 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct HbmTensor {
    allocation: Arc<Allocation>,
    elems: u64,
    dtype: Dtype,
    layout: Layout,
}

impl HbmTensor {
    pub(crate) fn new(allocation: Arc<Allocation>, elems: u64, dtype: Dtype, layout: Layout) -> Self {
        Self { allocation, elems, dtype, layout }
    }

    /// Where the storage begins: a multiple of 4096 bytes.
    pub fn storage(&self) -> HbmAddr {
        self.allocation.start()
    }

    /// Is it in SBUF, rather than in HBM?
    ///
    /// ```
    /// use neuron_host_sim::{HostTensor, Simulator};
    /// let (mut sim, x) = (Simulator::new()?, HostTensor::scalar(1.0f32));
    /// assert!(sim.to_sbuf(&x)?.is_in_sbuf() && !sim.upload(&x)?.is_in_sbuf());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_in_sbuf(&self) -> bool {
        is_in_sbuf(self.storage())
    }

    /// Copy it to the host, in its own layout: what lies between its first element and its last, and no more.
    /// During a launch in another thread it waits for the launch to end; so a kernel must not call it.
    ///
    /// Of a large tensor, take the view that is wanted first: the host holds all that lies between.
    pub fn to_host(&self) -> HostTensor {
        let first = self.layout.offset().min(self.layout.extent());
        let elems = self.layout.extent() - first;
        let words = self.allocation.read(first * self.dtype.size(), elems * self.dtype.size());
        let layout = Layout::strided(self.layout.sizes(), self.layout.strides(), 0);
        HostTensor::from_parts(
            words,
            elems,
            self.dtype,
            layout.expect("an offset less fits where the offset did"),
        )
    }

    /// Copy the values of `source` to it, whatever the layouts of the two, and leave what lies between its elements. It
    /// is torch's `copy_`, but that neither dtypes nor sizes are adapted. It waits as [`to_host`](Self::to_host) does.
    ///
    /// Only what is written takes memory, so a view is the way to put a value into a tensor too large to
    /// [upload](crate::Simulator::upload).
    ///
    /// # Errors
    /// Another dtype, other sizes, or elements of this tensor that [may
    /// overlap](neuron_device::Layout::overlaps_itself). Nothing is written then.
    ///
    /// ```
    /// use neuron_device::Dtype;
    /// use neuron_host_sim::{HostTensor, Simulator};
    /// let mut sim = Simulator::new()?;
    /// let large = sim.zeros(Dtype::F32, &[1 << 20, 1 << 10])?; // 4 GiB, of which a page is used
    /// let corner = large.narrow(0, (1 << 20) - 2, 2)?.narrow(1, 0, 3)?;
    /// corner.copy_from(&HostTensor::from_slice(&[2, 3], &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0])?)?;
    /// corner.select(0, 0)?.copy_from(&HostTensor::scalar(7.0f32).expand(&[3])?)?;
    /// assert_eq!(corner.to_host().to_vec::<f32>()?, [7.0, 7.0, 7.0, 4.0, 5.0, 6.0]);
    ///
    /// let error = corner.copy_from(&HostTensor::scalar(1.0f32)).unwrap_err();
    /// assert!(error.to_string().starts_with("a tensor of sizes [] cannot be copied to one of [2, 3]: "));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn copy_from(&self, source: &HostTensor) -> Result<(), TensorError> {
        if source.dtype() != self.dtype {
            return Err(TensorError::Dtype { wanted: self.dtype, found: source.dtype() });
        }
        if source.sizes() != self.sizes() {
            let (wanted, found) = (self.sizes().to_vec(), source.sizes().to_vec());
            return Err(TensorError::Sizes { wanted, found });
        }
        if self.layout.overlaps_itself() {
            return Err(TensorError::Overlaps { strides: self.layout.strides().to_vec() });
        }
        let (row, bytes) = (row_elements(&self.layout), source.to_bytes());
        let row_bytes = (row * self.dtype.size()) as usize;
        let pieces = (0..).zip(bytes.chunks(row_bytes)).map(|(nth, piece)| {
            let offset = self.layout.offset_of_flat(nth * row);
            (offset * self.dtype.size(), piece)
        });
        self.allocation.write_pieces(pieces);
        Ok(())
    }

    /// The same storage, laid out so, which the caller knows to fit.
    pub(crate) fn with_layout(self, layout: Layout) -> Self {
        Self { layout, ..self }
    }

    /// From its first element to its last, in elements from the start of the storage.
    pub(crate) fn reach(&self) -> Range<u64> {
        self.layout.offset()..self.layout.extent()
    }

    /// Where it lies, whose bytes hold what.
    pub(crate) fn allocation(&self) -> &Arc<Allocation> {
        &self.allocation
    }

    /// Is it in this memory?
    pub(crate) fn is_in(&self, hbm: &Arc<Hbm>) -> bool {
        Arc::ptr_eq(self.allocation.hbm(), hbm)
    }

    /// The record and extension that describe it to a core: what a launch makes of it. Of a tensor in SBUF the record is as
    /// the simulator's profile has it; it says that all partitions hold as many elements each (inferred).
    ///
    /// # Errors
    /// A tensor that no record can describe.
    ///
    /// ```
    /// use neuron_device::Dtype;
    /// use neuron_host_sim::Simulator;
    /// let mut sim = Simulator::new()?;
    /// let column = sim.zeros(Dtype::I16, &[4, 3])?.select(1, 2)?;
    /// let descriptor = column.descriptor()?;
    /// assert_eq!(descriptor.view.map(|view| view.offset), Some(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn descriptor(&self) -> Result<ArgDescriptor, RecordError> {
        let record = if self.is_in_sbuf() {
            let (at, addresses) = (local_in_sbuf(self.storage()), self.allocation.hbm().sbuf_addresses);
            ArgRecord::in_sbuf(at, addresses, self.dtype, &self.layout, SBUF_PARTITIONS)?
        } else {
            ArgRecord::new(self.storage(), self.dtype, &self.layout)?
        };
        Ok(ArgDescriptor { record, view: Some(ViewExtension::new(&self.layout, self.elems)) })
    }
}

super::views::views!(HbmTensor);
