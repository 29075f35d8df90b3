//! [`Observed`]: a platform over the flat one that keeps every access, and goes on after a fault.

#![deny(clippy::missing_trait_methods)]

use std::ops::Range;

use neuron_device::{
    Access, ArgDescriptor, ConsoleSlot, Counters, Dataram, DmaRing, Doorbell, Dtype, Fault, FlatPlatform,
    HbmAddr, Layout, MappedWindow, NxAddr, Observer, Platform, RawPath, Returned, Run, Sbuf, Site,
    StackRegisters, Staged, Wants,
};

use super::CoreTrace;

/// Accesses after which a core goes on without end: many times those of any launch.
const MOST: u64 = 1 << 22;

pub(super) struct Observed<'m> {
    platform: FlatPlatform<'m>,
    watch: Watch,
}

struct Watch {
    trace: CoreTrace,
    scratch: Range<u64>,
}

impl<'m> Observed<'m> {
    pub(super) fn new(platform: FlatPlatform<'m>) -> Self {
        let (start, bytes) = Platform::scratch(&platform);
        let scratch = start.get()..start.get() + bytes;
        Self { platform, watch: Watch { trace: CoreTrace::default(), scratch } }
    }

    pub(super) fn into_trace(self) -> CoreTrace {
        self.watch.trace
    }
}

// SAFETY: windows are the flat platform's own, passed on as they are.
unsafe impl Platform for Observed<'_> {
    fn core_id(&self) -> u32 {
        self.platform.core_id()
    }

    fn core_count(&self) -> u32 {
        self.platform.core_count()
    }

    fn launch_stamp(&self) -> u64 {
        self.platform.launch_stamp()
    }

    fn map_window(&mut self, record: usize, base: HbmAddr) -> Option<MappedWindow> {
        self.platform.map_window(record, base)
    }

    fn sbuf(&mut self) -> Option<Sbuf> {
        self.platform.sbuf()
    }

    fn fence(&mut self) {
        self.platform.fence();
    }

    fn scratch(&self) -> (HbmAddr, u64) {
        Platform::scratch(&self.platform)
    }

    fn dataram(&mut self) -> Dataram {
        self.platform.dataram()
    }

    fn ring_doorbell(&mut self, doorbell: Doorbell, ring: &DmaRing) {
        self.platform.ring_doorbell(doorbell, ring);
    }

    fn poll_dma(&mut self, ring: &DmaRing) {
        self.platform.poll_dma(ring);
    }

    fn drain(&mut self, ring: &DmaRing) {
        self.platform.drain(ring);
    }

    fn stack(&self) -> StackRegisters {
        self.platform.stack()
    }

    fn console(&self) -> bool {
        self.platform.console()
    }

    fn print(&mut self, slot: &ConsoleSlot) {
        self.platform.print(slot);
    }

    fn flush_console(&mut self) {
        self.platform.flush_console();
    }

    fn argument(&self, position: usize) -> Option<ArgDescriptor> {
        self.platform.argument(position)
    }

    fn destination(&self) -> Option<ArgDescriptor> {
        self.platform.destination()
    }

    fn fault(&mut self, _: &Fault) {
        self.watch.trace.faults += 1;
    }

    fn observer(&mut self) -> Option<&mut dyn Observer> {
        Some(&mut self.watch)
    }
}

impl Observer for Watch {
    fn wants(&self) -> Wants {
        Wants::EveryAccess
    }

    fn wants_progress(&self) -> bool {
        false
    }

    fn progressed(&mut self, _: &Counters) {}

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
        // Nobody waits twice: waiting takes the copy.
        match event {
            Staged::Copied(copy) if copy.pending.is_some() => self.trace.pending += 1,
            Staged::Awaited { .. } => self.trace.pending -= 1,
            _ => {}
        }
        if let Staged::Copied(copy) = event {
            let Run { start, step, count, bytes, .. } = copy.hbm;
            for at in 0..count * bytes / copy.element {
                let (piece, within) = (at * copy.element / bytes, at * copy.element % bytes);
                let start = start.get().wrapping_add_signed(step.wrapping_mul(piece as i64)) + within;
                self.run(&Run { start: HbmAddr::new(start), count: 1, bytes: copy.element, ..copy.hbm });
            }
            self.checkpoint();
        }
    }

    fn run(&mut self, run: &Run) {
        let trace = &mut self.trace;
        trace.accesses += 1;
        let writes = run.access == Access::Write;
        for part in [u64::from(writes), run.start.get(), run.bytes] {
            // Multiplied by 2^64 over the golden ratio, so that every bit moves and the order counts.
            trace.fingerprint =
                (trace.fingerprint.rotate_left(23) ^ part).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
        for byte in run.start.get()..run.start.get() + run.bytes {
            let before = trace.touched.get(&byte) == Some(&true);
            if !writes && !before && self.scratch.contains(&byte) {
                trace.unwritten += 1;
            }
            trace.touched.insert(byte, before || writes);
        }
    }

    fn checkpoint(&mut self) {
        assert!(self.trace.accesses < MOST, "the core goes on without end");
    }

    fn returned(&mut self, _: &Returned) {}

    fn retired(&mut self, _: &Counters) {}
}
