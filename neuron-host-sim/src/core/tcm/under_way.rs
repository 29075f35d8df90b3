//! What is under way between a core's TCM and HBM, or kept back in TCM: what other accesses must not meet.

use std::ops::Range;

use neuron_device::{Access, Copied, HbmAddr, Run, Site};

/// An asynchronous copy that was not waited for yet.
#[derive(Clone, Debug)]
pub(super) struct Flight {
    pub(super) copy: u64,
    pub(super) access: Access,
    pub(super) local: Range<u32>,
    pub(super) hbm: Range<u64>,
    pub(super) site: Site,
}

impl Flight {
    /// May an access of this kind to these bytes of the copy's TCM change what it gives, or be given something else? What is
    /// copied to is nobody else's; what is copied from may be read.
    pub(super) fn suffers(&self, access: Access, local: &Range<u32>) -> bool {
        let meet = self.local.start.max(local.start) < self.local.end.min(local.end);
        meet && (self.access == Access::Read || access == Access::Write)
    }

    /// The same of its HBM.
    pub(super) fn races(&self, access: Access) -> bool {
        self.access == Access::Write || access == Access::Write
    }
}

/// A stream that is open.
#[derive(Clone, Debug)]
pub(super) struct Stream {
    pub(super) argument: &'static str,
    pub(super) storage: HbmAddr,
    pub(super) access: Access,
    /// What it goes through.
    pub(super) part: Range<u64>,
    pub(super) site: Site,
}

/// Accesses of one line, told together.
#[derive(Clone, Debug)]
pub(in crate::core) struct Accesses {
    pub(in crate::core) access: Access,
    pub(in crate::core) site: Site,
    /// Are they the HBM side of a copy?
    pub(super) copied: bool,
    runs: Vec<Run>,
}

impl Accesses {
    /// A run of elements.
    pub(in crate::core) fn of_run(run: &Run) -> Self {
        Self { access: run.access, site: run.site, copied: false, runs: vec![*run] }
    }

    /// The elements of a copy.
    pub(in crate::core) fn of_copy(copy: &Copied) -> Self {
        let Copied { hbm, element, .. } = *copy;
        let runs = if hbm.bytes == element {
            vec![hbm]
        } else {
            let piece = |piece: u64| {
                let start = hbm.start.get().wrapping_add_signed(hbm.step.wrapping_mul(piece as i64));
                let (start, step, count) = (HbmAddr::new(start), element as i64, hbm.bytes / element);
                Run { start, step, count, bytes: element, ..hbm }
            };
            (0..hbm.count).map(piece).collect()
        };
        Self { access: hbm.access, site: hbm.site, copied: true, runs }
    }

    /// The first of them that meets these bytes, and how many bytes all that do have; `None` if none does.
    pub(in crate::core) fn meeting(&self, bytes: &Range<u64>) -> Option<(u64, u64)> {
        let met = self.runs.iter().filter_map(|run| {
            let (first, count) = meeting(run, bytes)?;
            Some((first, count * run.bytes))
        });
        met.reduce(|(first, bytes), (_, more)| (first, bytes + more))
    }

    /// Bytes of an access.
    pub(in crate::core) fn each(&self) -> u64 {
        self.runs.first().map_or(1, |run| run.bytes)
    }
}

/// The address of the first access of a run that meets these bytes, and how many do.
fn meeting(run: &Run, bytes: &Range<u64>) -> Option<(u64, u64)> {
    if bytes.is_empty() {
        return None;
    }
    // An access meets them if it begins in this range.
    let (low, high) = (i128::from(bytes.start) - i128::from(run.bytes) + 1, i128::from(bytes.end) - 1);
    let (start, step, last) = (i128::from(run.start.get()), i128::from(run.step), i128::from(run.count) - 1);
    let (from, to) = match step {
        0 if low <= start && start <= high => (0, last),
        0 => return None,
        1.. => ((low - start + step - 1).div_euclid(step), (high - start).div_euclid(step)),
        _ => ((start - high - step - 1).div_euclid(-step), (start - low).div_euclid(-step)),
    };
    let (from, to) = (from.max(0), to.min(last));
    (from <= to).then(|| ((start + from * step) as u64, (to - from + 1) as u64))
}

#[cfg(test)]
mod tests;
