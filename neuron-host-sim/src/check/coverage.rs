//! Was every element of the output written, and by one core?

mod order;

use std::collections::BTreeMap;

use neuron_device::{Access, Dtype, HbmAddr, Layout, Site};

use self::order::MemoryOrder;
use crate::core::Log;
use crate::fault::{Fault, FaultKind, Verdict};
use crate::shadow::{Bits, PAGE, mask};

/// The output of a launch.
#[derive(Debug)]
pub(crate) struct Output<'a> {
    /// Its name in the kernel's signature.
    pub(crate) name: &'static str,
    pub(crate) storage: HbmAddr,
    pub(crate) dtype: Dtype,
    pub(crate) layout: &'a Layout,
}

/// The elements that share a fault.
#[derive(Debug)]
struct Group {
    count: u64,
    /// The lowest of their indices.
    first: u64,
    /// The lines they were written from, as far as found,
    sites: Vec<Site>,
    /// and how many there can be.
    lines: usize,
}

impl Group {
    fn new(lines: usize) -> Self {
        Self { count: 0, first: u64::MAX, sites: Vec::new(), lines }
    }

    fn add(&mut self, index: u64) {
        self.count += 1;
        self.first = self.first.min(index);
    }
}

/// Looks at pages of the cores' bitmaps, keeping the one looked at last.
struct Pages<'l> {
    logs: &'l [&'l Log],
    page: Option<u64>,
    /// The cores that wrote to the page, with their bits.
    writers: Vec<(usize, Bits)>,
}

impl Pages<'_> {
    fn turn_to(&mut self, page: u64) {
        if self.page != Some(page) {
            self.page = Some(page);
            self.writers.clear();
            let logs = self.logs.iter().enumerate();
            self.writers.extend(logs.filter_map(|(core, log)| Some((core, log.writes.page(page)?))));
        }
    }

    /// Of a word of the page: bytes that some core wrote, and bytes that several did.
    fn word(&self, word: usize) -> (u64, u64) {
        self.writers
            .iter()
            .fold((0, 0), |(once, again), (_, bits)| (once | bits[word], again | once & bits[word]))
    }

    /// The cores that wrote any byte of `start..end`, an element.
    fn writers_of(&mut self, start: u64, end: u64) -> Vec<usize> {
        self.turn_to(start / PAGE);
        let (word, bytes) = ((start % PAGE / 64) as usize, mask(start % 64, (end - 1) % 64 + 1));
        self.writers.iter().filter(|(_, bits)| bits[word] & bytes != 0).map(|(core, _)| *core).collect()
    }
}

/// Find the elements of `output` that were never written (unless `judge_missing` is off, as when a core was stopped)
/// or written by several cores.
pub(crate) fn check(output: &Output<'_>, logs: &[&Log], judge_missing: bool) -> Vec<Fault> {
    let mut missing = Group::new(0);
    let mut shared: BTreeMap<Vec<usize>, Group> = BTreeMap::new();
    let mut pages = Pages { logs, page: None, writers: Vec::new() };
    let bytes = output.dtype.size();
    let order = MemoryOrder::new(output.layout);
    let mut look_at = |position: u64, pages: &mut Pages<'_>, addr: u64| {
        let writers = pages.writers_of(addr, addr + bytes);
        match writers.len() {
            0 if judge_missing => missing.add(order.index(position)),
            0 | 1 => {}
            _ => {
                let all = || writers.iter().flat_map(|&core| logs[core].writes.all_sites());
                let group =
                    shared.entry(writers.clone()).or_insert_with(|| Group::new(distinct(all()).len()));
                group.add(order.index(position));
                if group.sites.len() < group.lines {
                    let sites = writers.iter().flat_map(|&core| logs[core].writes.sites(addr, addr + bytes));
                    group.sites = distinct(group.sites.drain(..).chain(sites));
                }
            }
        }
    };
    order.for_each_row(|first, offset, elements| {
        let addr = output.storage.get() + offset * bytes;
        let end = addr + elements * bytes;
        let mut at = addr;
        while at < end {
            pages.turn_to(at / PAGE);
            let word_start = at / 64 * 64;
            let word_end = (word_start + 64).min(end);
            let wanted = mask(at - word_start, word_end - word_start);
            let (once, again) = pages.word((at % PAGE / 64) as usize);
            if once & wanted != wanted || again & wanted != 0 {
                for element in (at..word_end).step_by(bytes as usize) {
                    look_at(first + (element - addr) / bytes, &mut pages, element);
                }
            }
            at = word_end;
        }
    });
    let fault = |verdict, group: &Group, cores: Vec<u32>, sites| Fault {
        kind: FaultKind::Coverage,
        verdict,
        access: Access::Write,
        argument: output.name,
        tensor: Some((output.dtype, output.layout.sizes().to_vec())),
        count: group.count,
        first: format!("{:?}", coordinates(output.layout, group.first)),
        cores,
        sites,
    };
    let mut faults = Vec::new();
    if missing.count > 0 {
        let openings = |log: &Log| {
            let on_output = log.openings.iter().filter(|opening| opening.storage == output.storage);
            on_output.map(|opening| opening.site).collect::<Vec<_>>()
        };
        let opened: Vec<_> = logs.iter().map(|log| openings(log)).collect();
        let cores = (0..).zip(&opened).filter(|(_, sites)| !sites.is_empty()).map(|(core, _)| core).collect();
        faults.push(fault(Verdict::NeverWritten, &missing, cores, distinct(opened.into_iter().flatten())));
    }
    for (writers, mut group) in shared {
        let mut sites = std::mem::take(&mut group.sites);
        sites.sort();
        let cores = writers.iter().map(|&core| core as u32).collect();
        faults.push(fault(Verdict::WrittenBySeveralCores, &group, cores, sites));
    }
    faults
}

fn distinct(sites: impl Iterator<Item = Site>) -> Vec<Site> {
    let mut seen: Vec<Site> = Vec::new();
    sites.for_each(|site| {
        if !seen.contains(&site) {
            seen.push(site);
        }
    });
    seen
}

/// The index of an element, one number a dimension.
fn coordinates(layout: &Layout, index: u64) -> Vec<u64> {
    let mut rest = index;
    let mut at: Vec<u64> = layout
        .sizes()
        .iter()
        .rev()
        .map(|&size| {
            let here = rest % u64::from(size.max(1));
            rest /= u64::from(size.max(1));
            here
        })
        .collect();
    at.reverse();
    at
}
