//! Was every element of the output written?

mod order;

use neuron_device::{Access, HbmAddr};

use self::order::MemoryOrder;
use crate::bitmap::{NONE, PAGE, mask};
use crate::core::Log;
use crate::fault::{Fault, Line, Part, Severity, Verdict};
use crate::place::coordinates;
use crate::subjects::Subject;

/// Looks at pages of the cores' bitmaps, keeping the one looked at last.
struct Pages<'l> {
    logs: &'l [&'l Log],
    page: Option<u64>,
    /// Its bytes that some core wrote.
    written: crate::bitmap::Bits,
}

impl Pages<'_> {
    fn turn_to(&mut self, page: u64) {
        if self.page != Some(page) {
            self.page = Some(page);
            self.written = NONE;
            for bits in self.logs.iter().filter_map(|log| log.shadow.written(page)) {
                self.written.iter_mut().zip(bits).for_each(|(word, bits)| *word |= bits);
            }
        }
    }
}

/// Find the elements of the launch's output that no core wrote.
pub(crate) fn check(op: &'static str, output: &Subject, logs: &[&Log]) -> Option<Fault> {
    let (mut count, mut first) = (0, u64::MAX);
    let mut pages = Pages { logs, page: None, written: NONE };
    let bytes = output.dtype.size();
    let order = MemoryOrder::new(&output.layout);
    order.for_each_row(|position, offset, elements| {
        let addr = output.storage.get() + offset * bytes;
        let end = addr + elements * bytes;
        let mut at = addr;
        while at < end {
            pages.turn_to(at / PAGE);
            let word_start = at / 64 * 64;
            let word_end = (word_start + 64).min(end);
            let wanted = mask(at - word_start, word_end - word_start);
            let written = pages.written[(at % PAGE / 64) as usize];
            if written & wanted != wanted {
                for element in (at..word_end).step_by(bytes as usize) {
                    if written & mask(element - word_start, element - word_start + bytes) == 0 {
                        count += 1;
                        first = first.min(order.index(position + (element - addr) / bytes));
                    }
                }
            }
            at = word_end;
        }
    });
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
        address: Some(HbmAddr::new(output.address(first))),
        cores,
        lines,
        ..Fault::new(op, Verdict::NeverWritten, Severity::Error)
    })
}
