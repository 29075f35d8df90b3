//! What if the DMA engine moved whole granules?

use neuron_device::{Access, Copied, NxAddr};

use super::{Tcm, fault, line_of, overflow};
use crate::fault::{Fault, Line, Part, Path, Verdict};

impl Tcm {
    /// What is wrong with the TCM side of a DMA copy if the engine moves `granule` bytes at a time: each piece must begin at
    /// the same place of a granule on both sides, and writes the whole granule it ends in, which has to be of the same block.
    pub(super) fn granules(&self, op: &'static str, copy: &Copied, granule: u32) -> Option<Fault> {
        let each = u64::from(granule);
        let access = copy.hbm.access;
        let line = line_of(access, copy.hbm.site);
        let pieces = (0..copy.hbm.count).map(|piece| {
            let hbm = copy.hbm.start.get().wrapping_add_signed(copy.hbm.step.wrapping_mul(piece as i64));
            (hbm, u64::from(copy.local.get()) + piece * copy.hbm.bytes)
        });
        for (hbm, local) in pieces {
            // A local address has 32 bits.
            let at = NxAddr::new(local as u32);
            if hbm % each != local % each {
                let first = format!("{at} and {hbm:#x}, granule {granule}");
                let of = fault(op, Verdict::TransferMisaligned, access, at);
                return Some(Fault { first, path: Some(Path::Copy), lines: vec![line], ..of });
            }
            let end = (local + copy.hbm.bytes).next_multiple_of(each);
            let block = self.blocks.iter().find(|block| block.holds(at.get()))?;
            if access == Access::Read && end > u64::from(block.end()) {
                let first = overflow(at, (end - u64::from(block.end())) as u32);
                let lines = vec![line, Line::new(Part::Allocated, block.site)];
                let of = fault(op, Verdict::TcmOverrun, access, at);
                return Some(Fault { first, path: Some(Path::Copy), lines, ..of });
            }
        }
        None
    }
}
