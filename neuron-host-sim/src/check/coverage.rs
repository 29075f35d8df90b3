//! Was every element of the output written?

mod order;
mod pages;

use std::ops::Range;

use neuron_device::{Access, HbmAddr};

use self::order::{MemoryOrder, Part as Stretch};
use self::pages::{Pages, WrittenPages};
use crate::bitmap::{PAGE, mask};
use crate::core::Log;
use crate::fault::{Fault, Line, Part, Severity, Verdict};
use crate::place::coordinates;
use crate::subjects::Subject;

/// Find the elements of the launch's output that no core wrote.
pub(crate) fn check(op: &'static str, output: &Subject, logs: &[&Log]) -> Option<Fault> {
    let order = MemoryOrder::new(&output.layout);
    let (storage, bytes) = (output.storage.get(), output.dtype.size());
    let all_pages = WrittenPages::of(logs);
    let mut missing =
        Missing { pages: Pages::new(logs, &all_pages), order: &order, count: 0, first: u64::MAX };
    let written =
        |span: Range<u64>| all_pages.any_in(storage + span.start * bytes..storage + span.end * bytes);
    order.for_each_part(&written, &mut |part| match part {
        Stretch::Blank(positions) => missing.add(positions),
        Stretch::Row { first, offset, elements } => {
            let start = storage + offset * bytes;
            missing.row(first, start..start + elements * bytes, bytes);
        }
    });
    let Missing { count, first, .. } = missing;
    if count == 0 {
        return None;
    }
    let openings = |log: &Log| {
        let on_output = log.openings.iter().filter(|opening| opening.storage == output.storage);
        on_output.map(|opening| Line::new(Part::Opened, opening.site)).collect::<Vec<_>>()
    };
    let opened: Vec<_> = logs.iter().map(|log| openings(log)).collect();
    let cores = (0..).zip(&opened).filter(|(_, lines)| !lines.is_empty()).map(|(core, _)| core).collect();
    let mut lines: Vec<Line> = Vec::new();
    for line in opened.into_iter().flatten() {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    Some(Fault {
        access: Access::Write,
        argument: output.name,
        tensor: Some(output.described()),
        count,
        first: format!("{:?}", coordinates(&output.layout, first)),
        flat: Some(first),
        address: Some(HbmAddr::new(output.address(first))),
        cores,
        lines,
        ..Fault::new(op, Verdict::NeverWritten, Severity::Error)
    })
}

/// What is found on the way through the output.
struct Missing<'l> {
    pages: Pages<'l>,
    order: &'l MemoryOrder<'l>,
    count: u64,
    /// The lowest index.
    first: u64,
}

impl Missing<'_> {
    /// Nobody wrote these.
    fn add(&mut self, positions: Range<u64>) {
        if !positions.is_empty() {
            self.count += positions.end - positions.start;
            self.first = self.first.min(self.order.lowest_index(positions));
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
            let page_end = (addr / PAGE + 1) * PAGE;
            if self.pages.is_whole() && addr.is_multiple_of(PAGE) && page_end <= at.end {
                self.add(position(blank)..position(addr));
                blank = page_end;
                addr = page_end;
                continue;
            }
            let word_start = addr / 64 * 64;
            let word_end = (word_start + 64).min(at.end);
            let wanted = mask(addr - word_start, word_end - word_start);
            let written = self.pages.word((addr % PAGE / 64) as usize);
            if written & wanted != 0 {
                self.add(position(blank)..position(addr));
                blank = word_end;
                if written & wanted != wanted {
                    for start in (addr..word_end).step_by(bytes as usize) {
                        if written & mask(start - word_start, start - word_start + bytes) == 0 {
                            self.add(position(start)..position(start) + 1);
                        }
                    }
                }
            }
            addr = word_end;
        }
        self.add(position(blank)..position(at.end));
    }
}
