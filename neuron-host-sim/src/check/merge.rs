//! After the join: what the cores wrote becomes what everybody sees, core after core.

use std::sync::Arc;

use crate::bitmap::{PAGE, runs};
use crate::core::Core;
use crate::hbm::Hbm;
use crate::hbm::allocation::Allocation;

/// Publish what each core wrote to tensors, in the order of the cores, and forget their private pages. Scratch, which
/// ends at `tensors`, is forgotten only. What was written to one of `allocations` holds a value from now on.
pub(crate) fn merge<'c>(
    hbm: &Hbm,
    tensors: u64,
    allocations: &[Arc<Allocation>],
    cores: impl Iterator<Item = &'c mut Core>,
) {
    for core in cores {
        let pages = core.log.shadow.written_pages();
        for &page in pages.iter().filter(|&&page| page * PAGE >= tensors) {
            if let Some(bits) = core.log.shadow.written(page) {
                runs(&bits)
                    .for_each(|run| core.view.publish(hbm, page * PAGE + run.start..page * PAGE + run.end));
                // An allocation has its pages for itself.
                if let Some(owner) = allocations.iter().find(|owner| owner.range().contains(&(page * PAGE))) {
                    owner.initialised().insert_bits(page, &bits);
                }
            }
        }
        core.forget(hbm);
    }
}
