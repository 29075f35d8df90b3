//! A core to be tested: its HBM lies across a window edge, its DMA engine is as slow and as broken as a test wants, and
//! every call of the platform is kept.

use core::ptr::NonNull;
use std::vec::Vec;

use super::dataram::Dataram;
use super::engine::{DmaEngine, Doorbell};
use super::fault::{Access, Fault};
use super::flat::Tcm;
use super::observe::{Observer, RawPath, Returned, Run, Staged, Wants};
use super::platform::{ArgDescriptor, Platform};
use super::sbuf::Sbuf;
use super::window::MappedWindow;
use crate::core::q7::Q7;
use crate::policy::counters::Counters;
use crate::policy::ring::{Descriptor, DmaRing};
use crate::policy::stack::StackRegisters;
use crate::words::addr::{HbmAddr, NxAddr, WINDOW_BYTES};
use crate::words::console::ConsoleSlot;
use crate::words::dtype::Dtype;
use crate::words::error::Site;
use crate::words::layout::Layout;
use crate::{Element, Tensor};

/// When the engine works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Timing {
    /// All that is posted, when the second doorbell is rung.
    AtOnce,
    /// One pair a poll.
    AtPoll,
}

/// A call of the platform.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Call {
    Map(HbmAddr),
    Fence,
    /// With the pairs it tells the engine of: what to read, and where to write.
    Ring(Doorbell, Vec<(Descriptor, Descriptor)>),
    Poll,
    Drain,
    Fault(Fault),
    Print(ConsoleSlot),
    FlushConsole,
}

/// The core.
pub(crate) struct Rig {
    memory: NonNull<u8>,
    tcm: NonNull<u8>,
    pool: u32,
    engine: DmaEngine,
    timing: Timing,
    /// Numbers of pairs that find no memory.
    failing: Vec<u64>,
    rung: u64,
    pub(crate) wants: Wants,
    stack: StackRegisters,
    console: bool,
    pub(crate) calls: Vec<Call>,
    pub(crate) events: Vec<Staged>,
    pub(crate) runs: Vec<Run>,
    pub(crate) counters: Option<Counters>,
    pub(crate) returned: Vec<Returned>,
    pub(crate) destination: Option<ArgDescriptor>,
    /// What the two pointers point to.
    _owned: (Vec<u64>, Vec<Tcm>),
}

impl Rig {
    /// The window edge in the middle of its HBM.
    pub(crate) const EDGE: u64 = 0x12_3500_0000;
    /// Bytes of HBM on each side of the edge.
    pub(crate) const SIDE: u64 = 256 << 10;
    /// Where its scratch begins: so that a tensor of a few pages lies across the edge.
    pub(crate) const SCRATCH: HbmAddr = HbmAddr::new(Self::EDGE - (6 << 10));

    /// With `pool` bytes of TCM.
    pub(crate) fn new(pool: u32, timing: Timing) -> Self {
        let mut memory = std::vec![0_u64; 2 * Self::SIDE as usize / 8];
        // What is in front of the dataram and behind it is looked at too.
        let mut tcm: Vec<_> = (0..Dataram::MOST_BYTES / Tcm::BYTES + 2).map(|_| Tcm::new()).collect();
        Self {
            memory: NonNull::new(memory.as_mut_ptr()).unwrap().cast(),
            tcm: NonNull::new(tcm.as_mut_ptr().wrapping_add(1)).unwrap().cast(),
            pool,
            engine: DmaEngine::new(0),
            timing,
            failing: Vec::new(),
            rung: 0,
            wants: Wants::Nothing,
            stack: StackRegisters::UNLIMITED,
            console: false,
            calls: Vec::new(),
            events: Vec::new(),
            runs: Vec::new(),
            counters: None,
            returned: Vec::new(),
            destination: None,
            _owned: (memory, tcm),
        }
    }

    /// The same, whose descriptor pairs of these numbers find no memory.
    pub(crate) fn failing(mut self, pairs: impl IntoIterator<Item = u64>) -> Self {
        self.failing = pairs.into_iter().collect();
        self
    }

    /// The same, whose stack registers say this.
    pub(crate) fn with_stack(mut self, stack: StackRegisters) -> Self {
        self.stack = stack;
        self
    }

    /// The same, with a console.
    pub(crate) fn with_console(mut self) -> Self {
        self.console = true;
        self
    }

    /// Both timings.
    pub(crate) fn both(pool: u32) -> [Self; 2] {
        [Timing::AtOnce, Timing::AtPoll].map(|timing| Self::new(pool, timing))
    }

    pub(crate) const fn timing(&self) -> Timing {
        self.timing
    }

    pub(crate) fn faults(&self) -> Vec<Fault> {
        let fault = |call: &Call| if let Call::Fault(fault) = call { Some(*fault) } else { None };
        self.calls.iter().filter_map(fault).collect()
    }

    /// The native address of an HBM address; it is there for `bytes` bytes.
    pub(crate) fn native(&self, addr: u64, bytes: u64) -> Option<*mut u8> {
        let offset = addr.checked_sub(Self::EDGE - Self::SIDE)?;
        let inside = offset.checked_add(bytes).is_some_and(|end| end <= 2 * Self::SIDE);
        inside.then(|| self.memory.as_ptr().wrapping_add(offset as usize))
    }

    /// The native address of byte `offset` of the TCM.
    pub(crate) fn tcm(&self, offset: u32) -> *mut u8 {
        assert!(offset < Dataram::MOST_BYTES);
        self.tcm.as_ptr().wrapping_add(offset as usize)
    }
}

/// A tensor of any layout that begins at `storage`, on the core's scratch.
pub(crate) fn tensor<T: Element>(q7: &Q7, storage: HbmAddr, layout: Layout) -> Tensor {
    Tensor::new(storage, (T::DTYPE, layout), "t", q7.stamp(), crate::access::tensor::Role::Scratch)
}

/// An element for every number, its neighbours' not like it.
pub(crate) fn numbered<T: Element>(number: u64) -> T {
    let bits = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 7 | 1;
    bytemuck::pod_read_unaligned(&bits.to_le_bytes()[..size_of::<T>()])
}

// SAFETY: windows show `memory`, the dataram is `tcm`; both live as long as the rig, which is used by one thread.
#[deny(clippy::missing_trait_methods)]
unsafe impl Platform for Rig {
    fn core_id(&self) -> u32 {
        0
    }
    fn core_count(&self) -> u32 {
        1
    }
    fn launch_stamp(&self) -> u64 {
        7
    }
    fn map_window(&mut self, _record: usize, base: HbmAddr) -> Option<MappedWindow> {
        self.calls.push(Call::Map(base));
        let start = base.get().max(Self::EDGE - Self::SIDE);
        let end = (base.get() + WINDOW_BYTES).min(Self::EDGE + Self::SIDE);
        let len = end.checked_sub(start).filter(|&len| len > 0)?;
        let native = NonNull::new(self.native(start, len)?)?;
        // SAFETY: `native` found `len` bytes of memory there.
        Some(unsafe { MappedWindow::new(HbmAddr::new(start), len, native) })
    }
    fn sbuf(&mut self) -> Option<Sbuf> {
        None
    }
    fn fence(&mut self) {
        self.calls.push(Call::Fence);
    }
    fn scratch(&self) -> (HbmAddr, u64) {
        (Self::SCRATCH, Self::EDGE + Self::SIDE - Self::SCRATCH.get())
    }
    fn dataram(&mut self) -> Dataram {
        self.engine = DmaEngine::new(0);
        self.rung = 0;
        // SAFETY: as long as the rig exists there are 64 KiB, which this core alone uses.
        unsafe { Dataram::new(self.tcm, self.pool) }
    }
    fn ring_doorbell(&mut self, doorbell: Doorbell, ring: &DmaRing) {
        let pairs = (self.rung..ring.posted()).map(|number| ring.pair(number)).collect();
        self.calls.push(Call::Ring(doorbell, pairs));
        if doorbell == Doorbell::S2m {
            self.rung = ring.posted();
            if self.timing == Timing::AtOnce {
                self.work(ring, ring.posted());
            }
        }
    }
    fn poll_dma(&mut self, ring: &DmaRing) {
        assert!(self.engine.completed() < self.rung, "a core polls for what it told nobody of");
        self.calls.push(Call::Poll);
        self.work(ring, self.engine.completed() + 1);
    }
    fn drain(&mut self, ring: &DmaRing) {
        self.calls.push(Call::Drain);
        self.work(ring, ring.posted());
    }
    fn stack(&self) -> StackRegisters {
        self.stack
    }
    fn console(&self) -> bool {
        self.console
    }
    fn print(&mut self, slot: &ConsoleSlot) {
        self.calls.push(Call::Print(*slot));
    }
    fn flush_console(&mut self) {
        self.calls.push(Call::FlushConsole);
    }
    fn argument(&self, _: usize) -> Option<ArgDescriptor> {
        None
    }
    fn destination(&self) -> Option<ArgDescriptor> {
        self.destination
    }
    fn fault(&mut self, fault: &Fault) {
        self.calls.push(Call::Fault(*fault));
    }
    fn observer(&mut self) -> Option<&mut dyn Observer> {
        Some(self)
    }
}

impl Rig {
    fn work(&mut self, ring: &DmaRing, end: u64) {
        while self.engine.completed() < end {
            let number = self.engine.completed();
            let mut engine = core::mem::replace(&mut self.engine, DmaEngine::new(0));
            // SAFETY: as long as the rig exists there are 64 KiB, which this core alone uses.
            let dataram = unsafe { Dataram::new(self.tcm, self.pool) };
            let hbm = |addr: HbmAddr, bytes: u64| {
                if self.failing.contains(&number) { None } else { self.native(addr.get(), bytes) }
            };
            // SAFETY: `native` gives memory of the rig's; the core waits.
            unsafe { engine.run(ring, number + 1, dataram, &hbm) };
            self.engine = engine;
        }
    }
}

impl Observer for Rig {
    fn wants(&self) -> Wants {
        self.wants
    }
    fn allocated(&mut self, _: HbmAddr, _: Dtype, _: &Layout, _: Site) {}
    fn taken(&mut self, _: HbmAddr, _: u64, _: Site) {}
    fn released(&mut self, _: HbmAddr, _: Site) {}
    fn opened(&mut self, _: &'static str, _: HbmAddr, _: Access, _: Site) {}
    fn translated(&mut self, _: HbmAddr, _: NxAddr, _: Site) {}
    fn remapped(&mut self, _: usize, _: HbmAddr, _: Site) {}
    fn raw_access(&mut self, _: RawPath, _: Access, _: HbmAddr, _: u64, _: Site) -> bool {
        true
    }
    fn raw_tcm_access(&mut self, _: Access, _: NxAddr, _: u64, _: Site) -> bool {
        true
    }
    fn staged(&mut self, event: &Staged) {
        self.events.push(*event);
    }
    fn run(&mut self, run: &Run) {
        self.runs.push(*run);
    }
    fn checkpoint(&mut self) {}
    fn returned(&mut self, returned: &Returned) {
        self.returned.push(*returned);
    }
    fn retired(&mut self, counters: &Counters) {
        self.counters = Some(*counters);
    }
}
