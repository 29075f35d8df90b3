//! [`Platform`]: what a kernel needs of the core it runs on.

use super::fault::Fault;
use super::observe::Observer;
use super::window::MappedWindow;
use crate::words::addr::HbmAddr;
use crate::words::record::{ArgRecord, ViewExtension};

/// A tensor's description as it reaches a core: the machine's record and, beside it, what the record cannot say.
#[derive(Clone, Copy, Debug)]
pub struct ArgDescriptor {
    /// The 48-byte record.
    pub record: ArgRecord,
    /// Rank, strides and offset; `None` on a machine that has only records.
    pub view: Option<ViewExtension>,
}

/// One core, as a kernel sees it: identity, window registers, fence, scratch, arguments, and where faults go.
///
/// Everything else (how memory is made, threads, launching) is the implementor's own business. Tracing, counting and
/// fault injection are platforms that wrap a platform.
///
/// # Safety
/// [`map_window`](Self::map_window) must keep the promise its documentation states; safe code touches memory on the
/// strength of it.
pub unsafe trait Platform {
    /// This core's number, below [`core_count`](Self::core_count): the machine's PRID.
    fn core_id(&self) -> u32;

    /// How many cores run this launch, at least 1.
    fn core_count(&self) -> u32;

    /// A number no other launch has, here or on another platform of the process: a tensor of another launch is told
    /// by it.
    fn launch_stamp(&self) -> u64;

    /// Point window register `record` (0 to 2) at the 16 MiB of HBM from `base`, and say how they can be reached.
    /// `None` if no memory is there.
    ///
    /// The implementor promises that the window's bytes may be read and written, by relaxed atomic accesses from
    /// several cores at once, until the same register is mapped again or `Q7::enter` returns.
    fn map_window(&mut self, record: usize, base: HbmAddr) -> Option<MappedWindow>;

    /// Order every earlier memory access before every later one (`memw`).
    fn fence(&mut self);

    /// The core's own HBM scratch: address and bytes.
    fn scratch(&self) -> (HbmAddr, u64);

    /// How many arguments the launch passed.
    fn argument_count(&self) -> usize;

    /// The argument at this position; `None` past the end.
    fn argument(&self, position: usize) -> Option<ArgDescriptor>;

    /// The output descriptor.
    fn destination(&self) -> Option<ArgDescriptor>;

    /// A fault happened. A chip does not return; where this returns, the kernel goes on: a read yields
    /// [`POISON`](crate::Element::POISON), a write is dropped.
    fn fault(&mut self, fault: &Fault);

    /// Who watches this core, if anybody.
    fn observer(&mut self) -> Option<&mut dyn Observer> {
        None
    }
}
