//! [`Timeline`]: what happened when, for a viewer.

mod chrome;

use std::io::{self, BufWriter, Write};

use super::span::{Span, Watcher};

/// What every core, its DMA queue and its windows did in modelled time.
///
/// Written as a Chrome trace, it opens in [Perfetto](https://ui.perfetto.dev) and in `chrome://tracing`.
///
/// ```
/// use neuron_host_sim::cost::{CostModel, Direction, CopyMethod, Progress, Stream, Transfer};
/// let line = std::panic::Location::caller();
/// let mut stream = Stream::new();
/// stream.copied(Progress::default(), Transfer::new(CopyMethod::Dma, Direction::ToTcm, 4096, line));
/// let (modelled, timeline) = CostModel::default().timeline(&[stream])?;
/// let mut file = Vec::new();
/// timeline.write(&mut file)?;
/// let trace: serde_json::Value = serde_json::from_slice(&file)?;
/// let events = trace["traceEvents"].as_array().unwrap();
/// assert!(events.iter().any(|event| event["name"] == "DMA to TCM" && event["args"]["bytes"] == 4096));
/// # assert!(modelled.cores().len() == 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Timeline {
    cores: usize,
    spans: Vec<Span>,
}

impl Timeline {
    pub(crate) fn new(cores: usize) -> Self {
        Self { cores, spans: Vec::new() }
    }

    /// In the order of time, then of the cores and their lanes.
    pub(crate) fn sort(&mut self) {
        self.spans.sort_by_key(|span| (span.start, span.core, span.lane));
    }

    /// How many spans it has.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Did nothing take time?
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Write it in the Chrome trace format, event by event.
    ///
    /// # Errors
    /// Those of `to`.
    pub fn write(&self, to: impl Write) -> io::Result<()> {
        let mut to = BufWriter::new(to);
        chrome::write(self.cores, &self.spans, &mut to)?;
        to.flush()
    }
}

impl Watcher for Timeline {
    fn span(&mut self, span: Span) {
        self.spans.push(span);
    }
}

#[cfg(test)]
mod tests;
