//! [`Platform`]: what a kernel needs of the core it runs on.

use super::dataram::Dataram;
use super::engine::Doorbell;
use super::fault::Fault;
use super::observe::Observer;
use super::sbuf::Sbuf;
use super::window::MappedWindow;
use crate::policy::ring::DmaRing;
use crate::policy::stack::StackRegisters;
use crate::words::addr::HbmAddr;
use crate::words::console::ConsoleSlot;
use crate::words::record::{ArgRecord, ViewExtension};

/// A tensor's description as it reaches a core: the machine's record and, beside it, what the record cannot say.
///
/// ```
/// use neuron_device::{ArgDescriptor, ArgRecord, FlatPlatform, Layout, prelude::*};
/// # #[custom_op]
/// # fn increment(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
/// #     let (src, dst) = (x.elements::<i64>(q7)?, out.elements_mut::<i64>(q7)?);
/// #     Ok(q7.partition_flat(src.numel()).into_iter().for_each(|i| dst.set(i, src.get(i) + 1)))
/// # }
/// let mut memory = [10, 20, 30, 0, 0, 0];
/// let three = Layout::contiguous(&[3])?;
/// let end = FlatPlatform::BASE.checked_add(24).unwrap();
/// let x = ArgDescriptor { record: ArgRecord::new(FlatPlatform::BASE, Dtype::I64, &three)?, view: None };
/// let out = ArgDescriptor { record: ArgRecord::new(end, Dtype::I64, &three)?, view: None };
/// let mut core = FlatPlatform::new(0, 1, &mut memory).with_argument(x).with_destination(out);
/// Q7::enter(&mut core, |q7| op!(increment).launch(q7))?;
/// assert_eq!(memory, [10, 20, 30, 11, 21, 31]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ArgDescriptor {
    /// The 48-byte record (`docs/machine.md`, section 9).
    pub record: ArgRecord,
    /// Rank, strides and offset; `None` on a machine that has only records.
    pub view: Option<ViewExtension>,
}

/// One core, as a kernel sees it: identity, window registers, fence, scratch, arguments, and where faults go.
///
/// Everything else (how memory is made, threads, launching) is the implementor's own business. Tracing,
/// counting and fault injection are platforms that wrap a platform; `#[deny(clippy::missing_trait_methods)]`
/// on theirs keeps a method with a default, such as [`observer`](Self::observer), from being forgotten.
///
/// ```
/// use neuron_device::{ArgDescriptor, Fault, FlatPlatform, HbmAddr, MappedWindow, Platform, prelude::*};
/// /// Counts the windows that are mapped.
/// struct Counted<'m> { inner: FlatPlatform<'m>, maps: u32 }
///
/// // SAFETY: windows are the inner platform's.
/// unsafe impl Platform for Counted<'_> {
///     fn map_window(&mut self, record: usize, base: HbmAddr) -> Option<MappedWindow> {
///         self.maps += 1;
///         self.inner.map_window(record, base)
///     }
///     fn core_id(&self) -> u32 { self.inner.core_id() } // and so on
/// #     fn core_count(&self) -> u32 { self.inner.core_count() }
/// #     fn launch_stamp(&self) -> u64 { self.inner.launch_stamp() }
/// #     fn fence(&mut self) { self.inner.fence() }
/// #     fn scratch(&self) -> (HbmAddr, u64) { Platform::scratch(&self.inner) }
/// #     fn argument(&self, position: usize) -> Option<ArgDescriptor> {
/// #         Platform::argument(&self.inner, position)
/// #     }
/// #     fn destination(&self) -> Option<ArgDescriptor> { Platform::destination(&self.inner) }
/// #     fn fault(&mut self, fault: &Fault) { self.inner.fault(fault) }
/// }
///
/// # let mut memory = [0; 64];
/// let mut core = Counted { inner: FlatPlatform::new(0, 1, &mut memory), maps: 0 };
/// let [first, second] = Q7::enter(&mut core, |q7| [0, 8].map(|bytes| {
///     q7.translate(FlatPlatform::BASE.checked_add(bytes).unwrap())
/// }));
/// assert_eq!((second.get() - first.get(), core.maps), (8, 1)); // one window shows both
/// ```
///
/// # Safety
/// [`map_window`](Self::map_window), [`sbuf`](Self::sbuf) and [`dataram`](Self::dataram) must keep the promises their
/// documentation states; safe code touches memory on the strength of them.
pub unsafe trait Platform {
    /// This core's number, below [`core_count`](Self::core_count): PRID (`docs/machine.md`, section 2).
    fn core_id(&self) -> u32;

    /// How many cores run this launch, at least 1.
    fn core_count(&self) -> u32;

    /// A number no other launch has, here or on another platform of the process: a tensor of another launch is told
    /// by it. Only that check rests on it, no memory access does.
    fn launch_stamp(&self) -> u64;

    /// Point window register `record` (0 to 2) at the 16 MiB of HBM from `base`, a multiple of 16 MiB, and
    /// say how they can be reached (`docs/machine.md`, section 4). Where only part of them is memory, the
    /// window given shows that part; `None` if no memory is there. The core calls [`fence`](Self::fence)
    /// before and after.
    ///
    /// The implementor promises that the window's bytes may be read and written, by relaxed atomic accesses from
    /// several cores at once, until the same register is mapped again or `Q7::enter` returns.
    fn map_window(&mut self, record: usize, base: HbmAddr) -> Option<MappedWindow>;

    /// The core's SBUF, which its pinned window shows (`docs/machine.md`, sections 3 and 4). Asked once, when the core
    /// starts. By default there is none, and a tensor there is refused.
    ///
    /// The implementor promises of its window what [`map_window`](Self::map_window) says, until `Q7::enter` returns.
    fn sbuf(&mut self) -> Option<Sbuf> {
        None
    }

    /// Order every earlier memory access before every later one: `memw` (`docs/machine.md`, section 4).
    fn fence(&mut self);

    /// The core's own HBM scratch: address and bytes, of which at most 4 GiB - 1 are used. Asked once, when the core starts.
    fn scratch(&self) -> (HbmAddr, u64);

    /// The core's TCM pool. Asked once, when the core starts. By default there is none, and nothing can be staged.
    ///
    /// The implementor promises that it is as [`Dataram::new`] says.
    fn dataram(&mut self) -> Dataram {
        Dataram::NONE
    }

    /// Descriptors were posted to `ring`, and this doorbell is rung: [`Doorbell::M2s`], then [`Doorbell::S2m`], after which
    /// the engine may take them. A core rings only if it has [`dataram`](Self::dataram).
    ///
    /// # Panics
    /// By default: a platform that has dataram has a DMA engine too.
    fn ring_doorbell(&mut self, doorbell: Doorbell, ring: &DmaRing) {
        unreachable!(
            "{doorbell:?} rung, but the platform has no DMA engine for {} descriptors",
            ring.posted()
        );
    }

    /// The core waits for a completion of `ring`. An emulated engine that has not done its work does it now; beside a real
    /// one there is nothing to do, which is the default.
    fn poll_dma(&mut self, ring: &DmaRing) {
        let _ = ring;
    }

    /// The kernel has returned, and the host waits until all that was posted to `ring` has moved, whether the kernel waited for
    /// it or not. An emulated engine that has not done its work does it now; beside a real one there is nothing to do, which
    /// is the default.
    fn drain(&mut self, ring: &DmaRing) {
        let _ = ring;
    }

    /// What the stack registers say when a launch begins: by them an op runs on the core's own stack, or on one in HBM. By
    /// default the stack has no end.
    fn stack(&self) -> StackRegisters {
        StackRegisters::UNLIMITED
    }

    /// The argument at this position, from 0; `None` past the end.
    fn argument(&self, position: usize) -> Option<ArgDescriptor>;

    /// The output descriptor; `None` if the launch has no output, which makes every op fail.
    fn destination(&self) -> Option<ArgDescriptor>;

    /// Does what this core prints go anywhere? Asked once, when the core starts. By default there is no console.
    fn console(&self) -> bool {
        false
    }

    /// The core printed this. It comes only where there is a [`console`](Self::console).
    fn print(&mut self, slot: &ConsoleSlot) {
        let _ = slot;
    }

    /// The op is over, and what was printed becomes visible to the host. It comes only where there is a
    /// [`console`](Self::console). A queue that the host reads anyway has nothing to do, which is the default.
    fn flush_console(&mut self) {}

    /// A fault happened. Where this returns, the kernel goes on: a read yields
    /// [`POISON`](crate::Element::POISON), a write is dropped. It may panic, or never return, to end the
    /// kernel.
    fn fault(&mut self, fault: &Fault);

    /// Who watches this core, if anybody. By default, nobody does.
    fn observer(&mut self) -> Option<&mut dyn Observer> {
        None
    }
}
