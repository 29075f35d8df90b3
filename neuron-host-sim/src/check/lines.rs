//! What if cores wrote back whole lines: what would be lost?

use std::collections::BTreeMap;

use neuron_device::{Access, HbmAddr};

use super::races::each_element;
use crate::bitmap::{Bitmap, Bits, NONE, PAGE, runs};
use crate::core::Core;
use crate::fault::{Fault, Line, Part, Severity, Verdict};
use crate::subjects::Subjects;
use crate::what_if::line_at;

/// The bytes of a page that are written back where these were written and lines have so many bytes.
pub(super) fn lines(written: &Bits, line: u32) -> Bits {
    let words = line as usize / 64;
    let mut whole = *written;
    for line in whole.chunks_mut(words) {
        if line.iter().any(|&word| word != 0) {
            line.fill(u64::MAX);
        }
    }
    whole
}

/// Elements at `tensors` or above that a core wrote, and a later one wrote back as they were before.
pub(super) fn check(
    op: &'static str,
    line: u32,
    tensors: u64,
    subjects: Subjects<'_>,
    cores: &[&Core],
) -> Vec<Fault> {
    let shadows = || cores.iter().map(|core| &core.log.shadow);
    let mut pages: Vec<u64> = shadows().flat_map(|shadow| shadow.written_pages()).collect();
    pages.sort_unstable();
    pages.dedup();
    let mut lost = Bitmap::default();
    for page in pages.into_iter().filter(|page| page * PAGE >= tensors) {
        let (mut kept, mut of_page) = (NONE, NONE);
        for bits in shadows().filter_map(|shadow| shadow.written(page)) {
            let whole = lines(&bits, line);
            for (word, whole) in whole.into_iter().enumerate() {
                of_page[word] = (of_page[word] | kept[word] & whole) & !bits[word];
                kept[word] = kept[word] & !whole | bits[word];
            }
        }
        if of_page != NONE {
            lost.insert_bits(page, &of_page);
        }
    }
    let mut groups: BTreeMap<(u64, Vec<Line>), Fault> = BTreeMap::new();
    each_element(&lost, subjects, |subject, start, _| {
        let range = line_at(start, line);
        let wrote = |core: &&Core| core.log.wrote(range.start, range.end);
        let writers = (0..).zip(cores).filter(|(_, core)| wrote(core));
        let sites = cores.iter().flat_map(|core| core.log.shadow.sites(range.start, range.end));
        let mut lines: Vec<Line> = sites.map(|site| Line::new(Part::Written, site)).collect();
        lines.sort_unstable();
        lines.dedup();
        let storage = subject.map_or(start, |subject| subject.storage.get());
        let fault = groups.entry((storage, lines.clone())).or_insert_with(|| {
            let fault = Fault::new(op, Verdict::LostInALine, Severity::Error).at(subject, start);
            let (first, last) = (HbmAddr::new(range.start), HbmAddr::new(range.end - 1));
            let first = format!("{}, in the line {first} to {last}", fault.first);
            Fault { access: Access::Write, count: 0, first, lines, ..fault }
        });
        fault.count += 1;
        let mut all: Vec<u32> = fault.cores.iter().copied().chain(writers.map(|(core, _)| core)).collect();
        all.sort_unstable();
        all.dedup();
        fault.cores = all;
    });
    groups.into_values().collect()
}

/// Where the bytes of a page are that are written back.
pub(super) fn written_back(written: &Bits, line: Option<u32>) -> Vec<std::ops::Range<u64>> {
    let bits = line.map_or(*written, |line| lines(written, line));
    runs(&bits).collect()
}
