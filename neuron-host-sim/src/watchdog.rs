//! The end of a launch that does not end by itself: a loop without accesses, which no counter sees.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::simulator::CORES;

/// Which cores are in the middle of their work.
#[derive(Debug, Default)]
pub(crate) struct Running([AtomicU8; CORES as usize]);

impl Running {
    pub(crate) fn set(&self, core: u32, runs: bool) {
        self.0[core as usize].store(runs.into(), Ordering::Relaxed);
    }

    fn cores(&self) -> Vec<usize> {
        (0..self.0.len()).filter(|&core| self.0[core].load(Ordering::Relaxed) != 0).collect()
    }
}

/// Watches one launch from a thread of its own, until it is dropped.
#[derive(Debug)]
pub(crate) struct Watchdog {
    /// Dropped to call it off.
    launch: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watchdog {
    /// Call `bark` with what to say if the launch of `op` is not over in time.
    pub(crate) fn start(
        op: &'static str,
        limit: Duration,
        running: Arc<Running>,
        bark: impl FnOnce(String) + Send + 'static,
    ) -> std::io::Result<Self> {
        let (launch, over) = channel::<()>();
        let thread = std::thread::Builder::new().name("neuron-watchdog".to_owned()).spawn(move || {
            if over.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                let cores = running.cores();
                let are = if cores.len() == 1 { "is" } else { "are each" };
                let plural = if cores.len() == 1 { "" } else { "s" };
                let cores = cores.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
                bark(format!(
                    "op `{op}` did not end within {limit:?}: core{plural} {cores} {are} in a loop that accesses nothing new; look \
                     for one whose condition does not change"
                ));
            }
        })?;
        Ok(Self { launch: Some(launch), thread: Some(thread) })
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.launch = None;
        if let Some(thread) = self.thread.take() {
            // It ends by returning.
            let _ = thread.join();
        }
    }
}

/// Say it and end the process: a thread in a loop cannot be stopped.
pub(crate) fn end_process(message: String) {
    use std::io::Write;
    let mut out = std::io::stderr().lock();
    // Nobody is left to be told if this fails.
    let _ = writeln!(out, "neuron-host-sim: {message}");
    std::process::exit(101);
}

#[cfg(test)]
mod tests {
    use std::sync::{Mutex, PoisonError};

    use super::*;

    #[test]
    fn it_names_op_and_core_in_time_and_is_called_off_by_a_launch_that_ends() {
        let running = Arc::new(Running::default());
        running.set(3, true);
        let said = Arc::new(Mutex::new(String::new()));
        let to = Arc::clone(&said);
        let bark = move |message| *to.lock().unwrap_or_else(PoisonError::into_inner) = message;
        let watchdog =
            Watchdog::start("endless", Duration::from_millis(1), Arc::clone(&running), bark).unwrap();
        while said.lock().unwrap().is_empty() {
            std::thread::yield_now();
        }
        drop(watchdog);
        let message = said.lock().unwrap().clone();
        assert!(message.starts_with("op `endless` did not end within 1ms: core 3 is in a loop"), "{message}");
        let quiet =
            Watchdog::start("quick", Duration::from_secs(3600), running, |message| panic!("{message}"));
        drop(quiet.unwrap());
    }
}
