//! The core a kernel runs on.

mod blocks;
pub(crate) mod console;
pub(crate) mod cursor;
pub(crate) mod handover;
pub(crate) mod place;
pub(crate) mod q7;
mod raw;
pub(crate) mod scratch;
pub(crate) mod staging;
pub(crate) mod tally;
