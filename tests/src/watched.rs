//! [`Watched`]: a platform over a platform that keeps what its observer is told.

use core::fmt::{self, Write as _};

use neuron_device::{
    Access, ArgDescriptor, ConsoleSlot, Counters, Dataram, DmaRing, Doorbell, Dtype, Fault, HbmAddr, Layout,
    MappedWindow, NxAddr, Observer, Platform, RawPath, Returned, Run, Sbuf, Site, StackRegisters, Staged,
    Wants,
};

/// What a core counted, and a fingerprint of everything its observer was told, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watch {
    wants_runs: bool,
    /// The core's counters, once it has retired.
    pub counters: Counters,
    /// Of every opened accessor and every run.
    pub fingerprint: u64,
}

/// Another platform, watched.
#[derive(Debug)]
pub struct Watched<P> {
    platform: P,
    watch: Watch,
}

impl<P> Watched<P> {
    /// Watch `platform`; its observer is told of runs if `wants_runs`.
    pub fn new(platform: P, wants_runs: bool) -> Self {
        // The offset basis of the 64-bit FNV-1a hash.
        let watch = Watch { wants_runs, counters: Counters::default(), fingerprint: 0xCBF2_9CE4_8422_2325 };
        Self { platform, watch }
    }

    /// What was seen.
    pub fn watch(&self) -> &Watch {
        &self.watch
    }
}

// SAFETY: windows are the wrapped platform's own, passed on as they are.
#[deny(clippy::missing_trait_methods)]
unsafe impl<P: Platform> Platform for Watched<P> {
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
        self.platform.scratch()
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

    fn fault(&mut self, fault: &Fault) {
        self.platform.fault(fault);
    }

    fn observer(&mut self) -> Option<&mut dyn Observer> {
        Some(&mut self.watch)
    }
}

#[expect(clippy::missing_trait_methods, reason = "they are made of the one there is")]
impl fmt::Write for Watch {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.mix(text.as_bytes());
        Ok(())
    }
}

#[deny(clippy::missing_trait_methods)]
impl Observer for Watch {
    fn wants(&self) -> Wants {
        if self.wants_runs { Wants::Runs } else { Wants::Nothing }
    }

    fn wants_progress(&self) -> bool {
        false
    }

    fn progressed(&mut self, _: &Counters) {}

    fn allocated(&mut self, storage: HbmAddr, dtype: Dtype, layout: &Layout, site: Site) {
        self.mix(&storage.get().to_le_bytes());
        self.mix(dtype.name().as_bytes());
        layout.sizes().iter().for_each(|size| self.mix(&size.to_le_bytes()));
        self.mix_site(site);
    }

    fn taken(&mut self, storage: HbmAddr, bytes: u64, site: Site) {
        self.mix(&storage.get().to_le_bytes());
        self.mix(&bytes.to_le_bytes());
        self.mix_site(site);
    }

    fn released(&mut self, storage: HbmAddr, site: Site) {
        self.mix(&storage.get().to_le_bytes());
        self.mix_site(site);
    }

    fn opened(&mut self, argument: &'static str, storage: HbmAddr, access: Access, site: Site) {
        self.mix(argument.as_bytes());
        self.mix(&storage.get().to_le_bytes());
        self.mix(access.name().as_bytes());
        self.mix_site(site);
    }

    fn translated(&mut self, addr: HbmAddr, local: NxAddr, site: Site) {
        self.mix(&addr.get().to_le_bytes());
        self.mix(&local.get().to_le_bytes());
        self.mix_site(site);
    }

    fn remapped(&mut self, record: usize, addr: HbmAddr, site: Site) {
        self.mix(&[record as u8]);
        self.mix(&addr.get().to_le_bytes());
        self.mix_site(site);
    }

    fn raw_access(&mut self, path: RawPath, access: Access, addr: HbmAddr, bytes: u64, site: Site) -> bool {
        match path {
            RawPath::Pointer { context } | RawPath::Copy { context } => self.mix(&context.to_le_bytes()),
            RawPath::Local(local) => self.mix(&local.get().to_le_bytes()),
        }
        self.mix(access.name().as_bytes());
        self.mix(&addr.get().to_le_bytes());
        self.mix(&bytes.to_le_bytes());
        self.mix_site(site);
        true
    }

    fn raw_tcm_access(&mut self, access: Access, local: NxAddr, bytes: u64, site: Site) -> bool {
        self.mix(access.name().as_bytes());
        self.mix(&local.get().to_le_bytes());
        self.mix(&bytes.to_le_bytes());
        self.mix_site(site);
        true
    }

    fn staged(&mut self, event: &Staged) {
        // Their text has everything, and is the same on every machine.
        let _ = write!(self, "{event:?}");
    }

    fn run(&mut self, run: &Run) {
        self.mix(run.access.name().as_bytes());
        self.mix(&run.start.get().to_le_bytes());
        self.mix(&run.step.to_le_bytes());
        self.mix(&run.count.to_le_bytes());
        self.mix(&run.bytes.to_le_bytes());
        self.mix_site(run.site);
    }

    fn checkpoint(&mut self) {}

    fn returned(&mut self, returned: &Returned) {
        // As above.
        let _ = write!(self, "{returned:?}");
    }

    fn retired(&mut self, counters: &Counters) {
        self.counters = *counters;
    }
}

impl Watch {
    fn mix(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.fingerprint = (self.fingerprint ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }

    fn mix_site(&mut self, site: Site) {
        self.mix(site.file().as_bytes());
        self.mix(&site.line().to_le_bytes());
        self.mix(&site.column().to_le_bytes());
    }
}
