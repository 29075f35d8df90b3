//! Which bytes of what it returns a core wrote, and whether they are more pieces than it remembers.

use std::collections::BTreeSet;
use std::ops::Range;
use std::vec::Vec;

/// Pieces a core remembers.
const MOST: usize = 8;

/// Did a core write more pieces than it remembers?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TooMany {
    No,
    /// They are few at the end, and may have been many in between: a core takes notice of what it writes run by run, not
    /// write by write, and which runs there are is its own business.
    Perhaps,
    Yes,
}

/// The elements that were written.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    size: u64,
    elements: BTreeSet<u64>,
}

impl Pieces {
    pub(super) fn insert(&mut self, addr: u64, size: u64) {
        self.size = size;
        self.elements.insert(addr);
    }

    pub(super) fn has(&self, addr: u64) -> bool {
        self.elements.contains(&addr)
    }

    pub(super) fn too_many(&self) -> TooMany {
        let mut pieces: Vec<Range<u64>> = Vec::new();
        for &element in &self.elements {
            match pieces.last_mut().filter(|last| last.end == element) {
                Some(last) => last.end += self.size,
                None => pieces.push(element..element + self.size),
            }
        }
        // Every second element of a piece may be written before those between.
        let at_most = |piece: &Range<u64>| (piece.end - piece.start).div_ceil(2 * self.size) as usize;
        if pieces.len() > MOST {
            TooMany::Yes
        } else if pieces.iter().map(at_most).sum::<usize>() > MOST {
            TooMany::Perhaps
        } else {
            TooMany::No
        }
    }
}
