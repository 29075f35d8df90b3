//! [`HbmTensor`]: a tensor in simulated HBM.

use std::ops::Range;
use std::sync::Arc;

use neuron_device::{ArgDescriptor, ArgRecord, Dtype, HbmAddr, Layout, RecordError, ViewExtension};

use super::host::HostTensor;
use crate::hbm::Hbm;
use crate::hbm::allocation::Allocation;

/// A handle to a tensor in a simulator's HBM. Views and clones share its storage, which is freed with the last of them.
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

    /// Copy it to the host, in its own layout: what lies between its first element and its last, and no more.
    /// During a launch in another thread it waits for the launch to end; so a kernel must not call it.
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

    /// Is it in this HBM?
    pub(crate) fn is_in(&self, hbm: &Arc<Hbm>) -> bool {
        Arc::ptr_eq(self.allocation.hbm(), hbm)
    }

    /// The record and extension that describe it to a core.
    pub(crate) fn descriptor(&self) -> Result<ArgDescriptor, RecordError> {
        let record = ArgRecord::new(self.storage(), self.dtype, &self.layout)?;
        Ok(ArgDescriptor { record, view: Some(ViewExtension::new(&self.layout, self.elems)) })
    }
}

super::views::views!(HbmTensor);
