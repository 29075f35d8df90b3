//! What the program on the 32-bit core sends back for a case.

#[cfg(not(target_os = "none"))]
mod decode;
#[cfg(all(test, not(target_os = "none")))]
mod tests;

use core::fmt::{Display, Write};

use heapless::String;
use neuron_device::{CopyCounters, Counters, WindowCounters};

#[cfg(not(target_os = "none"))]
pub use self::decode::{CoreEnd, Reply, ReplyError};
use crate::case::{Sink, put_text};
use crate::watched::Watch;

/// First word of a reply.
const MAGIC: u32 = 0x3252_514E;
/// The case was run.
const RAN: u8 = 0;
/// The case could not be run, for the reason that follows.
const REFUSED: u8 = 1;

/// The case was not run.
pub(crate) fn put_refusal(to: &mut impl Sink, reason: &dyn Display) {
    to.put(&MAGIC.to_le_bytes());
    to.put(&[REFUSED]);
    put_display(to, reason);
}

/// The case was run on this many cores; what became of each, and the answer, follow.
pub(crate) fn put_head(to: &mut impl Sink, cores: u32) {
    to.put(&MAGIC.to_le_bytes());
    to.put(&[RAN]);
    to.put(&cores.to_le_bytes());
}

/// The next core ended so.
pub(crate) fn put_core(to: &mut impl Sink, result: &neuron_device::Result<()>, watch: &Watch) {
    match result {
        Ok(()) => to.put(&[0]),
        Err(error) => {
            to.put(&[1]);
            put_display(to, error);
        }
    }
    let Counters { loads, stores, windows, copies } = watch.counters;
    to.put(&loads.to_le_bytes());
    to.put(&stores.to_le_bytes());
    let CopyCounters {
        dma_calls,
        descriptors,
        core_copies,
        tcm_loads,
        tcm_stores,
        bytes_in,
        bytes_out,
        unbuffered_streams,
        unstaged_returns,
        tcm_peak,
    } = copies;
    let counts = [
        dma_calls,
        descriptors,
        core_copies,
        tcm_loads,
        tcm_stores,
        bytes_in,
        bytes_out,
        unbuffered_streams,
        unstaged_returns,
        tcm_peak.into(),
    ];
    counts.iter().for_each(|count| to.put(&count.to_le_bytes()));
    for WindowCounters { hits, misses, evictions } in windows {
        [hits, misses, evictions].iter().for_each(|count| to.put(&count.to_le_bytes()));
    }
    to.put(&watch.fingerprint.to_le_bytes());
}

/// The memory asked for; the reply ends.
pub(crate) fn put_answer(to: &mut impl Sink, answer: &[u8]) {
    to.put(&(answer.len() as u32).to_le_bytes());
    to.put(answer);
}

/// A text whose length must be known before it is sent, without memory to grow into: what does not fit is cut.
fn put_display(to: &mut impl Sink, value: &dyn Display) {
    let mut text: String<1024> = String::new();
    // A full buffer is the only error there is.
    let _ = write!(text, "{value}");
    put_text(to, &text);
}
