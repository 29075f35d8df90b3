//! [`Queue`]: the DMA queue of one core, descriptor after descriptor.

use std::collections::VecDeque;

use super::modelled::DmaUse;
use super::price::Prices;
use super::span::{Act, Lane, Span, Watcher};
use super::time::Picoseconds;
use super::transfer::Transfer;

/// 10^-12 bytes of a byte: at a rate in bytes a second, as many pass a picosecond.
const PARTS: u64 = 1_000_000_000_000;

#[derive(Debug, Default)]
pub(crate) struct Queue {
    jobs: VecDeque<Job>,
    stage: Stage,
    /// How many copies are done; those before a ticket are, when it is.
    pub(crate) done: u32,
    pub(crate) used: DmaUse,
}

#[derive(Debug)]
struct Job {
    transfer: Transfer,
    submitted: u64,
    /// When the first byte may move.
    ready: u64,
    started: u64,
    /// What no descriptor has been started for.
    left: u32,
    /// How long it takes with HBM for itself.
    alone: u64,
}

/// The descriptor that is being worked off.
#[derive(Clone, Copy, Debug, Default)]
enum Stage {
    #[default]
    None,
    /// So many 10^-12 bytes are left, and it takes until then at least.
    Moving(u64, u64),
    /// The bytes are moved, and it takes until then.
    Settling(u64),
}

impl Queue {
    pub(crate) fn submit(&mut self, transfer: Transfer, now: u64, prices: &Prices) {
        let ready = now.saturating_add(prices.call);
        self.jobs.push_back(Job {
            transfer,
            submitted: now,
            ready,
            started: 0,
            left: transfer.bytes,
            alone: 0,
        });
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }

    pub(crate) fn is_moving(&self) -> bool {
        matches!(self.stage, Stage::Moving(..))
    }

    /// When something happens here next, if bytes go on moving at `rate`.
    pub(crate) fn next(&self, now: u64, rate: u64) -> Option<u64> {
        match self.stage {
            Stage::None => self.jobs.front().map(|job| job.ready.max(now)),
            Stage::Moving(left, _) => Some(now.saturating_add(left.div_ceil(rate))),
            Stage::Settling(until) => Some(until),
        }
    }

    /// Bytes moved at `rate` for so long, which is not longer than [`next`](Self::next) says.
    pub(crate) fn pass(&mut self, time: u64, rate: u64) {
        if let Stage::Moving(left, _) = &mut self.stage {
            *left = left.saturating_sub(rate.saturating_mul(time));
        }
    }

    /// What happens now.
    pub(crate) fn step(&mut self, now: u64, core: u32, prices: &Prices, watcher: &mut impl Watcher) {
        loop {
            match self.stage {
                Stage::None => match self.jobs.front_mut() {
                    Some(job) if job.ready <= now => job.started = now,
                    _ => return,
                },
                Stage::Moving(0, until) => {
                    self.stage = Stage::Settling(until);
                    continue;
                }
                Stage::Moving(..) => return,
                Stage::Settling(until) if until > now => return,
                Stage::Settling(_) => {}
            }
            self.stage = self.descriptor(now, core, prices, watcher);
        }
    }

    /// The next descriptor; if the front job has none left, it is done.
    fn descriptor(&mut self, now: u64, core: u32, prices: &Prices, watcher: &mut impl Watcher) -> Stage {
        let Some(job) = self.jobs.front_mut() else { return Stage::None };
        let bytes = job.left.min(job.transfer.each);
        if bytes > 0 {
            let parts = u64::from(bytes) * PARTS;
            job.left -= bytes;
            job.alone += parts.div_ceil(prices.rate).max(prices.floor);
            return Stage::Moving(parts, now.saturating_add(prices.floor));
        }
        let busy = now - job.started;
        self.done += 1;
        self.used.copies += 1;
        self.used.descriptors += u64::from(job.transfer.descriptors());
        self.used.bytes += u64::from(job.transfer.bytes);
        self.used.busy = self.used.busy + Picoseconds::new(busy);
        self.used.shared = self.used.shared + Picoseconds::new(busy.saturating_sub(job.alone));
        let act = Act::Transferred(job.transfer, job.submitted);
        if busy > 0 {
            watcher.span(Span { core, lane: Lane::Dma, start: job.started, end: now, act });
        }
        self.jobs.pop_front();
        Stage::None
    }
}
