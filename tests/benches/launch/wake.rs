//! The least a launch on several threads can cost: waking parked threads and waiting for all.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread::{self, JoinHandle, Thread};

/// What the threads share.
struct Shared {
    /// Counts wake-ups.
    epoch: AtomicU64,
    /// Threads that have not answered.
    running: AtomicUsize,
    closing: AtomicBool,
    /// Who waits.
    waiter: Thread,
}

/// Parked threads that do nothing when woken but say so.
pub(crate) struct Sleepers {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

impl Sleepers {
    /// Start `count` of them; the calling thread is the one they answer.
    pub(crate) fn start(count: usize) -> Self {
        let shared = Arc::new(Shared {
            epoch: AtomicU64::new(0),
            running: AtomicUsize::new(0),
            closing: AtomicBool::new(false),
            waiter: thread::current(),
        });
        let threads = (0..count).map(|_| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || sleep(&shared))
        });
        Self { threads: threads.collect(), shared }
    }

    /// Wake all, and return when all have answered.
    pub(crate) fn wake_and_join(&self) {
        self.shared.running.store(self.threads.len(), Ordering::Relaxed);
        self.shared.epoch.fetch_add(1, Ordering::Release);
        self.threads.iter().for_each(|sleeper| sleeper.thread().unpark());
        while self.shared.running.load(Ordering::Acquire) > 0 {
            thread::park();
        }
    }
}

impl Drop for Sleepers {
    fn drop(&mut self) {
        self.shared.closing.store(true, Ordering::Release);
        for sleeper in self.threads.drain(..) {
            sleeper.thread().unpark();
            // A sleeper has nothing to panic about.
            let _ = sleeper.join();
        }
    }
}

fn sleep(shared: &Shared) {
    let mut seen = 0;
    loop {
        while shared.epoch.load(Ordering::Acquire) == seen {
            if shared.closing.load(Ordering::Acquire) {
                return;
            }
            thread::park();
        }
        seen += 1;
        if shared.running.fetch_sub(1, Ordering::AcqRel) == 1 {
            shared.waiter.unpark();
        }
    }
}
