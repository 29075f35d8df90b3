//! [`WhatIf`]: machines that this one is not.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::error::SimulatorError;

/// Bytes a line has at least, a word of the bitmaps.
const SHORTEST_LINE: u32 = 64;

/// Bytes a line of TCM's cache has at least.
const SHORTEST_TCM_LINE: u32 = 16;

/// What buffers of TCM begin at multiples of, so that nothing that is no larger is of two of them.
const TCM_ALIGN: u32 = 64;

/// Properties that other accelerators have and this machine, as far as it is documented, has not: all off by default. Each
/// is judged and reported; a report of a launch under one says so in its first lines. For kernels that are to be ported,
/// and for those who doubt the documents. See [`SimulatorBuilder::what_if`](crate::SimulatorBuilder::what_if).
///
/// ```
/// use neuron_device::prelude::*;
/// use neuron_host_sim::{HostTensor, Simulator, Verdict, WhatIf, args};
///
/// /// Three f16 to a block of three.
/// #[custom_op]
/// fn row(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
///     let mut buffer = q7.tcm_malloc::<f16>(3)?;
///     let row = x.tensor_to_tcm(q7, Span { offset: 0, len: 3 }, &mut buffer)?;
///     out.elements_mut::<f16>(q7)?.set(0, row[0]);
///     Ok(())
/// }
/// let what_if = WhatIf { dma_granule: Some(64), ..WhatIf::default() };
/// let mut sim = Simulator::builder().cores(1).what_if(what_if).build()?;
/// let report = sim.launch(op!(row), &args![&HostTensor::zeros(Dtype::F16, &[3])?])?;
/// assert_eq!(report.faults()[0].verdict, Verdict::TcmOverrun);
/// assert!(report.to_string().contains("overflows the TCM block by 58 bytes"), "{report}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct WhatIf {
    /// DMA engines move whole granules of so many bytes, a power of two up to 64. Both ends of a piece of a copy have to
    /// begin at the same place of a granule. What lies behind it is taken along, up to the end of the granule it ends in,
    /// and overwrites what is there, which has to be of the same block of TCM, or nothing at all in HBM.
    ///
    /// A block that slices were made of is left out: it is neither overwritten, as slices do not change under their owner's
    /// hands, nor read (`0xA5` is taken along in its stead). A buffer begins at a multiple of 64 bytes, so that only its own
    /// copies reach one.
    pub dma_granule: Option<u32>,
    /// A copy to HBM that was waited for is done before its bytes are to be seen: until the core fences
    /// ([`Q7::fence`](neuron_device::Q7::fence), a window that is mapped, the doorbells of the next copy by DMA, the end of
    /// the op) others read what was there before, and what they write is overwritten. Both are reported. What was copied to
    /// TCM is seen at once.
    ///
    /// ```
    /// # use neuron_device::prelude::*;
    /// # use neuron_host_sim::{HostTensor, Simulator, Verdict, WhatIf, args};
    /// /// Reads back what it copied.
    /// #[custom_op]
    /// fn back(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    ///     let mut scratch = q7.empty(Dtype::F32, &[1])?;
    ///     scratch.elements_mut::<f32>(q7)?.set(0, 1.0);
    ///     scratch.tcm_to_tensor(q7, 0, q7.tcm_malloc::<f32>(1)?.fill(2.0))?;
    ///     if x.numel() > 1 { q7.fence(); }
    ///     let seen = scratch.elements::<f32>(q7)?.get(0);
    ///     out.elements_mut::<f32>(q7)?.set(0, seen);
    ///     Ok(())
    /// }
    /// let what_if = WhatIf { done_before_visible: true, ..WhatIf::default() };
    /// let mut sim = Simulator::builder().cores(1).what_if(what_if).build()?;
    /// let (one, two) = (HostTensor::zeros(Dtype::F32, &[1])?, sim.zeros(Dtype::F32, &[2])?);
    /// let report = sim.launch(op!(back), &args![&one])?;
    /// assert_eq!(report.faults()[0].verdict, Verdict::NotYetVisible);
    /// assert_eq!(report.output().to_host().to_vec::<f32>()?, [1.0]);
    /// // With the fence:
    /// let report = sim.launch(op!(back), &args![&two])?;
    /// assert_eq!(report.output().to_host().to_vec::<f32>()?[0], 2.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub done_before_visible: bool,
    /// TCM has a write-back cache, with lines of so many bytes, a power of two from 16 to 64, and room for all of TCM: no
    /// line leaves it by itself, and the documented library has no call that writes one back. The core reads and writes the
    /// cache; DMA engines what lies beneath. So a copy by DMA to HBM takes what was there before the core wrote, and one to
    /// TCM, after which its lines are invalid, drops what the core wrote beside it in the first line and the last. Both are
    /// reported, with the line, if the bytes differ. What a copy by the core does, goes through the cache.
    ///
    /// Of a block that slices were made of, nothing is dropped: slices do not change under their owner's hands.
    ///
    /// ```
    /// # use neuron_device::prelude::*;
    /// # use neuron_device::CopyMethod;
    /// # use neuron_host_sim::{HostTensor, Simulator, Verdict, WhatIf, args};
    /// /// Writes in TCM, and copies that.
    /// #[custom_op]
    /// fn twos(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    ///     if x.numel() > 1 { q7.set_memcpy_method(CopyMethod::VecMemcpy); }
    ///     let n = x.numel() as u32;
    ///     out.tcm_to_tensor(q7, 0, q7.tcm_malloc::<u8>(n)?.fill(2))
    /// }
    /// let what_if = WhatIf { tcm_write_back: Some(64), ..WhatIf::default() };
    /// let mut sim = Simulator::builder().cores(1).what_if(what_if).build()?;
    /// let report = sim.launch(op!(twos), &args![&HostTensor::zeros(Dtype::U8, &[1])?])?;
    /// assert_eq!(report.faults()[0].verdict, Verdict::BehindTheCache);
    /// assert_eq!(report.output().to_host().to_vec::<u8>()?, [0xA5]); // what TCM held
    /// // By the core:
    /// let report = sim.launch(op!(twos), &args![&HostTensor::zeros(Dtype::U8, &[2])?])?;
    /// assert_eq!(report.output().to_host().to_vec::<u8>()?, [2, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub tcm_write_back: Option<u32>,
    /// Cores write back whole lines of so many bytes, a power of two from 64 to 4096: of a line that several cores wrote to,
    /// the highest core's is kept, with old values where it wrote nothing. What is lost is lost, and is reported.
    pub line_write_back: Option<u32>,
}

impl WhatIf {
    /// Can there be such a machine?
    pub(crate) fn checked(self) -> Result<Self, SimulatorError> {
        let page = crate::bitmap::PAGE as u32;
        let sizes = [
            ("a DMA granule", self.dma_granule, 1..=TCM_ALIGN),
            ("a line of TCM's cache", self.tcm_write_back, SHORTEST_TCM_LINE..=TCM_ALIGN),
            ("a line", self.line_write_back, SHORTEST_LINE..=page),
        ];
        for (what, bytes, possible) in sizes {
            if let Some(bytes) = bytes.filter(|bytes| !bytes.is_power_of_two() || !possible.contains(bytes)) {
                let (least, most) = possible.into_inner();
                return Err(SimulatorError::WhatIf { what, bytes, least, most });
            }
        }
        Ok(self)
    }

    /// What is not as on the machine, in words.
    pub(crate) fn words(self) -> impl Iterator<Item = String> {
        let granule = self.dma_granule.map(|bytes| format!("DMA engines move granules of {bytes} bytes"));
        let late =
            self.done_before_visible.then(|| "copies to HBM are done before they are to be seen".to_owned());
        let cache = self
            .tcm_write_back
            .map(|bytes| format!("TCM has a write-back cache with lines of {bytes} bytes"));
        let line = self.line_write_back.map(|bytes| format!("cores write back whole lines of {bytes} bytes"));
        [granule, late, cache, line].into_iter().flatten()
    }
}

/// The line of so many bytes that the byte at `addr` is of.
pub(crate) fn line_at(addr: u64, bytes: u32) -> Range<u64> {
    let start = addr / u64::from(bytes) * u64::from(bytes);
    start..start + u64::from(bytes)
}

#[cfg(test)]
mod tests;
