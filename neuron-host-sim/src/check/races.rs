//! Did two cores touch one byte, at least one of them writing? Nothing orders the cores of a launch, so that is a race,
//! whatever the order they ran in.

use std::collections::BTreeMap;

use neuron_device::{Access, Site};

use super::values::printed;
use crate::bitmap::{Bitmap, Bits, PAGE};
use crate::core::trace::ByLine;
use crate::core::{Core, Log};
use crate::fault::{CoreValue, Fault, Line, Part, Severity, Verdict};
use crate::subjects::{Subject, Subjects};

/// Every byte that two cores touched, at least one of them writing.
pub(crate) fn contended(logs: &[&Log]) -> Bitmap {
    let mut contended = Bitmap::default();
    let mut pages: Vec<u64> = logs.iter().flat_map(|log| log.shadow.written_pages()).collect();
    pages.sort_unstable();
    pages.dedup();
    for page in pages {
        let mut writers = logs.iter().filter(|log| log.shadow.wrote(page));
        if let (Some(writer), None) = (writers.next(), writers.next())
            && logs.iter().all(|log| std::ptr::eq(*log, *writer) || log.shadow.reads().page(page).is_none())
        {
            continue;
        }
        let written: Vec<_> = logs.iter().map(|log| log.shadow.written(page)).collect();
        let mut found = crate::bitmap::NONE;
        // Of each byte: was it written by some core, and by another one too?
        let (mut once, mut again) = (crate::bitmap::NONE, crate::bitmap::NONE);
        for bits in written.iter().flatten() {
            for ((once, again), bits) in once.iter_mut().zip(&mut again).zip(bits.iter()) {
                *again |= *once & bits;
                *once |= bits;
            }
        }
        for (log, written) in logs.iter().zip(&written) {
            let Some(read) = log.shadow.reads().page(page) else { continue };
            for (word, found) in found.iter_mut().enumerate() {
                let own = written.as_ref().map_or(0, |bits| bits[word]);
                *found |= read[word] & (again[word] | once[word] & !own);
            }
        }
        found.iter_mut().zip(&again).for_each(|(found, again)| *found |= again);
        if found != crate::bitmap::NONE {
            contended.insert_bits(page, &found);
        }
    }
    contended
}

/// What makes the races of two elements one fault.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    /// The tensor: where its storage begins, and its name.
    subject: (u64, &'static str),
    verdict: Verdict,
    severity: Severity,
    lines: Vec<Line>,
}

/// The races at `contended` bytes. `readers` has, for each core, the lines that read some of them.
pub(crate) fn check(
    op: &'static str,
    contended: &Bitmap,
    subjects: Subjects<'_>,
    cores: &[&Core],
    readers: &[ByLine],
) -> Vec<Fault> {
    let mut groups: BTreeMap<Key, Fault> = BTreeMap::new();
    each_element(contended, subjects, |subject, start, end| {
        let writers: Vec<usize> = writers_of(cores, start, end).collect();
        let is_reader = |&core: &usize| readers[core].iter().any(|(_, bytes)| bytes.meets(start, end));
        let readers_only: Vec<usize> =
            (0..cores.len()).filter(is_reader).filter(|core| !writers.contains(core)).collect();
        let mut note = |verdict, cores_of: &[usize], values: Vec<CoreValue>, severity| {
            let lines = lines_of(cores, readers, verdict, (&writers, cores_of), start, end);
            let key = Key {
                subject: subject.map_or((start, ""), |subject| (subject.storage.get(), subject.name)),
                verdict,
                severity,
                lines: lines.clone(),
            };
            let fault = groups.entry(key).or_insert_with(|| Fault {
                access: Access::Write,
                count: 0,
                lines,
                values,
                ..Fault::new(op, verdict, severity).at(subject, start)
            });
            fault.count += 1;
            let involved = writers.iter().chain(cores_of).map(|&core| core as u32);
            fault.cores = merged(&fault.cores, involved);
        };
        if writers.len() > 1 {
            let bytes: Vec<Vec<u8>> = writers.iter().map(|&core| cores[core].view.read(start..end)).collect();
            let equal = bytes.iter().all(|value| *value == bytes[0]);
            let value = |(&core, bytes): (&usize, &Vec<u8>)| CoreValue {
                core: core as u32,
                value: printed(subject.map(|subject| subject.dtype), bytes),
            };
            let (values, severity) = if equal {
                (Vec::new(), Severity::Warning)
            } else {
                (writers.iter().zip(&bytes).map(value).collect(), Severity::Error)
            };
            note(Verdict::WrittenBySeveralCores, &[], values, severity);
        }
        if !readers_only.is_empty() && !writers.is_empty() {
            note(Verdict::WrittenAndRead, &readers_only, Vec::new(), Severity::Error);
        }
    });
    groups.into_values().collect()
}

fn writers_of<'a>(cores: &'a [&Core], start: u64, end: u64) -> impl Iterator<Item = usize> + 'a {
    let wrote = move |&core: &usize| cores[core].log.shadow.sites(start, end).next().is_some();
    (0..cores.len()).filter(wrote)
}

/// The lines that made the race, each once, in the order of the source.
fn lines_of(
    cores: &[&Core],
    readers: &[ByLine],
    verdict: Verdict,
    (writing, reading): (&[usize], &[usize]),
    start: u64,
    end: u64,
) -> Vec<Line> {
    let written = writing.iter().flat_map(|&core| cores[core].log.shadow.sites(start, end));
    let mut lines: Vec<Line> = written.map(|site| Line::new(Part::Written, site)).collect();
    if verdict == Verdict::WrittenAndRead {
        let read = reading.iter().flat_map(|&core| lines_at(&readers[core], start, end));
        lines.extend(read.map(|site| Line::new(Part::Read, site)));
    }
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// The lines that have some of the bytes `start..end`.
pub(crate) fn lines_at(lines: &ByLine, start: u64, end: u64) -> impl Iterator<Item = Site> {
    lines.iter().filter(move |(_, bytes)| bytes.meets(start, end)).map(|(site, _)| *site)
}

fn merged(cores: &[u32], more: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut all: Vec<u32> = cores.iter().copied().chain(more).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Call with each element any byte of which is in `bytes`, and with each byte that is of no tensor's.
pub(crate) fn each_element<'s>(
    bytes: &Bitmap,
    subjects: Subjects<'s>,
    mut call: impl FnMut(Option<&'s Subject>, u64, u64),
) {
    let mut done = 0;
    for page in bytes.numbers() {
        let bits: &Bits = bytes.page(page).expect("a page of the bitmap");
        for run in crate::bitmap::runs(bits) {
            let end = page * PAGE + run.end;
            let mut at = done.max(page * PAGE + run.start);
            while at < end {
                let subject = subjects.at(at, Access::Write);
                let (from, to) = match subject {
                    Some(subject) => {
                        let size = subject.dtype.size();
                        let from = at - (at - subject.storage.get()) % size;
                        (from, from + size)
                    }
                    None => (at, at + 1),
                };
                call(subject, from, to);
                done = to;
                at = to;
            }
        }
    }
}
