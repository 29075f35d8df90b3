//! Did a core read what nobody had written?

use std::collections::BTreeMap;
use std::sync::Arc;

use neuron_device::{Access, Site};

use super::races::each_element;
use crate::bitmap::{Bitmap, PAGE};
use crate::core::Log;
use crate::core::trace::Trace;
use crate::fault::{Copied, Fault, Line, Part, Severity, Verdict};
use crate::hbm::allocation::Allocation;
use crate::subjects::Subjects;

/// The bytes `log`'s core read that held nothing before the launch, but for those it surely wrote before. `settled` are
/// the allocations of the launch; scratch ends at `tensors`. Bytes of a race are judged as one.
pub(crate) fn suspects(
    log: &Log,
    tensors: u64,
    allocations: &[Arc<Allocation>],
    contended: &Bitmap,
) -> Bitmap {
    let mut suspects = Bitmap::default();
    for page in log.shadow.reads().numbers() {
        let owner = allocations.iter().find(|owner| owner.range().contains(&(page * PAGE)));
        if owner.is_none() && page * PAGE >= tensors {
            // Values of the launch, which the host put there.
            continue;
        }
        if owner.is_some_and(|owner| owner.initialised().some().is_none()) {
            continue;
        }
        let Some(mut bits) = log.shadow.unexcused_reads(page) else { continue };
        if let Some(owner) = owner {
            owner.initialised().remove_from(page, &mut bits);
        }
        if let Some(contended) = contended.page(page) {
            bits.iter_mut().zip(contended).for_each(|(word, contended)| *word &= !contended);
        }
        if bits != crate::bitmap::NONE {
            suspects.insert_bits(page, &bits);
        }
    }
    suspects
}

/// The reads of each core that are of nothing: `found` has them by line.
pub(crate) fn check(op: &'static str, subjects: Subjects<'_>, found: &[Trace]) -> Vec<Fault> {
    let mut groups: BTreeMap<(&'static str, Vec<Line>), Fault> = BTreeMap::new();
    for (core, trace) in (0..).zip(found) {
        for (site, bytes) in &trace.uninitialised {
            each_element(bytes, subjects, |subject, start, _| {
                // What is in no tensor is read by a local address that is too old, which is fault enough.
                let Some(subject) = subject else { return };
                let mut lines = vec![Line::new(Part::Read, site)];
                lines.extend(subject.allocated.map(|site| Line::new(Part::Allocated, site)));
                let fault = groups.entry((subject.name, lines.clone())).or_insert_with(|| Fault {
                    count: 0,
                    lines,
                    copied: copied(trace, start, site, subjects),
                    ..Fault::new(op, Verdict::NeverInitialised, Severity::Error).at(Some(subject), start)
                });
                fault.count += 1;
                if fault.cores.last() != Some(&core) {
                    fault.cores.push(core);
                }
            });
        }
    }
    groups.into_values().collect()
}

/// Where this core wrote the bits it read at `addr` from the line `site`, if that is what it did next.
fn copied(trace: &Trace, addr: u64, site: Site, subjects: Subjects<'_>) -> Option<Copied> {
    let read = trace.first_reads.iter().find(|read| *read.site == *site && read.addr == addr)?;
    let (to, site) = read.copied()?;
    let subject = subjects.at(to, Access::Write)?;
    Some(Copied { argument: subject.name, first: subject.words(to), site })
}
