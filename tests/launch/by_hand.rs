//! The raw layer for kernels of these tests, which run in the simulator alone: there a breach is a fault and nothing worse.
//!
//! `#[track_caller]` makes the kernel's line the one that accesses.

use neuron_device::prelude::*;
use neuron_device::{CopyEnd, HbmAddr, NxAddr};

#[track_caller]
pub(crate) fn load<T: Element>(q7: &Q7, from: NxAddr) -> T {
    // SAFETY: see above.
    unsafe { q7.load_nx(from) }
}

#[track_caller]
pub(crate) fn store<T: Element>(q7: &Q7, to: NxAddr, value: T) {
    // SAFETY: see above; no slice is of it.
    unsafe { q7.store_nx(to, value) }
}

#[track_caller]
pub(crate) fn copy(q7: &Q7, to: impl Into<CopyEnd>, from: impl Into<CopyEnd>, bytes: u32) -> Result<()> {
    // SAFETY: as in `store`.
    unsafe { q7.neuron_memcpy(to, from, bytes) }
}

#[track_caller]
pub(crate) fn begin(
    q7: &Q7,
    to: impl Into<CopyEnd>,
    from: impl Into<CopyEnd>,
    bytes: u32,
) -> Result<Option<u64>> {
    // SAFETY: as in `store`.
    unsafe { q7.neuron_memcpy_async(to, from, bytes) }
}

#[track_caller]
pub(crate) fn free(q7: &Q7, block: NxAddr) {
    // SAFETY: see above.
    unsafe { q7.neuron_dataram_free(block) }
}

#[track_caller]
pub(crate) fn take(q7: &Q7, bytes: u64) -> Result<HbmAddr> {
    // SAFETY: see above.
    unsafe { q7.neuron_hbm_allocate(bytes, 64) }
}

#[track_caller]
pub(crate) fn give_back(q7: &Q7, block: HbmAddr) {
    // SAFETY: see above.
    unsafe { q7.neuron_hbm_free(block) }
}
