//! Decisions as arithmetic: what to map, who works on what, what was written. Nothing here knows a platform.

pub(crate) mod coherency;
pub(crate) mod counters;
pub(crate) mod heap;
pub(crate) mod partition;
pub(crate) mod ring;
pub(crate) mod runs;
pub(crate) mod stack;
pub(crate) mod window;
