//! After the join: what the cores wrote becomes what everybody sees, core after core.

use std::sync::Arc;

use super::lines::written_back;
use crate::bitmap::PAGE;
use crate::core::Core;
use crate::hbm::Hbm;
use crate::hbm::allocation::Allocation;
use crate::shadow::Shadow;

/// Publish what each core wrote to tensors, in the order of the cores, and forget their private pages. Scratch, which
/// ends at `tensors`, is forgotten only. If cores write back lines, they are of `line` bytes.
pub(crate) fn merge<'c>(
    hbm: &Hbm,
    (tensors, line): (u64, Option<u32>),
    allocations: &[Arc<Allocation>],
    cores: impl Iterator<Item = &'c mut Core>,
) {
    for core in cores {
        let pages = core.log.shadow.written_pages();
        for &page in pages.iter().filter(|&&page| page * PAGE >= tensors) {
            if let Some(bits) = core.log.shadow.written(page) {
                written_back(&bits, line)
                    .into_iter()
                    .for_each(|run| core.view.publish(hbm, page * PAGE + run.start..page * PAGE + run.end));
            }
        }
        claim(&core.log.shadow, tensors, allocations);
        core.forget(hbm);
    }
}

/// What was written to one of `allocations`, which begin at `tensors`, holds a value from now on.
pub(crate) fn claim(shadow: &Shadow, tensors: u64, allocations: &[Arc<Allocation>]) {
    for page in shadow.written_pages().into_iter().filter(|&page| page * PAGE >= tensors) {
        // An allocation has its pages for itself.
        let owner = allocations.iter().find(|owner| owner.range().contains(&(page * PAGE)));
        if let Some(owner) = owner
            && let mut initialised = owner.initialised()
            && initialised.some().is_some()
            && let Some(bits) = shadow.written(page)
        {
            initialised.insert_bits(page, &bits);
        }
    }
}
