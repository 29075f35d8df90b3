//! The smallest platform: all of HBM is a slice of this program's own memory.

use core::marker::PhantomData;
use core::ptr::NonNull;
use core::sync::atomic::{Ordering, fence};

use heapless::Vec;

use super::dataram::Dataram;
use super::engine::{DmaEngine, Doorbell};
use super::fault::Fault;
use super::platform::{ArgDescriptor, Platform};
use super::sbuf::Sbuf;
use super::window::MappedWindow;
use crate::policy::ring::DmaRing;
use crate::words::addr::{HbmAddr, WINDOW_BYTES};
use crate::words::record::MAX_ARGUMENTS;
use crate::words::sbuf::{SBUF_BYTES, SbufAddresses};

/// The memory of a TCM pool, 16 KiB, for a [`FlatPlatform`].
///
/// ```
/// use neuron_device::{prelude::*, FlatPlatform, Tcm};
/// let mut tcm = Tcm::new();
/// Q7::enter(&mut FlatPlatform::new(0, 1, &mut []).with_tcm(&mut tcm), |q7| {
///     assert_eq!(q7.tcm_malloc::<u8>(Tcm::BYTES)?.len(), Tcm::BYTES);
///     assert!(q7.tcm_malloc::<u8>(Tcm::BYTES + 1).is_err());
///     Ok(())
/// })
/// # .map_err(|error: Error| error.to_string()).unwrap();
/// ```
#[derive(Debug)]
#[repr(align(64))]
pub struct Tcm([u8; Tcm::BYTES as usize]);

impl Tcm {
    /// Bytes of a core's TCM pool (`docs/machine.md`, section 8).
    pub const BYTES: u32 = 16 << 10;

    /// All zero.
    pub const fn new() -> Self {
        Self([0; Self::BYTES as usize])
    }
}

impl Default for Tcm {
    fn default() -> Self {
        Self::new()
    }
}

/// Faults a core keeps.
const KEPT: usize = 8;

/// One core over borrowed memory: for tests without a simulator, and for bare metal. A fault panics.
///
/// Its launch number is 0 unless [`in_launch`](Self::in_launch) gives another, so two of them do not tell each
/// other's tensors apart by themselves.
///
/// ```
/// use neuron_device::{prelude::*, FlatPlatform};
/// let mut memory = [0; 64];
/// let mut core = FlatPlatform::new(2, 8, &mut memory);
/// assert_eq!(Q7::enter(&mut core, |q7| (q7.get_cpu_id(), q7.get_cpu_count())), (2, 8));
/// ```
///
/// ```should_panic
/// # use neuron_device::{prelude::*, FlatPlatform};
/// let mut memory = [0; 64];
/// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory), |q7| {
///     let x = q7.empty(Dtype::I32, &[4]).unwrap();
///     x.elements::<i32>(q7).unwrap().get(4); // panics: the tensor ends at 4
/// });
/// ```
#[derive(Debug)]
pub struct FlatPlatform<'m> {
    core: u32,
    cores: u32,
    stamp: u64,
    /// Owned through the borrow: nothing else touches the bytes while the platform lives.
    memory: NonNull<u8>,
    len: u64,
    scratch: (HbmAddr, u64),
    sbuf: Option<Sbuf>,
    dataram: Dataram,
    engine: DmaEngine,
    arguments: Vec<ArgDescriptor, MAX_ARGUMENTS>,
    destination: Option<ArgDescriptor>,
    keeps_faults: bool,
    faults: Vec<Fault, KEPT>,
    borrow: PhantomData<&'m mut [u64]>,
}

impl<'m> FlatPlatform<'m> {
    /// Where the memory begins in HBM's address space: above 4 GiB and off a window boundary, so that a
    /// truncated address, or one taken from the start of a window, does not work by luck. A choice of this
    /// crate's, not the machine's.
    pub const BASE: HbmAddr = HbmAddr::new(0x12_34F0_0000);

    /// Where SBUF begins among the 64-bit addresses, if the platform [has one](Self::with_sbuf).
    pub const SBUF: HbmAddr = HbmAddr::new(0x56_7800_0000);

    /// Core `core` of `cores`, over `memory`, all of it scratch: with arguments in it, say with
    /// [`with_scratch`](Self::with_scratch) which part is not theirs. [`Q7::enter`](crate::Q7::enter) panics if `core`
    /// is not below `cores`.
    pub fn new(core: u32, cores: u32, memory: &'m mut [u64]) -> Self {
        let len = size_of_val(memory) as u64;
        Self {
            core,
            cores,
            stamp: 0,
            memory: NonNull::from(memory).cast(),
            len,
            scratch: (Self::BASE, len),
            sbuf: None,
            dataram: Dataram::NONE,
            engine: DmaEngine::new(core),
            arguments: Vec::new(),
            destination: None,
            keeps_faults: false,
            faults: Vec::new(),
            borrow: PhantomData,
        }
    }

    /// The same core in a launch of this number: a tensor made in another launch is refused.
    ///
    /// ```
    /// use neuron_device::{prelude::*, FlatPlatform};
    /// let mut memory = [0; 64];
    /// let make = |q7: &Q7| q7.empty(Dtype::F32, &[4]);
    /// let kept = Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory).in_launch(1), make)?;
    /// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory).in_launch(2), |q7| {
    ///     assert!(kept.elements::<f32>(q7).is_err());
    /// });
    /// # Ok::<(), Error>(())
    /// ```
    pub fn in_launch(mut self, stamp: u64) -> Self {
        self.stamp = stamp;
        self
    }

    /// The same core with its scratch from byte `start` of the memory to byte `end`, cut to what there is.
    ///
    /// ```
    /// use neuron_device::{prelude::*, FlatPlatform};
    /// let mut memory = [0; 64];
    /// let mut core = FlatPlatform::new(0, 1, &mut memory).with_scratch(256, 512);
    /// Q7::enter(&mut core, |q7| {
    ///     assert_eq!(q7.empty(Dtype::U8, &[256])?.storage(), FlatPlatform::BASE.checked_add(256).unwrap());
    ///     assert!(q7.empty(Dtype::U8, &[1]).is_err(), "no byte is left");
    ///     Ok::<_, Error>(())
    /// })?;
    /// # Ok::<(), Error>(())
    /// ```
    pub fn with_scratch(mut self, start: u64, end: u64) -> Self {
        let end = end.min(self.len);
        let start = start.min(end);
        self.scratch = (HbmAddr::new(Self::BASE.get() + start), end - start);
        self
    }

    /// The same core with this TCM; without it nothing can be staged.
    pub fn with_tcm(mut self, tcm: &'m mut Tcm) -> Self {
        // SAFETY: the borrow lasts as long as the platform, and with it every `Q7::enter` on it; nothing else reaches the
        // bytes meanwhile.
        self.dataram = unsafe { Dataram::new(NonNull::from(&mut tcm.0).cast(), Tcm::BYTES) };
        self
    }

    /// The same core with this memory for SBUF, the first 24 MiB of it, and records with such addresses; without it a
    /// tensor in SBUF is refused.
    ///
    /// ```
    /// use neuron_device::{ArgDescriptor, ArgRecord, FlatPlatform, Layout, SBUF_WINDOW, SbufAddresses, prelude::*};
    /// # #[custom_op]
    /// # fn increment(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    /// #     let (src, dst) = (x.elements::<i64>(q7)?, out.elements_mut::<i64>(q7)?);
    /// #     Ok(q7.partition_flat(src.numel()).into_iter().for_each(|i| dst.set(i, src.get(i) + 1)))
    /// # }
    /// let (mut memory, mut sbuf, three) = ([0; 3], [10, 20, 30], Layout::contiguous(&[3])?);
    /// let record = ArgRecord::in_sbuf(SBUF_WINDOW, SbufAddresses::Offsets, Dtype::I64, &three, 1)?;
    /// let x = ArgDescriptor { record, view: None };
    /// let out = ArgDescriptor { record: ArgRecord::new(FlatPlatform::BASE, Dtype::I64, &three)?, view: None };
    /// let core = FlatPlatform::new(0, 1, &mut memory).with_sbuf(&mut sbuf, SbufAddresses::Offsets);
    /// Q7::enter(&mut core.with_argument(x).with_destination(out), |q7| op!(increment).launch(q7))?;
    /// assert_eq!(memory, [11, 21, 31]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If it is no memory at all.
    pub fn with_sbuf(mut self, memory: &'m mut [u64], addresses: SbufAddresses) -> Self {
        let len = (size_of_val(memory) as u64).min(SBUF_BYTES);
        // SAFETY: `len` bytes from there are in the slice, which is borrowed as long as the platform lives.
        let window = unsafe { MappedWindow::new(Self::SBUF, len, NonNull::from(memory).cast()) };
        self.sbuf = Some(Sbuf::new(Self::SBUF, window, addresses));
        self
    }

    /// The same core with one more argument. [`ArgDescriptor`] shows one.
    ///
    /// # Panics
    /// If there are 10 already.
    pub fn with_argument(mut self, descriptor: ArgDescriptor) -> Self {
        self.arguments.push(descriptor).expect("an op takes at most 10 arguments");
        self
    }

    /// The same core with this output descriptor.
    pub fn with_destination(mut self, descriptor: ArgDescriptor) -> Self {
        self.destination = Some(descriptor);
        self
    }

    /// The same core, which goes on after a fault and keeps the first 8.
    pub fn with_faults_kept(mut self) -> Self {
        self.keeps_faults = true;
        self
    }

    /// The faults kept, in the order they happened.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }
}

// SAFETY: `map_window` and `sbuf` hand out bytes of slices borrowed for `'m`, which outlives every `Q7::enter` on this
// value.
unsafe impl Platform for FlatPlatform<'_> {
    fn core_id(&self) -> u32 {
        self.core
    }

    fn core_count(&self) -> u32 {
        self.cores
    }

    fn launch_stamp(&self) -> u64 {
        self.stamp
    }

    fn map_window(&mut self, _record: usize, base: HbmAddr) -> Option<MappedWindow> {
        let start = base.get().max(Self::BASE.get());
        let end = base.get().saturating_add(WINDOW_BYTES).min(Self::BASE.get() + self.len);
        let len = end.checked_sub(start).filter(|&len| len > 0)?;
        let offset = (start - Self::BASE.get()) as usize;
        // SAFETY: `start` is below the memory's end, so the offset lies inside the borrowed slice.
        let native = unsafe { self.memory.add(offset) };
        // SAFETY: `len` bytes from there end at or before the slice's end, and the borrow keeps others away.
        Some(unsafe { MappedWindow::new(HbmAddr::new(start), len, native) })
    }

    fn sbuf(&mut self) -> Option<Sbuf> {
        self.sbuf
    }

    fn fence(&mut self) {
        fence(Ordering::SeqCst);
    }

    fn scratch(&self) -> (HbmAddr, u64) {
        self.scratch
    }

    fn dataram(&mut self) -> Dataram {
        // A core's ring begins anew with every op.
        self.engine = DmaEngine::new(self.core);
        self.dataram
    }

    fn ring_doorbell(&mut self, doorbell: Doorbell, ring: &DmaRing) {
        if doorbell == Doorbell::S2m {
            let (memory, len, sbuf) = (self.memory, self.len, self.sbuf);
            let hbm = |addr: HbmAddr, bytes: u64| {
                let in_sbuf = sbuf.and_then(|sbuf| sbuf.window().from(addr.get()));
                if let Some((native, shown)) = in_sbuf {
                    return (bytes <= shown).then_some(native);
                }
                let offset = addr.get().checked_sub(Self::BASE.get())?;
                let inside = offset.checked_add(bytes).is_some_and(|end| end <= len);
                inside.then(|| memory.as_ptr().wrapping_add(offset as usize))
            };
            // SAFETY: `hbm` gives bytes of the slices borrowed for `'m`, and the core that rang waits.
            unsafe { self.engine.run(ring, ring.posted(), self.dataram, &hbm) };
        }
    }

    fn argument(&self, position: usize) -> Option<ArgDescriptor> {
        self.arguments.get(position).copied()
    }

    fn destination(&self) -> Option<ArgDescriptor> {
        self.destination
    }

    #[cold]
    fn fault(&mut self, fault: &Fault) {
        assert!(self.keeps_faults, "core {}: {fault:?}", self.core);
        // One that finds no room is one of too many to look at.
        let _ = self.faults.push(*fault);
    }
}
