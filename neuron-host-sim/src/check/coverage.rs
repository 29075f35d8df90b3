//! Was every element of the output written, and by one core?

mod order;
mod pages;

use std::collections::BTreeMap;
use std::ops::Range;

use neuron_device::{Access, Dtype, HbmAddr, Layout, Site};

use self::order::{MemoryOrder, Part};
use self::pages::{Pages, WrittenPages};
use crate::core::Log;
use crate::fault::{Fault, FaultKind, Verdict};
use crate::shadow::{PAGE, mask};

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

    /// So many elements more, the lowest of which has this index.
    fn add(&mut self, count: u64, first: u64) {
        self.count += count;
        self.first = self.first.min(first);
    }
}

/// Find the elements of `output` that were never written (unless `judge_missing` is off, as when a core was stopped)
/// or written by several cores.
pub(crate) fn check(output: &Output<'_>, logs: &[&Log], judge_missing: bool) -> Vec<Fault> {
    let order = MemoryOrder::new(output.layout);
    let (storage, bytes) = (output.storage.get(), output.dtype.size());
    let all_pages = WrittenPages::of(logs);
    let pages = Pages::new(logs, &all_pages);
    let mut count =
        Count { logs, pages, order: &order, judge_missing, missing: Group::new(0), shared: BTreeMap::new() };
    let written =
        |span: Range<u64>| all_pages.any_in(storage + span.start * bytes..storage + span.end * bytes);
    order.for_each_part(&written, &mut |part| match part {
        Part::Blank(positions) => count.blank(positions),
        Part::Row { first, offset, elements } => {
            let start = storage + offset * bytes;
            count.row(first, start..start + elements * bytes, bytes);
        }
    });
    let Count { missing, shared, .. } = count;
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

/// What is found on the way through the output.
struct Count<'l> {
    logs: &'l [&'l Log],
    pages: Pages<'l>,
    order: &'l MemoryOrder<'l>,
    judge_missing: bool,
    missing: Group,
    /// By the cores that wrote.
    shared: BTreeMap<Vec<usize>, Group>,
}

impl Count<'_> {
    /// Nobody wrote these.
    fn blank(&mut self, positions: Range<u64>) {
        if self.judge_missing && !positions.is_empty() {
            let first = self.order.lowest_index(positions.clone());
            self.missing.add(positions.end - positions.start, first);
        }
    }

    /// Elements of `bytes` bytes that lie one after the other at `at`, the first of them at position `first`.
    fn row(&mut self, first: u64, at: Range<u64>, bytes: u64) {
        let position = |addr: u64| first + (addr - at.start) / bytes;
        // Nothing from here up to `addr` was written, and it is not counted yet.
        let mut blank = at.start;
        let mut addr = at.start;
        while addr < at.end {
            if !self.pages.turn_to(addr / PAGE) {
                addr = self.pages.next(addr / PAGE).map_or(at.end, |page| at.end.min(page * PAGE));
                continue;
            }
            let word_start = addr / 64 * 64;
            let word_end = (word_start + 64).min(at.end);
            let wanted = mask(addr - word_start, word_end - word_start);
            let (once, again) = self.pages.word((addr % PAGE / 64) as usize);
            if once & wanted != 0 {
                self.blank(position(blank)..position(addr));
                blank = word_end;
                if once & wanted != wanted || again & wanted != 0 {
                    let elements = (addr..word_end).step_by(bytes as usize);
                    elements.for_each(|start| self.element(position(start), start..start + bytes));
                }
            }
            addr = word_end;
        }
        self.blank(position(blank)..position(at.end));
    }

    /// One element, at these addresses, on the page looked at.
    fn element(&mut self, position: u64, at: Range<u64>) {
        let writers = self.pages.writers_of(&at);
        match writers.len() {
            0 => self.blank(position..position + 1),
            1 => {}
            _ => {
                let all = || writers.iter().flat_map(|&core| self.logs[core].writes.all_sites());
                let group =
                    self.shared.entry(writers.clone()).or_insert_with(|| Group::new(distinct(all()).len()));
                group.add(1, self.order.index(position));
                if group.sites.len() < group.lines {
                    let sites =
                        writers.iter().flat_map(|&core| self.logs[core].writes.sites(at.start, at.end));
                    group.sites = distinct(group.sites.drain(..).chain(sites));
                }
            }
        }
    }
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
