//! The DMA engine of one core, as far as platforms that emulate one have it in common.

use super::bulk;
use super::dataram::Dataram;
use crate::policy::ring::{Descriptor, DmaRing};
use crate::words::addr::HbmAddr;

/// A doorbell of the DMA engine: what a core writes to when descriptors are ready (`docs/machine.md`, section 7).
///
/// ```
/// use neuron_device::Doorbell;
/// assert_ne!(Doorbell::M2s, Doorbell::S2m);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doorbell {
    /// Memory to stream: TX descriptors, which say what to read.
    M2s,
    /// Stream to memory: RX descriptors, which say where to write. It is rung last.
    S2m,
}

/// An emulated DMA engine of one core: it takes descriptor pairs from a ring in order, moves their bytes, and completes
/// them. When it does so is its owner's choice: at the doorbell, or later.
///
/// ```
/// use neuron_device::DmaEngine;
/// assert_eq!(DmaEngine::new(3).completed(), 0);
/// ```
#[derive(Debug)]
pub struct DmaEngine {
    core: u32,
    completed: u64,
}

/// What is at an address of the system bus.
enum End {
    /// Dataram: the core's alone.
    Own(*mut u8),
    /// HBM: shared.
    Shared(*mut u8),
}

impl DmaEngine {
    /// The engine of core `core`, with nothing done.
    pub const fn new(core: u32) -> Self {
        Self { core, completed: 0 }
    }

    /// How many descriptor pairs it has completed.
    pub const fn completed(&self) -> u64 {
        self.completed
    }

    /// Move and complete every pair up to number `end`, which are posted. `hbm` gives the native address of so many bytes
    /// of HBM; where it has none, or a pair does not lead from HBM to dataram or back, the pair fails.
    ///
    /// # Safety
    /// - What `hbm` gives is valid for reads and writes of that many bytes during the call, and others access it meanwhile
    ///   only as `MappedWindow::new` says.
    /// - `dataram` is what the core was given, and the core waits.
    pub unsafe fn run(
        &mut self,
        ring: &DmaRing,
        end: u64,
        dataram: Dataram,
        hbm: &dyn Fn(HbmAddr, u64) -> Option<*mut u8>,
    ) {
        while self.completed < end {
            let (transmit, receive) = ring.pair(self.completed);
            let ends = (self.end(transmit, dataram, hbm), self.end(receive, dataram, hbm));
            let moved = match ends {
                (Some(End::Shared(from)), Some(End::Own(to))) => {
                    // SAFETY: `hbm` and `dataram` gave both ends for as many bytes, the caller promises what each is.
                    unsafe { bulk::copy_from_shared(from, to, transmit.bytes() as usize) };
                    true
                }
                (Some(End::Own(from)), Some(End::Shared(to))) => {
                    // SAFETY: as above.
                    unsafe { bulk::copy_to_shared(from, to, transmit.bytes() as usize) };
                    true
                }
                _ => false,
            };
            ring.complete(self.completed, moved);
            self.completed += 1;
        }
    }

    fn end(
        &self,
        descriptor: Descriptor,
        dataram: Dataram,
        hbm: &dyn Fn(HbmAddr, u64) -> Option<*mut u8>,
    ) -> Option<End> {
        match Dataram::aliased(self.core, descriptor.buffer()) {
            Some(local) => dataram.native(local, descriptor.bytes()).map(End::Own),
            None => hbm(HbmAddr::new(descriptor.buffer()), descriptor.bytes()).map(End::Shared),
        }
    }
}
