//! A write-back cache before TCM, as large as it: no line leaves it by itself.
//!
//! What the core sees is TCM itself, so that slices need not know. What is aside is what lies beneath, where the DMA engine
//! reads and writes: a byte that differs was written by the core and not written back.

use std::ops::Range;

use neuron_device::{Access, Copied, Dataram, NxAddr};

use super::super::dataram::CoreMemory;
use crate::fault::{Fault, Line, Part, Path, Severity, Verdict};
use crate::what_if::line_at;

/// The cache of a core.
#[derive(Debug)]
pub(super) struct Cache {
    line: u32,
    /// From the start of dataram on.
    beneath: Vec<u8>,
}

impl Cache {
    /// With nothing in it.
    pub(super) fn new(line: u32, memory: &CoreMemory) -> Self {
        let beneath = memory.read(Dataram::BASE, memory.pool().into()).unwrap_or_default();
        Self { line, beneath }
    }

    /// What lies beneath these; `None` if they are not all in TCM.
    pub(super) fn beneath(&self, local: NxAddr, bytes: u64) -> Option<Vec<u8>> {
        let start = local.get().checked_sub(Dataram::BASE.get())? as usize;
        Some(self.beneath.get(start..start + bytes as usize)?.to_vec())
    }

    /// Beneath is what the core sees. No slice that is in use is of these.
    pub(super) fn write_back(&mut self, bytes: &Range<u32>, memory: &CoreMemory) {
        let start = (bytes.start - Dataram::BASE.get()) as usize;
        let seen = memory.read(NxAddr::new(bytes.start), (bytes.end - bytes.start).into());
        if let (Some(seen), Some(to)) = (seen, self.beneath.get_mut(start..)) {
            to[..seen.len()].copy_from_slice(&seen);
        }
    }

    /// The core sees what is beneath this byte. No slice is of it.
    pub(super) fn drop_write(&self, at: u32, memory: &CoreMemory) {
        let beneath = self.beneath(NxAddr::new(at), 1);
        beneath.into_iter().for_each(|byte| _ = memory.write(NxAddr::new(at), &byte));
    }

    /// The bytes of lines that these are of, but for these.
    pub(super) fn beside(&self, bytes: Range<u32>) -> impl Iterator<Item = u32> + use<> {
        // A local address has 32 bits.
        let first = line_at(bytes.start.into(), self.line).start as u32;
        let last = line_at(u64::from(bytes.end) - 1, self.line).end as u32;
        (first..bytes.start).chain(bytes.end..last)
    }

    /// The first of these bytes that the core wrote and did not write back.
    fn dirty(&self, bytes: Range<u32>, memory: &CoreMemory) -> Option<u32> {
        let (local, len) = (NxAddr::new(bytes.start), u64::from(bytes.end - bytes.start));
        let (seen, beneath) = (memory.read(local, len)?, self.beneath(local, len)?);
        bytes.zip(seen.iter().zip(&beneath)).find_map(|(at, (seen, beneath))| (seen != beneath).then_some(at))
    }

    /// What is wrong with a copy by DMA: it does not see what the core wrote, or takes it away. `is_free` says of a byte
    /// that no slice is of it.
    pub(super) fn judge(
        &self,
        op: &'static str,
        copy: &Copied,
        memory: &CoreMemory,
        is_free: impl Fn(u32) -> bool,
    ) -> Option<Fault> {
        let bytes = copy.local.get()..copy.local.get() + copy.bytes() as u32;
        let (access, site) = (copy.hbm.access, copy.hbm.site);
        let (verdict, part, first) = match access {
            Access::Write => (Verdict::BehindTheCache, Part::Written, self.dirty(bytes, memory)?),
            Access::Read => {
                let mut beside = self.beside(bytes).filter(|&at| is_free(at));
                let first = beside.find_map(|at| self.dirty(at..at + 1, memory))?;
                (Verdict::DroppedWithALine, Part::Read, first)
            }
        };
        let local = NxAddr::new(first);
        let line = line_at(first.into(), self.line);
        let (start, last) = (NxAddr::new(line.start as u32), NxAddr::new(line.end as u32 - 1));
        Some(Fault {
            access,
            argument: "tcm",
            first: format!("{local}, in the line {start} to {last}"),
            local: Some(local),
            path: Some(Path::Copy),
            lines: vec![Line::new(part, site)],
            ..Fault::new(op, verdict, Severity::Error)
        })
    }
}
