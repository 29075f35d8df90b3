//! [`Completion`]: the one semaphore of an op, by which the host knows that every core is done.

use std::sync::atomic::{AtomicU32, Ordering};

/// Counts the cores of a launch that are done: that have returned from the op, and whose DMA queue is drained
/// (`docs/machine.md`, section 1). It is all that orders the cores and the host: what they wrote is visible to whoever finds
/// it complete.
#[derive(Debug, Default)]
pub(crate) struct Completion {
    signalled: AtomicU32,
}

impl Completion {
    /// Begin an op.
    pub(crate) fn begin(&self) {
        self.signalled.store(0, Ordering::Relaxed);
    }

    /// One core is done. Is it the last of `cores`?
    pub(crate) fn signal(&self, cores: u32) -> bool {
        self.signalled.fetch_add(1, Ordering::AcqRel) + 1 == cores
    }

    /// Have all `cores` signalled?
    pub(crate) fn is_complete(&self, cores: u32) -> bool {
        self.signalled.load(Ordering::Acquire) == cores
    }
}

#[cfg(test)]
mod tests {
    use super::Completion;

    #[test]
    fn the_last_of_the_cores_completes_the_op() {
        let completion = Completion::default();
        for _ in 0..2 {
            completion.begin();
            let signals: Vec<_> = (0..3).map(|_| (completion.is_complete(3), completion.signal(3))).collect();
            assert_eq!(signals, [(false, false), (false, false), (false, true)]);
            assert!(completion.is_complete(3));
        }
    }
}
