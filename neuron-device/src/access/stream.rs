//! Streams: forward reads and writes of a tensor through one buffer.

mod buffer;
pub(crate) mod read;
pub(crate) mod write;

#[cfg(test)]
mod tests;
