//! [`Span`]: what a core, its queue or its windows did, from when to when.

use neuron_device::{HbmAddr, Site};

use super::transfer::Transfer;
use neuron_device::Work;

/// Of whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Lane {
    Kernel,
    Dma,
    Windows,
}

impl Lane {
    pub(crate) const ALL: [Self; 3] = [Self::Kernel, Self::Dma, Self::Windows];

    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Kernel => "kernel",
            Self::Dma => "DMA queue",
            Self::Windows => "window remaps",
        }
    }
}

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Act {
    /// Accesses, misses and fences: what each counter of [`Progress`](super::Progress) rose by.
    Counted([u32; 6]),
    /// The core loaded or stored, as it is taken to, what a copy staged.
    Staged(Transfer),
    /// The core copied by itself.
    Copied(Transfer),
    Computed(Work),
    /// The core waited for its queue; for what it left there, at no line.
    Waited(Option<Site>),
    /// The queue moved bytes, which it was asked for at this time.
    Transferred(Transfer, u64),
    Remapped(u8, HbmAddr, Site),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Span {
    pub(crate) core: u32,
    pub(crate) lane: Lane,
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) act: Act,
}

/// Who is told of spans, in each lane one after the other.
pub(crate) trait Watcher {
    fn span(&mut self, span: Span);
}

/// Who wants to know the times alone.
#[derive(Debug)]
pub(crate) struct Nobody;

impl Watcher for Nobody {
    fn span(&mut self, _: Span) {}
}
