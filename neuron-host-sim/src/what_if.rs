//! [`WhatIf`]: machines that this one is not.

use neuron_device::Dataram;
use serde::{Deserialize, Serialize};

use crate::error::SimulatorError;

/// Bytes a line has at least, a word of the bitmaps.
const SHORTEST_LINE: u32 = 64;

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
    /// DMA engines move whole granules of so many bytes, a power of two up to 64 KiB. Both ends of a piece of a copy have to
    /// begin at the same place of a granule, and what a piece takes along at its end has to be of the same block of TCM.
    /// What is wrong is reported, and bytes are moved as they are without it, as what would be overwritten may be in use.
    pub dma_granule: Option<u32>,
    /// Cores write back whole lines of so many bytes, a power of two from 64 to 4096: of a line that several cores wrote to,
    /// the highest core's is kept, with old values where it wrote nothing. What is lost is lost, and is reported.
    pub line_write_back: Option<u32>,
}

impl WhatIf {
    /// Can there be such a machine?
    pub(crate) fn checked(self) -> Result<Self, SimulatorError> {
        let refused = |bytes: Option<u32>, least: u32, most: u32| {
            bytes.filter(|bytes| !bytes.is_power_of_two() || !(least..=most).contains(bytes))
        };
        if let Some(bytes) = refused(self.dma_granule, 1, Dataram::MOST_BYTES) {
            return Err(SimulatorError::WhatIf {
                what: "a DMA granule",
                bytes,
                least: 1,
                most: Dataram::MOST_BYTES,
            });
        }
        let most = crate::bitmap::PAGE as u32;
        if let Some(bytes) = refused(self.line_write_back, SHORTEST_LINE, most) {
            return Err(SimulatorError::WhatIf { what: "a line", bytes, least: SHORTEST_LINE, most });
        }
        Ok(self)
    }

    /// What is not as on the machine, in words.
    pub(crate) fn words(self) -> impl Iterator<Item = String> {
        let granule = self.dma_granule.map(|bytes| format!("DMA engines move granules of {bytes} bytes"));
        let line = self.line_write_back.map(|bytes| format!("cores write back whole lines of {bytes} bytes"));
        granule.into_iter().chain(line)
    }
}
