//! Accesses by pointer and by local address, and shares, for kernels of this suite.
//!
//! `#[track_caller]` makes the kernel's line the one that accesses.

use neuron_device::prelude::*;
use neuron_device::{CopyEnd, HbmAddr, NxAddr, Q7Ptr};

#[track_caller]
pub(crate) fn load<T: Element>(q7: &Q7, from: Q7Ptr<T>) -> T {
    // SAFETY: in the simulator a breach is a fault and nothing worse, and these kernels run nowhere else.
    unsafe { from.load(q7) }
}

#[track_caller]
pub(crate) fn store<T: Element>(q7: &Q7, to: Q7Ptr<T>, value: T) {
    // SAFETY: as in `load`.
    unsafe { to.store(q7, value) }
}

#[track_caller]
pub(crate) fn load_nx<T: Element>(q7: &Q7, from: NxAddr) -> T {
    // SAFETY: as in `load`.
    unsafe { q7.load_nx(from) }
}

#[track_caller]
pub(crate) fn store_nx<T: Element>(q7: &Q7, to: NxAddr, value: T) {
    // SAFETY: as in `load`.
    unsafe { q7.store_nx(to, value) }
}

#[track_caller]
pub(crate) fn take(q7: &Q7, bytes: u64, align: u64) -> Result<HbmAddr> {
    // SAFETY: as in `load`.
    unsafe { q7.neuron_hbm_allocate(bytes, align) }
}

#[track_caller]
pub(crate) fn give_back(q7: &Q7, block: HbmAddr) {
    // SAFETY: as in `load`.
    unsafe { q7.neuron_hbm_free(block) }
}

/// The local address `bytes` further.
pub(crate) fn further(local: NxAddr, bytes: i32) -> NxAddr {
    NxAddr::new(local.get().wrapping_add_signed(bytes))
}

/// The address of the element `index` elements of `T` from the start of the storage.
pub(crate) fn address<T>(tensor: &Tensor, index: u64) -> HbmAddr {
    HbmAddr::new(tensor.storage().get() + index * size_of::<T>() as u64)
}

/// This core's share of the elements.
pub(crate) fn share(q7: &Q7, tensor: &Tensor) -> impl Iterator<Item = u64> + use<> {
    q7.partition_flat(tensor.numel()).into_iter()
}

/// Write a value to this core's share of `out`, for kernels whose mistakes are elsewhere.
pub(crate) fn fill<T: Element>(q7: &Q7, out: &mut Tensor, value: T) -> Result<()> {
    let share = share(q7, out);
    let dst = out.elements_mut::<T>(q7)?;
    share.for_each(|i| dst.set(i, value));
    Ok(())
}

/// Copy, and wait.
#[track_caller]
pub(crate) fn memcpy(q7: &Q7, to: impl Into<CopyEnd>, from: impl Into<CopyEnd>, bytes: u32) -> Result<()> {
    // SAFETY: as in `load`; and these kernels have no slice of what they copy.
    unsafe { q7.neuron_memcpy(to, from, bytes) }
}

/// Begin to copy: the number to wait for.
#[track_caller]
pub(crate) fn begin(q7: &Q7, to: impl Into<CopyEnd>, from: impl Into<CopyEnd>, bytes: u32) -> Result<u64> {
    // SAFETY: as in `memcpy`.
    let copy = unsafe { q7.neuron_memcpy_async(to, from, bytes) }?;
    copy.ok_or_else(|| Error::message("nothing is copied"))
}

/// Give a block of TCM back.
#[track_caller]
pub(crate) fn free(q7: &Q7, block: NxAddr) {
    // SAFETY: as in `load`.
    unsafe { q7.neuron_dataram_free(block) }
}

/// A block of TCM that holds `values`.
#[track_caller]
pub(crate) fn block_of<T: Element>(q7: &Q7, values: &[T]) -> Result<NxAddr> {
    let size = size_of::<T>();
    let block = q7.neuron_dataram_allocate((values.len() * size) as u32, 64)?;
    (0..).zip(values).for_each(|(at, &value)| store_nx(q7, further(block, at * size as i32), value));
    Ok(block)
}
