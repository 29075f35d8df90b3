//! After the join: what the cores wrote becomes what everybody sees, core after core.

use crate::core::Core;
use crate::hbm::Hbm;
use crate::shadow::{PAGE, Shadow, runs};

/// Publish what each core wrote to tensors, in the order of the cores, and forget their private pages. Scratch, which
/// ends at `tensors`, is forgotten only.
pub(crate) fn merge<'c>(hbm: &Hbm, tensors: u64, cores: impl Iterator<Item = &'c mut Core>) {
    for core in cores {
        let pages = core.log.writes.pages();
        for &page in pages.iter().filter(|&&page| page * PAGE >= tensors) {
            if let Some(bits) = core.log.writes.page(page) {
                runs(&bits)
                    .for_each(|run| core.view.publish(hbm, page * PAGE + run.start..page * PAGE + run.end));
            }
        }
        let groups = pages.chunk_by(|a, b| a + 1 == *b);
        core.view.discard(hbm, groups.map(|group| group[0] * PAGE..(group[group.len() - 1] + 1) * PAGE));
        core.log.writes = Shadow::default();
    }
}
