//! [`Stream`]: the events of one core, in its own order.

use neuron_device::{HbmAddr, Site};

use super::event::{Event, What};
use super::progress::Progress;
use super::transfer::Transfer;
use neuron_device::CopyMethod;
use neuron_device::Work;

/// A copy in a core's DMA queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket(u32);

/// The events of one core, in its own order: what the cost model is told of a launch.
///
/// ```
/// use neuron_host_sim::cost::{CostModel, Direction, CopyMethod, Progress, Stream, Transfer};
/// let line = std::panic::Location::caller();
/// let tile = Transfer::new(CopyMethod::Dma, Direction::ToTcm, 4096, line);
/// // Two tiles, the second copied while the core is busy with the first:
/// let mut stream = Stream::new();
/// let first = stream.submitted(Progress::default(), tile);
/// let second = stream.submitted(Progress::default(), tile);
/// stream.awaited(Progress::default(), first, line);
/// stream.awaited(Progress { stores: 10, ..Progress::default() }, second, line);
/// stream.ended(Progress { stores: 10, ..Progress::default() });
/// let modelled = CostModel::default().replay(&[stream])?;
/// let split = &modelled.cores()[0].split;
/// // 1300 ns to begin with and 241 for the first tile; the second is there before the stores are over.
/// assert_eq!(split.dma_wait.to_string(), "1.540 µs");
/// # Ok::<(), neuron_host_sim::cost::CostModelError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stream {
    events: Vec<Event>,
    /// What the last event had counted.
    at: Progress,
    submitted: u32,
}

impl Stream {
    /// Of a core that did nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The core copied, and waited until that was done.
    ///
    /// # Panics
    /// Here and in the other calls, if a counter of `at` fell since the event before: they only rise.
    pub fn copied(&mut self, at: Progress, transfer: Transfer) {
        if transfer.method == CopyMethod::Dma {
            self.submitted += 1;
        }
        self.push(at, What::Copied(transfer));
    }

    /// The core put a copy into its DMA queue, whatever its method says, and went on.
    ///
    /// # Panics
    /// As [`copied`](Self::copied).
    pub fn submitted(&mut self, at: Progress, transfer: Transfer) -> Ticket {
        let ticket = Ticket(self.submitted);
        self.submitted += 1;
        self.push(at, What::Submitted(Transfer { method: CopyMethod::Dma, ..transfer }));
        ticket
    }

    /// The core waited, at the line `site`, until a copy was done, and all that were submitted before it. If that was
    /// never submitted here, it waited for all.
    ///
    /// # Panics
    /// As [`copied`](Self::copied).
    pub fn awaited(&mut self, at: Progress, ticket: Ticket, site: Site) {
        self.push(at, What::Awaited(ticket.0, site));
    }

    /// The core was given a slice of bytes that a [counted](Transfer::counted) copy brought: of `part`, it is taken to load
    /// each as of any other.
    ///
    /// # Panics
    /// As [`copied`](Self::copied).
    pub fn swept(&mut self, at: Progress, part: Transfer) {
        self.push(at, What::Swept(part));
    }

    /// The core mapped window `record` to show `addr`, at the line `site`. This is for the timeline: the price is that of
    /// [`Progress::misses`].
    ///
    /// # Panics
    /// As [`copied`](Self::copied).
    pub fn remapped(&mut self, at: Progress, record: u8, addr: HbmAddr, site: Site) {
        self.push(at, What::Remapped(record, addr, site));
    }

    /// The core declared compute.
    ///
    /// # Panics
    /// As [`copied`](Self::copied).
    pub fn computed(&mut self, at: Progress, work: Work) {
        self.push(at, What::Computed(work));
    }

    /// The op is over.
    ///
    /// # Panics
    /// As [`copied`](Self::copied).
    pub fn ended(&mut self, at: Progress) {
        self.push(at, What::Went);
    }

    /// The events so far.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// What was counted up to the last event.
    pub fn progress(&self) -> Progress {
        self.at
    }

    pub(crate) fn push(&mut self, at: Progress, what: What) {
        let (now, then) = (at.counts(), self.at.counts());
        let mut since: [u64; 6] = std::array::from_fn(|counter| {
            now[counter].checked_sub(then[counter]).expect("a core's counters only rise")
        });
        // More than an event holds goes into several.
        while since.iter().any(|&count| count > u64::from(u32::MAX)) {
            let part = since.map(|count| count.min(u32::MAX.into()) as u32);
            since.iter_mut().zip(part).for_each(|(count, part)| *count -= u64::from(part));
            self.events.push(Event { since: part, what: What::Went });
        }
        self.events.push(Event { since: since.map(|count| count as u32), what });
        self.at = at;
    }
}

#[cfg(test)]
pub(crate) mod tests;
