//! A checked launch whose cores share memory: what is tried first, as it spares each core the copies of the pages it
//! writes, which cost more than most kernels do.
//!
//! Nothing that is reported comes from it. If no core touched what another wrote, each saw what it would have seen alone,
//! and the launch is what it would have been; if anything at all is to be said, memory is put back and the cores run
//! apart.

use std::ops::RangeInclusive;
use std::sync::{Arc, PoisonError};

use neuron_device::HbmAddr;

use crate::bitmap::PAGE;
use crate::check::Joined;
use crate::check::merge::claim;
use crate::core::Plan;
use crate::marshal::Marshalled;
use crate::simulator::Simulator;
use crate::subjects::Role;
use crate::threads::locked;

/// Bytes of an output for which it pays: below, copies cost nothing; above, putting back does.
const PAYS: RangeInclusive<u64> = 16 * PAGE..=64 << 20;

/// Bytes for putting an output back that a simulator keeps between launches.
const KEPT: u64 = 16 << 20;

impl Simulator {
    /// Run the launch so. Is it over, and was nothing wrong with it? If not, memory is what it was before.
    ///
    /// A new output holds zeros, in pages that are its own.
    pub(crate) fn run_together(&self, plan: &Arc<Plan>, marshalled: &Marshalled, new_output: bool) -> bool {
        let Some(output) = plan.subjects.iter().find(|subject| subject.role == Role::Output) else {
            return false;
        };
        let [start, end] = output.reach();
        let bytes = end.saturating_sub(start);
        if !PAYS.contains(&bytes) {
            return false;
        }
        // Kept from launch to launch: new memory costs as much as the copy.
        let mut kept = self.before.lock().unwrap_or_else(PoisonError::into_inner);
        if !new_output {
            if kept.len() < bytes as usize {
                kept.resize(bytes as usize, 0);
            }
            self.hbm.keep_aside(HbmAddr::new(start), &mut kept[..bytes as usize]);
        }
        self.threads.run(&Arc::new(Plan { together: true, ..(**plan).clone() }));
        let mut cores: Vec<_> = self.cores.iter().map(locked).collect();
        let allocations = &marshalled.allocations[..];
        let (hbm, tensors, checks) = (&*self.hbm, self.tensors, self.checks);
        let clean = Joined { plan, hbm, tensors, allocations, checks }.is_clean(&cores);
        match (clean, new_output) {
            (true, _) => {}
            (false, true) => self.hbm.clear(HbmAddr::new(start), bytes),
            (false, false) => self.hbm.write(HbmAddr::new(start), &kept[..bytes as usize]),
        }
        for core in &mut cores {
            if clean {
                claim(&core.log.shadow, tensors, allocations);
            }
            core.forget(hbm);
        }
        if bytes > KEPT {
            *kept = Vec::new();
        }
        clean
    }
}
