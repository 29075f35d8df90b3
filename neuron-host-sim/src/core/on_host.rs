//! A simulated core as a kernel on a stack of its own calls it: every call that does more than say what is known runs on
//! the host's stack, which neither counts as the kernel's nor ends where the kernel's does.

use neuron_device::{
    Access, ArgDescriptor, ConsoleSlot, Counters, Dataram, DmaRing, Doorbell, Dtype, Fault, HbmAddr, Layout,
    MappedWindow, NxAddr, Observer, Platform, RawPath, Returned, Run, Sbuf, Site, StackRegisters, Staged,
    Wants,
};

use super::Core;
use super::stack::Parent;

/// The core, and where it runs.
#[derive(Debug)]
pub(super) struct OnHost<'c> {
    pub(super) core: &'c mut Core,
    pub(super) parent: &'c Parent,
}

impl OnHost<'_> {
    fn tell<R>(&mut self, call: impl FnOnce(&mut Core) -> R) -> R {
        let Self { core, parent } = self;
        parent.call(|| call(core))
    }
}

// SAFETY: windows, SBUF and dataram are the core's, passed on as they are.
#[deny(clippy::missing_trait_methods)]
unsafe impl Platform for OnHost<'_> {
    fn core_id(&self) -> u32 {
        self.core.core_id()
    }

    fn core_count(&self) -> u32 {
        self.core.core_count()
    }

    fn launch_stamp(&self) -> u64 {
        self.core.launch_stamp()
    }

    fn map_window(&mut self, record: usize, base: HbmAddr) -> Option<MappedWindow> {
        self.tell(|core| core.map_window(record, base))
    }

    fn sbuf(&mut self) -> Option<Sbuf> {
        self.tell(Core::sbuf)
    }

    fn fence(&mut self) {
        // There is mostly nothing that waits for one.
        if self.core.is_elsewhere() {
            self.tell(Core::fence);
        } else {
            self.core.fence();
        }
    }

    fn scratch(&self) -> (HbmAddr, u64) {
        Platform::scratch(self.core)
    }

    fn dataram(&mut self) -> Dataram {
        self.tell(Core::dataram)
    }

    fn ring_doorbell(&mut self, doorbell: Doorbell, ring: &DmaRing) {
        // An engine that only moves bytes takes a frame or two, and a copy is paid for twice by a hop.
        if doorbell == Doorbell::M2s || self.core.only_moves() {
            self.core.ring_doorbell(doorbell, ring);
        } else {
            self.tell(|core| core.ring_doorbell(doorbell, ring));
        }
    }

    fn poll_dma(&mut self, ring: &DmaRing) {
        self.tell(|core| core.poll_dma(ring));
    }

    fn drain(&mut self, ring: &DmaRing) {
        self.tell(|core| core.drain(ring));
    }

    fn stack(&self) -> StackRegisters {
        self.core.stack()
    }

    fn console(&self) -> bool {
        Platform::console(self.core)
    }

    fn print(&mut self, slot: &ConsoleSlot) {
        self.tell(|core| core.print(slot));
    }

    fn flush_console(&mut self) {
        self.core.flush_console();
    }

    fn argument(&self, position: usize) -> Option<ArgDescriptor> {
        self.core.argument(position)
    }

    fn destination(&self) -> Option<ArgDescriptor> {
        self.core.destination()
    }

    fn fault(&mut self, fault: &Fault) {
        self.tell(|core| core.fault(fault));
    }

    fn observer(&mut self) -> Option<&mut dyn Observer> {
        Some(self)
    }
}

#[deny(clippy::missing_trait_methods)]
impl Observer for OnHost<'_> {
    fn wants(&self) -> Wants {
        self.core.wants()
    }

    fn wants_progress(&self) -> bool {
        self.core.wants_progress()
    }

    fn progressed(&mut self, counters: &Counters) {
        self.tell(|core| core.progressed(counters));
    }

    fn allocated(&mut self, storage: HbmAddr, dtype: Dtype, layout: &Layout, site: Site) {
        self.tell(|core| core.allocated(storage, dtype, layout, site));
    }

    fn taken(&mut self, storage: HbmAddr, bytes: u64, site: Site) {
        self.tell(|core| core.taken(storage, bytes, site));
    }

    fn released(&mut self, storage: HbmAddr, site: Site) {
        self.tell(|core| core.released(storage, site));
    }

    fn opened(&mut self, argument: &'static str, storage: HbmAddr, access: Access, site: Site) {
        self.tell(|core| core.opened(argument, storage, access, site));
    }

    fn translated(&mut self, addr: HbmAddr, local: NxAddr, site: Site) {
        self.tell(|core| core.translated(addr, local, site));
    }

    fn remapped(&mut self, record: usize, addr: HbmAddr, site: Site) {
        self.tell(|core| core.remapped(record, addr, site));
    }

    fn raw_access(&mut self, path: RawPath, access: Access, addr: HbmAddr, bytes: u64, site: Site) -> bool {
        self.tell(|core| core.raw_access(path, access, addr, bytes, site))
    }

    fn raw_tcm_access(&mut self, access: Access, local: NxAddr, bytes: u64, site: Site) -> bool {
        self.tell(|core| core.raw_tcm_access(access, local, bytes, site))
    }

    fn staged(&mut self, event: &Staged) {
        self.tell(|core| core.staged(event));
    }

    fn run(&mut self, run: &Run) {
        self.tell(|core| Observer::run(core, run));
    }

    fn checkpoint(&mut self) {
        if !self.core.may_go_on() {
            self.tell(Core::checkpoint);
        }
    }

    fn returned(&mut self, returned: &Returned) {
        self.tell(|core| core.returned(returned));
    }

    fn retired(&mut self, counters: &Counters) {
        self.tell(|core| core.retired(counters));
    }
}
