//! A copy to HBM that nobody sees yet.

use std::ops::Range;

use neuron_device::{HbmAddr, Site, bulk};

use super::Native;

/// What the core knows of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// It is to be waited for, by this number.
    Pending(u64),
    /// It was said to be done.
    Done,
}

/// What one descriptor pair moves to HBM.
#[derive(Debug)]
pub(super) struct Arriving {
    hbm: HbmAddr,
    piece: Vec<u8>,
    state: State,
    /// The line that asked for it.
    site: Option<Site>,
}

impl Arriving {
    pub(super) fn new(hbm: HbmAddr, piece: Vec<u8>, pending: Option<u64>, site: Option<Site>) -> Self {
        Self { hbm, piece, state: pending.map_or(State::Done, State::Pending), site }
    }

    pub(super) fn state(&self) -> State {
        self.state
    }

    pub(super) fn site(&self) -> Option<Site> {
        self.site
    }

    /// Where it goes.
    pub(super) fn bytes(&self) -> Range<u64> {
        self.hbm.get()..self.hbm.get() + self.piece.len() as u64
    }

    /// The copy of this number was waited for.
    pub(super) fn awaited(&mut self, copy: u64) {
        if self.state == State::Pending(copy) {
            self.state = State::Done;
        }
    }

    /// It is in HBM from now on.
    pub(super) fn arrive(self, native: &Native<'_>) {
        if let Some(to) = native(self.hbm, self.piece.len() as u64) {
            // SAFETY: `native` gives that many bytes of HBM as this core sees them, which cores access as `bulk` says.
            unsafe { bulk::copy_to_shared(self.piece.as_ptr(), to, self.piece.len()) }
        }
    }
}
