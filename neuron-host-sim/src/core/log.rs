//! What one core did in one launch.

use std::ops::Range;

use neuron_device::{Counters, HbmAddr, Site};
use rustc_hash::FxHashSet;

use super::Outcome;
use super::clock::Clock;
use super::faults::FaultLog;
use super::stack::StackUse;
use crate::bitmap::PAGE;
use crate::console::Queue;
use crate::shadow::Shadow;
use crate::subjects::Subject;

/// An accessor the kernel opened for writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Opening {
    pub(crate) storage: HbmAddr,
    pub(crate) site: Site,
}

/// What one core did in one launch.
#[derive(Debug)]
pub(crate) struct Log {
    pub(crate) outcome: Outcome,
    pub(crate) counters: Counters,
    pub(crate) faults: FaultLog,
    /// The tensor and the line of the first accessor.
    pub(crate) first_opened: Option<(&'static str, Site)>,
    /// In the order they were opened, each once.
    pub(crate) openings: Vec<Opening>,
    pub(super) opened: FxHashSet<Opening>,
    /// What it made on its scratch.
    pub(crate) made: Vec<Subject>,
    pub(crate) shadow: Shadow,
    /// Was a tensor it returned copied to the output?
    pub(crate) returned: bool,
    /// What it did that takes time on the machine, if that is modelled.
    pub(crate) clock: Option<Clock>,
    /// What it printed.
    pub(crate) console: Queue,
    /// What its kernel used of its stack, if it got one and came to an end of its own.
    pub(crate) stack: Option<StackUse>,
    /// Addresses that hold a pattern instead of zeros.
    pub(super) poisoned: Vec<Range<u64>>,
    /// Where the memory begins that it shared with the other cores, if it did.
    pub(super) shared_from: Option<u64>,
    /// Private pages it had, once they are forgotten.
    pub(crate) copied: u64,
}

impl Log {
    /// The pages that are the core's own, by number, rising.
    pub(crate) fn private_pages(&self) -> Vec<u64> {
        let mut pages = self.shadow.written_pages();
        if let Some(shared_from) = self.shared_from {
            pages.retain(|page| page * PAGE < shared_from);
        }
        if !self.poisoned.is_empty() {
            pages.extend(self.poisoned.iter().flat_map(|range| range.start / PAGE..range.end.div_ceil(PAGE)));
            pages.sort_unstable();
            pages.dedup();
        }
        pages
    }

    /// The kernel opened an output, or whatever it is.
    pub(super) fn open(&mut self, opening: Opening) {
        // A copy opens its tensor each time.
        if self.openings.last() != Some(&opening) && self.opened.insert(opening) {
            self.openings.push(opening);
        }
    }

    /// Did the core write one of these bytes?
    pub(crate) fn wrote(&self, start: u64, end: u64) -> bool {
        self.shadow.sites(start, end).next().is_some()
    }
}

impl Default for Log {
    fn default() -> Self {
        Self {
            outcome: Outcome::Returned,
            counters: Counters::default(),
            faults: FaultLog::default(),
            first_opened: None,
            openings: Vec::new(),
            opened: FxHashSet::default(),
            made: Vec::new(),
            shadow: Shadow::default(),
            returned: false,
            clock: None,
            console: Queue::default(),
            stack: None,
            poisoned: Vec::new(),
            shared_from: None,
            copied: 0,
        }
    }
}
