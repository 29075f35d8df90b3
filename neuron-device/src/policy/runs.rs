//! Which bytes of a scratch tensor a core wrote: a few sorted runs, so that exactly those are copied back.

use heapless::Vec;

/// Runs one storage may have. A ninth is a fault: a device keeps no list that grows.
pub(crate) const MAX_RUNS: usize = 8;

/// A range of bytes, `start..end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ByteRun {
    pub(crate) start: u64,
    pub(crate) end: u64,
}

/// There was no room for a ninth run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooManyRuns;

/// At most 8 runs, sorted, disjoint and never touching each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Runs(Vec<ByteRun, MAX_RUNS>);

impl Runs {
    /// Add `start..end`, joined with every run it overlaps or touches.
    pub(crate) fn insert(&mut self, start: u64, end: u64) -> Result<(), TooManyRuns> {
        if start >= end {
            return Ok(());
        }
        let first = self.0.iter().take_while(|run| run.end < start).count();
        let touched = self.0[first..].iter().take_while(|run| run.start <= end).count();
        if touched == 0 {
            return self.0.insert(first, ByteRun { start, end }).map_err(|_| TooManyRuns);
        }
        let last = self.0[first + touched - 1];
        self.0[first] = ByteRun { start: start.min(self.0[first].start), end: end.max(last.end) };
        for _ in 1..touched {
            self.0.remove(first + 1);
        }
        Ok(())
    }

    pub(crate) fn as_slice(&self) -> &[ByteRun] {
        &self.0
    }

    /// Is byte `at` in one of the runs?
    pub(crate) fn contains(&self, at: u64) -> bool {
        self.0.iter().any(|run| (run.start..run.end).contains(&at))
    }
}

#[cfg(test)]
mod tests;
