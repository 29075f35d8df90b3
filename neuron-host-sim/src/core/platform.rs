//! What a kernel's core asks of the machine.

use neuron_device::{
    Access, ArgDescriptor, ConsoleSlot, Dataram, DmaEngine, DmaRing, Doorbell, Fault as DeviceFault, HbmAddr,
    HeapName, MappedWindow, NxAddr, Observer, OutOfBounds, Platform, Sbuf, StackRegisters,
};

use super::Core;
use super::dataram::DmaTiming;
use super::faults;
use super::log::Opening;
use super::plan::Plan;
use crate::hbm::map::SBUF;
use crate::hbm::view::View;
use crate::subjects::Subjects;

impl Core {
    /// Where these bytes of HBM are, as the core sees them.
    pub(super) fn native(&self, addr: HbmAddr, bytes: u64) -> Option<*mut u8> {
        native(&self.view, &self.shared, self.plan.as_deref(), addr, bytes)
    }

    /// Have the DMA engine move what is posted, up to pair number `end`.
    fn move_up_to(&mut self, ring: &DmaRing, end: u64) {
        if self.move_elsewhere(ring, end) {
            return;
        }
        let (view, shared, plan) = (&self.view, &self.shared, self.plan.as_deref());
        let native = |addr, bytes| native(view, shared, plan, addr, bytes);
        // SAFETY: `native` gives bytes of a mapping that lives as long as the core does, of this core alone or accessed by
        // all as HBM is; the dataram is the core's, which waits for this call to return.
        unsafe { self.engine.run(ring, end, self.memory.dataram(), &native) }
    }
}

fn native(view: &View, shared: &View, plan: Option<&Plan>, addr: HbmAddr, bytes: u64) -> Option<*mut u8> {
    match plan {
        Some(plan) if plan.together && addr.get() >= plan.tensors => shared.native(addr, bytes),
        _ => view.native(addr, bytes),
    }
}

// SAFETY: windows are parts of `view`, which is mapped as long as the core exists; cores that share a view reach it
// through windows only, whose accesses are relaxed atomics.
unsafe impl Platform for Core {
    fn core_id(&self) -> u32 {
        self.id
    }

    fn core_count(&self) -> u32 {
        self.plan.as_ref().map_or(self.count, |plan| plan.cpu_count)
    }

    fn launch_stamp(&self) -> u64 {
        self.plan.as_ref().map_or(0, |plan| plan.stamp)
    }

    fn map_window(&mut self, record: usize, base: HbmAddr) -> Option<MappedWindow> {
        self.registers.write(record, base);
        let base = self.registers.shows(record);
        match &self.plan {
            Some(plan) if plan.together && base.get() >= plan.tensors => self.shared.window(base),
            _ => self.view.window(base),
        }
    }

    fn sbuf(&mut self) -> Option<Sbuf> {
        let plan = self.plan.as_ref()?;
        let window = if plan.together { self.shared.sbuf() } else { self.view.sbuf() }?;
        Some(Sbuf::new(HbmAddr::new(SBUF), window, plan.sbuf_addresses))
    }

    fn fence(&mut self) {
        // A core's own accesses are in order here. What other cores see, and when, is the join's business: nothing else orders
        // the cores of a launch, and no kernel may go by it.
        std::sync::atomic::compiler_fence(std::sync::atomic::Ordering::SeqCst);
        self.see_arrivals(false);
    }

    fn scratch(&self) -> (HbmAddr, u64) {
        self.scratch
    }

    fn dataram(&mut self) -> Dataram {
        // A core's ring begins anew with every op.
        self.engine = DmaEngine::new(self.id);
        self.memory.dataram()
    }

    fn ring_doorbell(&mut self, doorbell: Doorbell, ring: &DmaRing) {
        if doorbell == Doorbell::S2m && self.plan.as_ref().is_none_or(|plan| plan.dma == DmaTiming::AtOnce) {
            self.move_up_to(ring, ring.posted());
        }
    }

    fn poll_dma(&mut self, ring: &DmaRing) {
        let next = self.moved() + 1;
        self.move_up_to(ring, next.min(ring.posted()));
    }

    fn drain(&mut self, ring: &DmaRing) {
        self.move_up_to(ring, ring.posted());
    }

    fn stack(&self) -> StackRegisters {
        self.plan.as_ref().map_or(StackRegisters::UNLIMITED, |plan| plan.stack.registers(plan.profile))
    }

    fn console(&self) -> bool {
        self.plan.as_ref().is_some_and(|plan| plan.console > 0 && plan.profile.shows(self.id))
    }

    fn print(&mut self, slot: &ConsoleSlot) {
        let bytes = self.plan.as_ref().map_or(0, |plan| plan.console);
        self.log.console.push(*slot, bytes);
    }

    fn flush_console(&mut self) {
        // The queue is read after the launch, whether the op came to its clean-up or not.
    }

    fn argument(&self, position: usize) -> Option<ArgDescriptor> {
        self.plan.as_ref()?.arguments.get(position).copied()
    }

    fn destination(&self) -> Option<ArgDescriptor> {
        self.plan.as_ref().map(|plan| plan.destination)
    }

    fn fault(&mut self, fault: &DeviceFault) {
        let Some(plan) = &self.plan else { return };
        if let DeviceFault::BadFree { heap: HeapName::Tcm, addr, error, site } = fault {
            // Local addresses have 32 bits.
            let local = NxAddr::new(*addr as u32);
            return self.add(self.tcm.bad_free(plan.op.name(), local, *error, site));
        }
        if let DeviceFault::OutOfBounds(OutOfBounds {
            access: Access::Write,
            copied: true,
            storage,
            site,
            ..
        }) = *fault
            && self.checked
        {
            // A copy of which no element is left is no copy; the kernel wanted to write all the same.
            self.log.open(Opening { storage, site });
        }
        let subjects = Subjects { passed: &plan.subjects, made: &self.log.made };
        let translated = |local| self.translations.origin(local).map(|(origin, _)| origin.addr);
        let fault = faults::said_by_device((plan.op.name(), plan.profile), fault, subjects, &translated);
        self.add(fault);
    }

    fn observer(&mut self) -> Option<&mut dyn Observer> {
        Some(self)
    }
}
