//! Which bytes of what it returns a core remembers to have written: eight pieces at most.

use std::ops::Range;
use std::vec::Vec;

/// The pieces, apart from each other.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    all: Vec<Range<u64>>,
    /// The line that wrote a ninth; what is written from then on is forgotten.
    pub(super) overflow: Option<i32>,
}

impl Pieces {
    pub(super) fn insert(&mut self, bytes: Range<u64>, line: i32) {
        if self.overflow.is_some() {
            return;
        }
        let touches = |piece: &Range<u64>| piece.start <= bytes.end && bytes.start <= piece.end;
        let (touched, apart): (Vec<_>, Vec<_>) = self.all.iter().cloned().partition(touches);
        let start = touched.iter().map(|piece| piece.start).chain([bytes.start]).min();
        let end = touched.iter().map(|piece| piece.end).chain([bytes.end]).max();
        if touched.is_empty() && apart.len() == 8 {
            self.overflow = Some(line);
            return;
        }
        self.all = apart;
        self.all.extend(start.zip(end).map(|(start, end)| start..end));
    }

    pub(super) fn has(&self, byte: u64) -> bool {
        self.all.iter().any(|piece| piece.contains(&byte))
    }
}
