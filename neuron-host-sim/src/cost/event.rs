//! [`Event`]: something a core did at a moment that matters to its time.

use neuron_device::{HbmAddr, Site};

use super::progress::Progress;
use super::transfer::Transfer;
use neuron_device::Work;

/// What a core did.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum What {
    /// It went on: only its progress says how.
    Went,
    /// It copied, and waited until that was done.
    Copied(Transfer),
    /// It put a copy into its DMA queue and went on. Of the copies by DMA of a core, in this form or that of
    /// [`Copied`](Self::Copied), the first has ticket 0, the next one 1.
    Submitted(Transfer),
    /// It waited until the copy with this ticket was done, and all before it.
    Awaited(u32, Site),
    /// It was given a slice of bytes that a counted copy had brought.
    Swept(Transfer),
    /// It missed, and a window shows these addresses from now on. That [`Progress::misses`] counts it is its price.
    Remapped(u8, HbmAddr, Site),
    /// It declared compute.
    Computed(Work),
}

/// Something a core did, and what it counted since the event before. A million of them are 56 MB.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    pub(crate) since: [u32; 6],
    pub(crate) what: What,
}

const _: () = assert!(size_of::<Event>() <= 56);

impl Event {
    /// What the core counted since the event before.
    pub fn since(&self) -> Progress {
        Progress::of(self.since.map(u64::from))
    }

    /// What it did then.
    pub fn what(&self) -> What {
        self.what
    }
}
