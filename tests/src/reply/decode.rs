//! Reading replies, on the host.

use std::string::String;
use std::vec::Vec;

use neuron_device::{CopyCounters, Counters, WindowCounters};

use super::{MAGIC, RAN, REFUSED};
use crate::case::{CaseError, Reader};

/// What became of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// It was run.
    Ran {
        /// How each core ended.
        cores: Vec<CoreEnd>,
        /// The memory asked for.
        answer: Vec<u8>,
    },
    /// It could not be run.
    Refused(String),
}

/// How one core ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoreEnd {
    /// The text of the error it returned, if it did.
    pub error: Option<String>,
    /// What it counted.
    pub counters: Counters,
    /// Fingerprint of what its observer was told; 0 where nobody took one.
    pub fingerprint: u64,
}

/// Why bytes are no reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyError {
    /// They end inside a reply: there may be more to come.
    Short,
    /// They are something else.
    Foreign,
}

impl Reply {
    /// The reply at the front of `bytes`, and how many bytes it takes.
    ///
    /// # Errors
    /// There is none, or not all of it.
    pub fn decode(bytes: &[u8]) -> Result<(Self, usize), ReplyError> {
        let mut from = Reader::new(bytes);
        let reply = read(&mut from).map_err(|error| match error {
            CaseError::Short(_) => ReplyError::Short,
            _ => ReplyError::Foreign,
        })?;
        Ok((reply, bytes.len() - from.rest().len()))
    }
}

fn read(from: &mut Reader<'_>) -> Result<Reply, CaseError> {
    let magic = from.u32("first word")?;
    if magic != MAGIC {
        return Err(CaseError::Magic(magic));
    }
    match from.u8("kind")? {
        RAN => {
            let cores = from.u32("number of cores")?;
            let cores = (0..cores).map(|_| core_end(from)).collect::<Result<_, _>>()?;
            let len = from.u32("answer's length")?;
            Ok(Reply::Ran { cores, answer: from.take(len as usize, "answer")?.into() })
        }
        REFUSED => Ok(Reply::Refused(from.text("reason")?.into())),
        _ => Err(CaseError::Value("kind")),
    }
}

fn core_end(from: &mut Reader<'_>) -> Result<CoreEnd, CaseError> {
    let error = if from.flag("end")? { Some(from.text("error")?.into()) } else { None };
    let mut counters =
        Counters { loads: from.u64("loads")?, stores: from.u64("stores")?, ..Counters::default() };
    counters.copies = CopyCounters {
        dma_calls: from.u64("DMA calls")?,
        descriptors: from.u64("descriptors")?,
        core_copies: from.u64("core copies")?,
        tcm_loads: from.u64("TCM loads")?,
        tcm_stores: from.u64("TCM stores")?,
        bytes_in: from.u64("bytes in")?,
        bytes_out: from.u64("bytes out")?,
        unbuffered_streams: from.u64("unbuffered streams")?,
        unstaged_returns: from.u64("unstaged returns")?,
        tcm_peak: from.u64("TCM peak")? as u32,
    };
    for window in &mut counters.windows {
        *window = WindowCounters {
            hits: from.u64("hits")?,
            misses: from.u64("misses")?,
            evictions: from.u64("evictions")?,
        };
    }
    Ok(CoreEnd { error, counters, fingerprint: from.u64("fingerprint")? })
}
