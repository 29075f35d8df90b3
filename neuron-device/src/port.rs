//! The hardware boundary: what a kernel consumes of the machine it runs on.

pub(crate) mod attached;
pub mod bulk;
pub(crate) mod dataram;
pub(crate) mod engine;
pub(crate) mod fault;
pub(crate) mod flat;
pub(crate) mod observe;
pub(crate) mod platform;
#[cfg(test)]
pub(crate) mod rig;
pub(crate) mod sbuf;
pub(crate) mod station;
pub(crate) mod steps;
pub(crate) mod walk;
pub(crate) mod window;
pub(crate) mod word;
