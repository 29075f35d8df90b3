//! What to say of an access that a core never makes.

use std::ops::Range;

use neuron_device::Access;

use super::scene::Scene;
use crate::bitmap::{Bitmap, PAGE, runs};
use crate::core::Log;
use crate::place::coordinates;
use crate::subjects::Subject;

/// Stretches of elements that are named at most.
const NAMED: usize = 4;

impl Scene<'_> {
    /// Core `core` made the access to the element at these bytes `met` times, and not `nth` times.
    pub(super) fn never(&self, core: u32, access: Access, at: &Range<u64>, (met, nth): (u64, u64)) -> String {
        let done = if access == Access::Write { "wrote" } else { "read" };
        let (name, index) = self.named(core, at.start, access);
        if met > 0 {
            let times = if met == 1 { "time" } else { "times" };
            return format!(
                "core {core} {done} {name}{index} {met} {times}, so there is no access {nth} to it"
            );
        }
        let subjects = self.subjects(core);
        let elements = subjects.at(at.start, access).map(|subject| {
            let log = &self.cores[core as usize].log;
            touched(log, subject, access)
        });
        let instead = match elements.as_deref() {
            None | Some([]) => format!("it {done} nothing of `{name}`"),
            Some(elements) => format!("of `{name}` it {done} {}", elements.join(", ")),
        };
        let other = |core: &u32| accessed(&self.cores[*core as usize].log, access, at);
        let others: Vec<u32> = (0..self.cores.len() as u32).filter(other).collect();
        let by = match &others[..] {
            [] => format!("no core {done} {name}{index}"),
            [other] => format!("core {other} {done} {name}{index}"),
            others => format!("cores {others:?} {done} {name}{index}"),
        };
        format!("core {core} never {done} {name}{index}: {instead}; {by}")
    }
}

fn accessed(log: &Log, access: Access, at: &Range<u64>) -> bool {
    match access {
        Access::Write => log.wrote(at.start, at.end),
        Access::Read => log.shadow.reads().meets(at.start, at.end),
    }
}

/// The elements of a tensor that a core accessed, in words.
fn touched(log: &Log, subject: &Subject, access: Access) -> Vec<String> {
    let mut bytes = Bitmap::default();
    let [start, end] = subject.reach();
    let pages = match access {
        Access::Write => log.shadow.written_pages(),
        Access::Read => log.shadow.reads().numbers(),
    };
    let inside = |page: &u64| page * PAGE < end && (page + 1) * PAGE > start;
    for page in pages.into_iter().filter(inside) {
        let bits = match access {
            Access::Write => log.shadow.written(page),
            Access::Read => log.shadow.reads().page(page).map(std::borrow::Cow::Borrowed),
        };
        bits.iter().for_each(|bits| bytes.insert_bits(page, bits));
    }
    // In the order of the storage, which for most tensors is the order of the indices.
    let mut stretches: Vec<Range<u64>> = Vec::new();
    for page in bytes.numbers() {
        for run in bytes.page(page).iter().flat_map(|bits| runs(bits)) {
            let run = (page * PAGE + run.start)..(page * PAGE + run.end);
            for flat in run.step_by(subject.dtype.size() as usize).filter_map(|addr| subject.element(addr)) {
                match stretches.last_mut() {
                    Some(last) if last.end == flat => last.end += 1,
                    _ => stretches.push(flat..flat + 1),
                }
            }
        }
    }
    stretches.sort_unstable_by_key(|stretch| stretch.start);
    let words = |flat| format!("{:?}", coordinates(&subject.layout, flat));
    let mut said: Vec<String> = stretches
        .iter()
        .take(NAMED)
        .map(|stretch| match stretch.end - stretch.start {
            1 => words(stretch.start),
            _ => format!("{} to {}", words(stretch.start), words(stretch.end - 1)),
        })
        .collect();
    if stretches.len() > NAMED {
        let more: u64 = stretches[NAMED..].iter().map(|stretch| stretch.end - stretch.start).sum();
        said.push(format!("and {more} more"));
    }
    said
}
