//! Does a core go round in a circle? It may wait for another core, which no core can.

use neuron_device::{Access, Run};

use crate::fault::{Fault, Line, Part, Severity, Verdict};
use crate::subjects::Subjects;

/// Accesses since the last one to something new.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Idle {
    pub(super) accesses: u64,
    /// The last of them.
    pub(super) run: Option<Run>,
}

impl Idle {
    pub(super) fn longer_by(self, run: &Run) -> Self {
        Self { accesses: self.accesses.saturating_add(run.count), run: Some(*run) }
    }
}

/// A core that made so many accesses, the last of them `run`, without coming to anything new.
pub(super) fn fault(op: &'static str, run: &Run, accesses: u64, subjects: Subjects<'_>) -> Fault {
    let addr = run.start.get();
    let subject = subjects.at(addr, run.access);
    let part = if run.access == Access::Write { Part::Written } else { Part::Read };
    Fault {
        access: run.access,
        count: accesses,
        lines: vec![Line::new(part, run.site)],
        ..Fault::new(op, Verdict::NoProgress, Severity::Error).at(subject, addr)
    }
}
