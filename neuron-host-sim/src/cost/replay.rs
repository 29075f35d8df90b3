//! The streams of a launch, played again in modelled time.

use std::slice::Iter;

use neuron_device::Site;
use rustc_hash::FxHashMap;

use super::event::{Event, What};
use super::modelled::{Modelled, ModelledCore, Split};
use super::price::{COUNTED, Cause, Parts, Prices, picoseconds};
use super::queue::Queue;
use super::span::{Act, Lane, Span, Watcher};
use super::stream::Stream;
use super::time::Picoseconds;
use super::transfer::{Direction, Transfer};
use neuron_device::CopyMethod;

/// One core, somewhere in its stream.
struct Core<'s> {
    core: u32,
    events: Iter<'s, Event>,
    /// What it is about to do, at `at`.
    next: Next,
    at: u64,
    spent: [Parts; Cause::COUNT],
    waited: u64,
    /// Until when its windows are being mapped.
    mapped: u64,
    queue: Queue,
    /// How many copies it put into its queue.
    submitted: u32,
    /// Bytes on their way to TCM, by ticket, of which the core is taken to load each.
    staged: FxHashMap<u32, Transfer>,
}

#[derive(Clone, Copy)]
enum Next {
    /// Put a copy into the queue and wait for it, or not.
    Submit { transfer: Transfer, waits: bool },
    /// Wait for a ticket.
    Await(u32, Option<Site>),
    /// It waits.
    Wake(u32, Option<Site>),
    /// It is done.
    Nothing,
}

/// Times of a launch. `watcher` is told of what happened.
pub(crate) fn replay(prices: &Prices, streams: &[Stream], watcher: &mut impl Watcher) -> Modelled {
    // Where all of them together cannot use up what they share, none knows of another.
    let cores = streams.len().max(1);
    let together = if prices.share / cores as u64 >= prices.rate { 1 } else { cores };
    replay_in(together, prices, streams, watcher)
}

/// So many cores at once.
fn replay_in(together: usize, prices: &Prices, streams: &[Stream], watcher: &mut impl Watcher) -> Modelled {
    let mut cores: Vec<Core<'_>> = (0..).zip(streams).map(|(core, stream)| Core::new(core, stream)).collect();
    cores.chunks_mut(together).for_each(|cores| play(cores, prices, watcher));
    Modelled::new(prices, cores.iter().map(Core::modelled).collect())
}

/// From one happening to the next, in the order of time, and of the cores where that is the same.
fn play(cores: &mut [Core<'_>], prices: &Prices, watcher: &mut impl Watcher) {
    cores.iter_mut().for_each(|core| core.go_on(prices, watcher));
    let mut now = 0;
    loop {
        // Bytes of several transfers move at one rate: that of each, or its part of what there is.
        let moving = cores.iter().filter(|core| core.queue.is_moving()).count() as u64;
        let rate = prices.rate.min(prices.share / moving.max(1)).max(1);
        let Some(then) = cores.iter().filter_map(|core| core.time(now, rate)).min() else { return };
        for core in &mut *cores {
            core.queue.pass(then - now, rate);
            core.queue.step(then, core.core, prices, watcher);
            core.act(then, prices, watcher);
        }
        now = then;
    }
}

impl<'s> Core<'s> {
    fn new(core: u32, stream: &'s Stream) -> Self {
        Self {
            core,
            events: stream.events().iter(),
            next: Next::Nothing,
            at: 0,
            spent: [0; Cause::COUNT],
            waited: 0,
            mapped: 0,
            queue: Queue::default(),
            submitted: 0,
            staged: FxHashMap::default(),
        }
    }

    /// When something happens to the core or its queue next.
    fn time(&self, now: u64, rate: u64) -> Option<u64> {
        let own = matches!(self.next, Next::Submit { .. } | Next::Await(..)).then_some(self.at);
        let queue = self.queue.next(now, rate);
        own.into_iter().chain(queue).min()
    }

    /// What the core does now, if it is its time.
    fn act(&mut self, now: u64, prices: &Prices, watcher: &mut impl Watcher) {
        loop {
            match self.next {
                Next::Submit { transfer, waits } if self.at <= now => {
                    let ticket = self.submitted;
                    self.submitted += 1;
                    self.queue.submit(transfer, now, prices);
                    if transfer.direction == Direction::ToTcm && !transfer.counted {
                        self.staged.insert(ticket, transfer);
                    }
                    if waits {
                        self.next = Next::Wake(ticket, Some(transfer.site));
                    } else {
                        self.go_on(prices, watcher);
                    }
                }
                Next::Await(ticket, site) if self.at <= now => self.next = Next::Wake(ticket, site),
                Next::Wake(ticket, site) if self.queue.done > ticket || self.queue.is_empty() => {
                    self.waited += now - self.at;
                    self.span(Lane::Kernel, self.at, now, Act::Waited(site), watcher);
                    self.at = now;
                    if let Some(transfer) = self.staged.remove(&ticket) {
                        let parts = prices.staged(Direction::ToTcm, transfer.bytes);
                        self.spend(&[(Cause::Tcm, parts)], Act::Staged(transfer), watcher);
                    }
                    self.go_on(prices, watcher);
                }
                _ => return,
            }
        }
    }

    /// Up to the next event that the queue has to do with.
    fn go_on(&mut self, prices: &Prices, watcher: &mut impl Watcher) {
        while let Some(event) = self.events.next() {
            let price = |counter: usize| {
                (COUNTED[counter], prices.counted[counter].saturating_mul(event.since[counter].into()))
            };
            self.spend(&std::array::from_fn::<_, 6, _>(price), Act::Counted(event.since), watcher);
            match event.what {
                What::Went => {}
                What::Copied(transfer) => {
                    self.store(transfer, prices, watcher);
                    if transfer.method == CopyMethod::Dma {
                        self.next = Next::Submit { transfer, waits: true };
                        return;
                    }
                    let parts = prices.copied(&transfer);
                    self.spend(&[(Cause::Copies, parts)], Act::Copied(transfer), watcher);
                    if transfer.direction == Direction::ToTcm && !transfer.counted {
                        let parts = prices.staged(Direction::ToTcm, transfer.bytes);
                        self.spend(&[(Cause::Tcm, parts)], Act::Staged(transfer), watcher);
                    }
                }
                What::Submitted(transfer) => {
                    self.store(transfer, prices, watcher);
                    self.next = Next::Submit { transfer, waits: false };
                    return;
                }
                What::Awaited(ticket, site) => {
                    self.next = Next::Await(ticket, Some(site));
                    return;
                }
                What::Remapped(record, addr, site) => {
                    let start = self.at.saturating_sub(prices.miss()).max(self.mapped);
                    self.span(Lane::Windows, start, self.at, Act::Remapped(record, addr, site), watcher);
                    self.mapped = self.at;
                }
                What::Swept(part) => {
                    let parts = prices.staged(Direction::ToTcm, part.bytes);
                    self.spend(&[(Cause::Tcm, parts)], Act::Staged(part), watcher);
                }
                What::Computed(work) => {
                    let parts = prices.computed(&work);
                    self.spend(&[(Cause::Compute, parts)], Act::Computed(work), watcher);
                }
            }
        }
        // What it left in its queue is waited for, and not looked at: its time is not over before.
        self.staged.clear();
        self.next = if self.submitted > self.queue.done {
            Next::Await(self.submitted - 1, None)
        } else {
            Next::Nothing
        };
    }

    /// The bytes that a copy takes away are stored first.
    fn store(&mut self, transfer: Transfer, prices: &Prices, watcher: &mut impl Watcher) {
        if transfer.direction == Direction::ToHbm && !transfer.counted {
            let parts = prices.staged(Direction::ToHbm, transfer.bytes);
            self.spend(&[(Cause::Tcm, parts)], Act::Staged(transfer), watcher);
        }
    }

    fn spend(&mut self, on: &[(Cause, Parts)], act: Act, watcher: &mut impl Watcher) {
        for &(cause, parts) in on {
            let spent = &mut self.spent[cause as usize];
            *spent = spent.saturating_add(parts);
        }
        // Each cause is rounded by itself, so that the split adds up.
        let busy = self.spent.iter().fold(self.waited, |sum, &parts| sum.saturating_add(picoseconds(parts)));
        self.span(Lane::Kernel, self.at, busy, act, watcher);
        self.at = busy;
    }

    fn span(&self, lane: Lane, start: u64, end: u64, act: Act, watcher: &mut impl Watcher) {
        if start < end {
            watcher.span(Span { core: self.core, lane, start, end, act });
        }
    }

    fn modelled(&self) -> ModelledCore {
        let spent = |cause: Cause| Picoseconds::new(picoseconds(self.spent[cause as usize]));
        let split = Split {
            accesses: spent(Cause::Accesses),
            misses: spent(Cause::Misses),
            fences: spent(Cause::Fences),
            tcm: spent(Cause::Tcm),
            copies: spent(Cause::Copies),
            compute: spent(Cause::Compute),
            dma_wait: Picoseconds::new(self.waited),
        };
        ModelledCore { core: self.core, time: Picoseconds::new(self.at), split, dma: self.queue.used }
    }
}

#[cfg(test)]
mod tests;
