//! Launches on the simulator: what authors see, faults and bad input included.

mod aliasing;
mod bad_input;
mod boot;
mod by_hand;
mod cases;
mod coherency;
mod console;
mod contained;
mod copying;
mod coverage;
mod determinism;
mod dims;
mod elementwise;
mod giants;
mod golden;
mod heap;
mod kernels;
mod memcpy;
mod npy;
mod old_addresses;
mod profiles;
mod records;
mod replay;
mod returning;
mod round_trip;
mod rows;
mod sbuf;
mod shapes;
mod simulators;
mod stack;
mod staging;
mod stopped;
mod timing;
mod transfers;
mod views;
mod watchdog;
mod what_if;

use neuron_host_sim::{Fault, HostTensor, Report, Simulator, Verdict};

/// A simulator with every check on, on the caller's thread.
fn simulator() -> Simulator {
    Simulator::builder().host_threads(1).build().unwrap()
}

/// 0, 1, 2, … as f32.
fn ramp(sizes: &[u32]) -> HostTensor {
    let numel: u32 = sizes.iter().product();
    HostTensor::from_slice(sizes, &(0..numel).map(|i| i as f32).collect::<Vec<_>>()).unwrap()
}

/// What was found, in a word each: verdict, argument, count.
fn found(report: &Report) -> Vec<(Verdict, &'static str, u64)> {
    report.faults().iter().map(|fault| (fault.verdict, fault.argument, fault.count)).collect()
}

/// The one fault of this verdict.
#[track_caller]
fn the(report: &Report, verdict: Verdict) -> Fault {
    let mut faults = report.faults().iter().filter(|fault| fault.verdict == verdict);
    let fault = faults.next().unwrap_or_else(|| panic!("no {verdict:?} in\n{report}"));
    assert!(faults.next().is_none(), "several {verdict:?} in\n{report}");
    fault.clone()
}
