//! The host threads cores run on: started once, parked between launches.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle, Thread};

use crate::completion::Completion;
use crate::core::{Core, Plan};

/// A launch to run, and who waits for it.
#[derive(Debug)]
struct Job {
    plan: Arc<Plan>,
    launcher: Thread,
}

/// What the threads share.
#[derive(Debug)]
struct Shared {
    cores: Arc<[Mutex<Core>]>,
    job: Mutex<Option<Job>>,
    /// Counts launches; a change means there is a job.
    epoch: AtomicU64,
    /// The semaphore of the job: a signal a core.
    completion: Completion,
    closing: AtomicBool,
}

/// Runs every core of a launch and returns when all have joined. Core `c` runs on thread `c mod n`, in rising order; with one
/// thread that is the caller's.
#[derive(Debug)]
pub(crate) struct HostThreads {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
}

impl HostThreads {
    /// Start `threads` threads for these cores; one needs none.
    pub(crate) fn start(cores: Arc<[Mutex<Core>]>, threads: usize) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            cores,
            job: Mutex::new(None),
            epoch: AtomicU64::new(0),
            completion: Completion::default(),
            closing: AtomicBool::new(false),
        });
        let mut host_threads = Self { shared, workers: Vec::new() };
        if threads > 1 {
            for index in 0..threads {
                let shared = Arc::clone(&host_threads.shared);
                let worker = thread::Builder::new()
                    .name(format!("neuron-cores-{index}"))
                    .spawn(move || work(&shared, index, threads))?;
                host_threads.workers.push(worker);
            }
        }
        Ok(host_threads)
    }

    /// Run `plan` on every core, and wait until each has drained its DMA queue and signalled.
    pub(crate) fn run(&self, plan: &Arc<Plan>) {
        let (completion, cores) = (&self.shared.completion, self.shared.cores.len() as u32);
        completion.begin();
        if self.workers.is_empty() {
            for core in self.shared.cores.iter() {
                locked(core).run(plan);
                completion.signal(cores);
            }
            return;
        }
        let job = Job { plan: Arc::clone(plan), launcher: thread::current() };
        *locked(&self.shared.job) = Some(job);
        self.shared.epoch.fetch_add(1, Ordering::Release);
        self.workers.iter().for_each(|worker| worker.thread().unpark());
        while !completion.is_complete(cores) {
            thread::park();
        }
        *locked(&self.shared.job) = None;
    }
}

impl Drop for HostThreads {
    fn drop(&mut self) {
        self.shared.closing.store(true, Ordering::Release);
        for worker in self.workers.drain(..) {
            worker.thread().unpark();
            // A worker contains every panic of a kernel, so it ends by returning.
            let _ = worker.join();
        }
    }
}

/// One thread: run the cores it is given, launch after launch.
fn work(shared: &Shared, index: usize, threads: usize) {
    let mut seen = 0;
    loop {
        while shared.epoch.load(Ordering::Acquire) == seen {
            if shared.closing.load(Ordering::Acquire) {
                return;
            }
            thread::park();
        }
        seen += 1;
        let job = locked(&shared.job).as_ref().map(|job| (Arc::clone(&job.plan), job.launcher.clone()));
        let Some((plan, launcher)) = job else { continue };
        let cores = shared.cores.len() as u32;
        for core in shared.cores.iter().skip(index).step_by(threads) {
            let _signal = Signal { completion: &shared.completion, cores, launcher: &launcher };
            locked(core).run(&plan);
        }
    }
}

/// Signals that a core is done when it is dropped, so that a launcher never waits for a core that is gone.
struct Signal<'a> {
    completion: &'a Completion,
    cores: u32,
    launcher: &'a Thread,
}

impl Drop for Signal<'_> {
    fn drop(&mut self) {
        if self.completion.signal(self.cores) {
            self.launcher.unpark();
        }
    }
}

/// Lock, whoever panicked with it: `Core::run` leaves a core usable.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
