//! What a core did that takes time on the machine, for the cost model.

use neuron_device::{Access, Copied, CopyMethod, Counters, HbmAddr, Site, Work};
use rustc_hash::FxHashMap;

use crate::cost::{Direction, Progress, Stream, Ticket, Transfer};

/// A core's stream of events, as it is told of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clock {
    stream: Stream,
    /// How far the core is.
    at: Progress,
    /// How often the kernel fenced.
    fences: u64,
    /// Asynchronous copies, by their numbers.
    tickets: FxHashMap<u64, Ticket>,
}

impl Clock {
    pub(super) fn progressed(&mut self, counters: &Counters) {
        let copies = counters.copies;
        self.at = Progress {
            loads: counters.loads,
            stores: counters.stores,
            misses: counters.misses(),
            fences: self.fences,
            tcm_loads: copies.tcm_loads,
            tcm_stores: copies.tcm_stores,
        };
    }

    pub(super) fn copied(&mut self, copy: &Copied) {
        let direction = if copy.hbm.access == Access::Read { Direction::ToTcm } else { Direction::ToHbm };
        // A core has 64 KiB of dataram.
        let transfer = Transfer::new(copy.method, direction, copy.bytes() as u32, copy.hbm.site);
        let transfer = if copy.hbm.count > 1 { transfer.in_runs_of(copy.hbm.bytes as u32) } else { transfer };
        let transfer = if copy.counted { transfer.counted() } else { transfer };
        match copy.pending {
            None => self.stream.copied(self.at, transfer),
            Some(number) => {
                let ticket = self.stream.submitted(self.at, transfer);
                self.tickets.insert(number, ticket);
            }
        }
    }

    pub(super) fn swept(&mut self, bytes: u64, site: Site) {
        let part = Transfer::new(CopyMethod::Dma, Direction::ToTcm, bytes as u32, site);
        self.stream.swept(self.at, part);
    }

    pub(super) fn awaited(&mut self, copy: u64, site: Site) {
        if let Some(ticket) = self.tickets.remove(&copy) {
            self.stream.awaited(self.at, ticket, site);
        }
    }

    pub(super) fn remapped(&mut self, record: usize, addr: HbmAddr, site: Site) {
        self.stream.remapped(self.at, record as u8, addr, site);
    }

    pub(super) fn computed(&mut self, work: Work) {
        self.stream.computed(self.at, work);
    }

    pub(super) fn fenced(&mut self) {
        self.fences += 1;
    }

    /// The op is over: fenced once more, when it cleaned up.
    pub(super) fn ended(&mut self, counters: &Counters) {
        self.progressed(counters);
        self.stream.ended(Progress { fences: self.fences + 1, ..self.at });
    }

    /// What it was told.
    pub(crate) fn stream(&self) -> &Stream {
        &self.stream
    }
}
