//! [`Simulator`]: eight simulated cores, their HBM, and what is checked.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use neuron_device::{CoreImage, Dataram, Dtype, HbmAddr, Layout};

use crate::allow::Rule;
use crate::boot::Booted;
use crate::checks::Checks;
use crate::console;
use crate::core::Core;
use crate::core::dataram::{CoreMemory, DmaTiming};
use crate::core::stack::StackSettings;
use crate::cost::CostModel;
use crate::error::{HbmError, SimulatorError};
use crate::fault::FaultKind;
use crate::hbm::allocation::Allocation;
use crate::hbm::initialised::Initialised;
use crate::hbm::{self, Hbm, Memory};
use crate::profile::Profile;
use crate::tensor::hbm::HbmTensor;
use crate::tensor::host::HostTensor;
use crate::threads::HostThreads;
use crate::what_if::WhatIf;

/// Cores of the machine (`docs/machine.md`, sections 1 and 2).
///
/// ```
/// use neuron_host_sim::{CORES, Simulator};
/// assert_eq!(Simulator::new()?.cores(), CORES);
/// assert!(Simulator::builder().cores(CORES + 1).build().is_err());
/// # Ok::<(), neuron_host_sim::SimulatorError>(())
/// ```
pub const CORES: u32 = 8;

/// Default HBM scratch of a core, in bytes: 64 MiB. The machine's is the firmware's setting and not public
/// (`docs/machine.md`, section 8).
///
/// ```
/// use neuron_host_sim::{CORES, DEFAULT_SCRATCH, Simulator};
/// let sim = Simulator::builder().scratch(DEFAULT_SCRATCH / 4).build()?;
/// // Scratch is a part of HBM.
/// assert!(sim.hbm_bytes() > u64::from(CORES) * DEFAULT_SCRATCH / 4);
/// # Ok::<(), neuron_host_sim::SimulatorError>(())
/// ```
pub const DEFAULT_SCRATCH: u64 = 64 << 20;

/// Bytes of TCM a core has for kernels (`docs/machine.md`, section 8): 16 KiB.
///
/// ```
/// use neuron_host_sim::DEFAULT_TCM;
/// // A stream buffers 4 KiB: four of them fill it.
/// assert_eq!(DEFAULT_TCM / 4096, 4);
/// ```
pub const DEFAULT_TCM: u32 = 16 << 10;

/// Accesses in a row to what a core had accessed before, after which it is stopped: 2^26.
pub const DEFAULT_PATIENCE: u64 = 1 << 26;

/// What a simulator is to be; see [`Simulator::builder`].
///
/// ```
/// use neuron_host_sim::{DEFAULT_SCRATCH, Simulator};
/// let small = Simulator::builder().cores(1).host_threads(1);
/// assert!(small.scratch(2 * DEFAULT_SCRATCH).build().is_ok());
/// let error = small.host_threads(0).build().unwrap_err();
/// assert!(error.to_string().starts_with("0 host threads: give at least 1"));
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct SimulatorBuilder {
    cores: u32,
    host_threads: Option<usize>,
    checked: bool,
    checks: Checks,
    keep_inputs: bool,
    patience: u64,
    watchdog: Option<Duration>,
    scratch: u64,
    tcm: u32,
    dma: DmaTiming,
    profile: Profile,
    constant_cpu_count: bool,
    what_if: WhatIf,
    stack: StackSettings,
    console: u32,
    cost_model: Option<CostModel>,
    images: [CoreImage; CORES as usize],
}

impl SimulatorBuilder {
    /// Run launches on this many cores, 1 to 8. The machine has 8, the default; the others are what-if.
    pub fn cores(mut self, cores: u32) -> Self {
        self.cores = cores;
        self
    }

    /// Run the cores on this many host threads: core c on thread c mod n, in rising order; 1 runs them one
    /// after the other on the caller's thread, and more than cores are as many as cores. No result depends on
    /// it. Default: one a core, but not more than the host has CPUs.
    pub fn host_threads(mut self, threads: usize) -> Self {
        self.host_threads = Some(threads);
        self
    }

    /// Turn the checks off that cost time, for benchmarks: no core has a view of its own, so that a race gives whatever
    /// it gives, and the output's coverage is not judged. Accesses outside a tensor are still found, as what finds them
    /// also keeps them from harm.
    pub fn unchecked(mut self) -> Self {
        self.checked = false;
        self
    }

    /// Do not look for faults of this kind. A read or write that has one goes on as after a fault, whether it is reported
    /// or not: what finds accesses outside a tensor also keeps them from harm.
    ///
    /// ```
    /// use neuron_device::prelude::*;
    /// use neuron_host_sim::{FaultKind, HostTensor, Simulator, args};
    /// # #[custom_op]
    /// # fn nothing(_q7: &Q7, _x: &Tensor, _out: &mut Tensor) -> Result<()> { Ok(()) }
    /// // A kernel that writes nothing:
    /// let x = HostTensor::from_slice(&[4], &[1.0f32; 4])?;
    /// let mut sim = Simulator::builder().without(FaultKind::Coverage).build()?;
    /// sim.launch(op!(nothing), &args![&x])?.assert_clean();
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn without(mut self, kind: FaultKind) -> Self {
        self.checks = self.checks.without(kind);
        self
    }

    /// Keep what a launch needs to run again, so that its [report](crate::Report) can be [saved](crate::Report::save) even
    /// if it is clean, or unchecked. Otherwise a checked launch with faults is kept, and no other. It takes memory, and some
    /// time, for every launch: up to 256 MiB, until the report is dropped.
    ///
    /// ```
    /// use neuron_device::prelude::*;
    /// use neuron_host_sim::{HostTensor, Simulator, args};
    /// # #[custom_op]
    /// # fn same(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    /// #     let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    /// #     Ok(q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, src.get(i))))
    /// # }
    /// // A kernel that copies, as it should:
    /// let mut sim = Simulator::builder().keep_inputs().build()?;
    /// let report = sim.launch(op!(same), &args![&HostTensor::scalar(1.0f32)])?;
    /// assert!(report.is_clean() && report.to_replay().is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn keep_inputs(mut self) -> Self {
        self.keep_inputs = true;
        self
    }

    /// Stop a core after so many accesses in a row to what it had accessed before: it waits for another core, or goes
    /// round in a circle. Default: [`DEFAULT_PATIENCE`]. It is counted, so it does not depend on the host; a loop without
    /// accesses is not noticed. A little more may be needed: accesses are counted when a run of them is told.
    ///
    /// ```
    /// use neuron_device::prelude::*;
    /// use neuron_host_sim::{HostTensor, Outcome, Simulator, args};
    ///
    /// /// Core 0 waits for a flag that core 1 sets.
    /// #[custom_op]
    /// fn waiting(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    ///     let flag = out.elements_mut::<i32>(q7)?;
    ///     if q7.get_cpu_id() == 1 {
    ///         flag.set(0, x.numel() as i32);
    ///     }
    ///     while q7.get_cpu_id() == 0 && flag.get(0) == 0 {}
    ///     Ok(())
    /// }
    /// let mut sim = Simulator::builder().cores(2).patience(1 << 20).build()?;
    /// let report = sim.launch(op!(waiting), &args![&HostTensor::from_slice(&[1], &[7i32])?])?;
    /// assert_eq!(report.cores()[0].outcome, Outcome::NoProgress);
    /// assert!(report.to_string().contains("the last to `out`"), "{report}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn patience(mut self, accesses: u64) -> Self {
        self.patience = accesses;
        self
    }

    /// End the process, with exit code 101, if a launch takes longer than this: a kernel in a loop without accesses cannot
    /// be stopped, and is named, with its core. For programs that run kernels nobody has tried; off unless asked for, and
    /// no report depends on it.
    ///
    /// ```
    /// use std::time::Duration;
    /// use neuron_host_sim::Simulator;
    /// let sim = Simulator::builder().watchdog(Duration::from_secs(60)).build()?;
    /// # Ok::<(), neuron_host_sim::SimulatorError>(())
    /// ```
    pub fn watchdog(mut self, limit: Duration) -> Self {
        self.watchdog = Some(limit);
        self
    }

    /// Give each core this many bytes of HBM scratch, rounded up to a multiple of 64, at most 1 GiB. Default:
    /// [`DEFAULT_SCRATCH`].
    pub fn scratch(mut self, bytes: u64) -> Self {
        self.scratch = bytes;
        self
    }

    /// Give each core a TCM pool of this many bytes, at most the 64 KiB of its dataram. Default: [`DEFAULT_TCM`], which the
    /// machine has; others are what-if.
    ///
    /// ```
    /// use neuron_host_sim::{DEFAULT_TCM, Simulator};
    /// assert!(Simulator::builder().tcm(4 * DEFAULT_TCM).build().is_ok());
    /// let error = Simulator::builder().tcm(5 * DEFAULT_TCM).build().unwrap_err();
    /// assert_eq!(error.to_string(), "81920 bytes of TCM a core: its dataram has 65536");
    /// ```
    pub fn tcm(mut self, bytes: u32) -> Self {
        self.tcm = bytes;
        self
    }

    /// When DMA engines move the bytes of a copy. Default: [`DmaTiming::AtOnce`]. [Moods](Simulator::moods) try both.
    pub fn dma_timing(mut self, timing: DmaTiming) -> Self {
        self.dma = timing;
        self
    }

    /// Which sources the machine follows where they disagree. Default: [`Profile::Observed`].
    ///
    /// ```
    /// use neuron_host_sim::{DEFAULT_TCM, Profile, Simulator};
    /// let documented = Simulator::builder().profile(Profile::Documented);
    /// assert_eq!(documented.build()?.profile(), Profile::Documented);
    /// let error = documented.tcm(DEFAULT_TCM + 64).build().unwrap_err();
    /// assert!(error.to_string().starts_with("16448 bytes of TCM a core: rule `tcm-pool` of the Documented profile"));
    /// # Ok::<(), neuron_host_sim::SimulatorError>(())
    /// ```
    pub fn profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// Let `get_cpu_count()` be the machine's 8 on any number of cores, as the vendor's is, and always under
    /// [`Profile::Documented`]. By default it is the launch's number of cores, so that one core does all the work.
    ///
    /// ```
    /// use neuron_device::prelude::*;
    /// use neuron_host_sim::{HostTensor, Simulator, args};
    /// # #[custom_op]
    /// # fn same(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    /// #     let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    /// #     Ok(q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, src.get(i))))
    /// # }
    /// // A kernel that copies its share, on a core that takes itself for one of eight:
    /// let mut sim = Simulator::builder().cores(1).constant_cpu_count().build()?;
    /// let report = sim.launch(op!(same), &args![&HostTensor::from_slice(&[16], &[1.0f32; 16])?])?;
    /// assert!(report.to_string().contains("14 elements of `out` never written"), "{report}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn constant_cpu_count(mut self) -> Self {
        self.constant_cpu_count = true;
        self
    }

    /// Have a machine that is not the documented one; see [`WhatIf`]. Default: nothing of the kind.
    ///
    /// ```
    /// use neuron_host_sim::{Simulator, WhatIf};
    /// let odd = WhatIf { dma_granule: Some(48), ..WhatIf::default() };
    /// let error = Simulator::builder().what_if(odd).build().unwrap_err();
    /// assert_eq!(error.to_string(), "a DMA granule of 48 bytes: give a power of two from 1 to 64");
    /// ```
    pub fn what_if(mut self, what_if: WhatIf) -> Self {
        self.what_if = what_if;
        self
    }

    /// Load core `core` with the code that is linked for core `other`: boot notices it, and every launch is refused
    /// (`docs/machine.md`, section 2). By default each has its own.
    ///
    /// # Panics
    /// If the machine has no such cores.
    ///
    /// ```
    /// use neuron_device::prelude::*;
    /// use neuron_host_sim::{HostTensor, Simulator, args};
    /// # #[custom_op]
    /// # fn same(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    /// #     let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    /// #     Ok(q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, src.get(i))))
    /// # }
    /// let mut sim = Simulator::builder().linked_as(5, 4).build()?;
    /// let error = sim.launch(op!(same), &args![&HostTensor::scalar(1.0f32)]).unwrap_err();
    /// assert!(error.to_string().starts_with("core 5 runs the image linked at 0x84800000"), "{error}");
    /// # Ok::<(), neuron_host_sim::SimulatorError>(())
    /// ```
    #[track_caller]
    pub fn linked_as(mut self, core: u32, other: u32) -> Self {
        assert!(core < CORES, "the machine has cores 0 to 7, and no {core}");
        self.images[core as usize] = CoreImage::of_core(other);
        self
    }

    /// Give kernels stacks like these; see [`StackSettings`]. Default: the machine's.
    ///
    /// ```
    /// use neuron_host_sim::{Simulator, StackSettings};
    /// let huge = StackSettings { most: 8 << 20, ..StackSettings::default() };
    /// let error = Simulator::builder().stack(huge).build().unwrap_err();
    /// assert_eq!(error.to_string(), "a stack of 8388608 bytes: it has at most 4194304");
    /// ```
    pub fn stack(mut self, stack: StackSettings) -> Self {
        self.stack = stack;
        self
    }

    /// Give each core a queue of this many bytes, a power of two, for what it prints with
    /// [`neuron_println!`](neuron_device::neuron_println); 0 turns printing off. Default: [`MAX_CONSOLE`](crate::MAX_CONSOLE).
    /// On the machine core 0 alone prints if there are several; here all do, and each has a queue of its own, so that what is
    /// lost does not depend on who is faster.
    ///
    /// ```
    /// use neuron_host_sim::Simulator;
    /// let error = Simulator::builder().console(1000).build().unwrap_err();
    /// assert_eq!(error.to_string(), "a console of 1000 bytes: give a power of two from 256 to 131072, or 0 for none");
    /// ```
    pub fn console(mut self, bytes: u32) -> Self {
        self.console = bytes;
        self
    }

    /// Model what launches would take on the machine, by these settings: [`Report::modelled`](crate::Report::modelled) and
    /// [`Report::timeline`](crate::Report::timeline). It changes no output, no counter and no fault. Off unless asked for,
    /// as it keeps every copy of every core.
    ///
    /// ```
    /// use neuron_device::prelude::*;
    /// use neuron_host_sim::cost::CostModel;
    /// use neuron_host_sim::{HostTensor, Simulator, args};
    /// # #[custom_op]
    /// # fn same(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    /// #     let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    /// #     Ok(q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, src.get(i))))
    /// # }
    /// // A kernel that copies, element by element:
    /// let mut sim = Simulator::builder().cost_model(CostModel::default()).build()?;
    /// let report = sim.launch(op!(same), &args![&HostTensor::zeros(Dtype::F32, &[8000])?])?;
    /// // A core makes 2000 accesses of 240 ns.
    /// assert!(report.modelled().unwrap().time().to_string().starts_with("480."));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cost_model(mut self, model: CostModel) -> Self {
        self.cost_model = Some(model);
        self
    }

    /// Build it.
    ///
    /// # Errors
    /// A number of cores, threads or bytes of scratch that cannot be, or a host that gives no memory or
    /// threads.
    pub fn build(self) -> Result<Simulator, SimulatorError> {
        if self.cores == 0 || self.cores > CORES {
            return Err(SimulatorError::Cores(self.cores));
        }
        if let Some(model) = &self.cost_model {
            model.check()?;
        }
        if self.tcm > Dataram::MOST_BYTES {
            return Err(SimulatorError::Tcm(self.tcm));
        }
        if self.profile == Profile::Documented && self.tcm > DEFAULT_TCM {
            return Err(SimulatorError::TcmOfProfile(self.tcm));
        }
        let what_if = self.what_if.checked()?;
        let (stack, console) = (self.stack.checked()?, console::checked(self.console)?);
        let scratch =
            self.scratch.checked_next_multiple_of(64).filter(|&bytes| bytes <= hbm::RESERVATION / 16);
        let scratch =
            scratch.ok_or(SimulatorError::Scratch { asked: self.scratch, most: hbm::RESERVATION / 16 })?;
        let reserved = (scratch * u64::from(self.cores)).next_multiple_of(1 << 24);
        let private_views = if self.checked { self.cores } else { 0 };
        let reserve = Hbm::reserve(reserved, private_views, self.profile.sbuf_addresses());
        let (hbm, mut views) = reserve.map_err(SimulatorError::Hbm)?;
        let core = |id: u32| {
            let base = HbmAddr::new(hbm::BASE + u64::from(id) * scratch);
            let view = views.pop().unwrap_or_else(|| hbm.shared_view());
            let memory = CoreMemory::new(self.tcm)?;
            Ok(Mutex::new(Core::new((id, self.cores), view, hbm.shared_view(), (base, scratch), memory)))
        };
        let cores: Result<Vec<_>, _> = (0..self.cores).map(core).collect();
        let cores: Arc<[_]> = cores.map_err(SimulatorError::Hbm)?.into();
        let threads = match self.host_threads {
            Some(0) => return Err(SimulatorError::HostThreads),
            Some(threads) => threads,
            None => std::thread::available_parallelism().map_or(1, usize::from),
        };
        let threads = HostThreads::start(Arc::clone(&cores), threads.min(self.cores as usize));
        let threads = threads.map_err(SimulatorError::Threads)?;
        let values = Allocation::new(&hbm, crate::marshal::VALUES_BYTES, Initialised::All);
        let values = values.map_err(HbmError::from)?;
        Ok(Simulator {
            threads,
            cores,
            checked: self.checked,
            checks: self.checks,
            keep_inputs: self.keep_inputs,
            scratch,
            dma: self.dma,
            profile: self.profile,
            constant_cpu_count: self.constant_cpu_count,
            what_if,
            stack,
            console,
            cost_model: self.cost_model,
            images: self.images[..self.cores as usize].to_vec(),
            booted: Vec::new(),
            tcm: self.tcm,
            patience: self.patience,
            watchdog: self.watchdog,
            before: Mutex::default(),
            allowed: Vec::new(),
            tensors: hbm::BASE + reserved,
            values,
            hbm,
        })
    }
}

/// The machine, simulated: launch a kernel on its cores, read the [`Report`](crate::Report).
///
/// Everything a launch does depends on the kernel and its arguments only, never on host threads or timing. Several
/// simulators live side by side in one process.
///
/// ```
/// use neuron_device::prelude::*;
/// use neuron_host_sim::{HostTensor, Simulator, args};
///
/// #[custom_op]
/// fn double(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
///     let (src, dst) = (x.elements::<i32>(q7)?, out.elements_mut::<i32>(q7)?);
///     for i in q7.partition_flat(src.numel()) {
///         dst.set(i, src.get(i).wrapping_mul(2));
///     }
///     Ok(())
/// }
///
/// let mut sim = Simulator::new()?;
/// let x = HostTensor::from_slice(&[3], &[1i32, 2, 3])?;
/// let report = sim.launch(op!(double), &args![&x])?;
/// report.assert_clean();
/// assert_eq!(report.output().to_host().to_vec::<i32>()?, [2, 4, 6]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Simulator {
    // Dropped first: no thread outlives what it runs on.
    pub(crate) threads: HostThreads,
    pub(crate) cores: Arc<[Mutex<Core>]>,
    pub(crate) checked: bool,
    pub(crate) checks: Checks,
    /// Is every launch kept, so that it can be saved?
    pub(crate) keep_inputs: bool,
    /// Bytes of HBM scratch a core has.
    pub(crate) scratch: u64,
    /// Bytes of its TCM pool.
    pub(crate) tcm: u32,
    /// When DMA engines move bytes.
    pub(crate) dma: DmaTiming,
    pub(crate) profile: Profile,
    pub(crate) constant_cpu_count: bool,
    pub(crate) what_if: WhatIf,
    pub(crate) stack: StackSettings,
    /// Bytes of a core's queue of printed text.
    pub(crate) console: u32,
    pub(crate) cost_model: Option<CostModel>,
    /// The code each core runs.
    pub(crate) images: Vec<CoreImage>,
    /// The libraries that were booted.
    pub(crate) booted: Vec<Booted>,
    pub(crate) patience: u64,
    pub(crate) watchdog: Option<Duration>,
    /// What an output held before a launch that may have to put it back.
    pub(crate) before: Mutex<Vec<u8>>,
    /// Faults that are meant.
    pub(crate) allowed: Vec<Rule>,
    /// Where tensors begin; below is scratch.
    pub(crate) tensors: u64,
    /// Where the values of a launch are put for the cores to fetch.
    pub(crate) values: Arc<Allocation>,
    pub(crate) hbm: Arc<Hbm>,
}

impl Simulator {
    /// The machine: 8 cores, every check on.
    ///
    /// # Errors
    /// A host that gives no memory or threads.
    pub fn new() -> Result<Self, SimulatorError> {
        Self::builder().build()
    }

    /// A machine to one's liking.
    ///
    /// ```
    /// use neuron_host_sim::Simulator;
    /// let sim = Simulator::builder().cores(2).host_threads(1).unchecked().build()?;
    /// assert_eq!(sim.cores(), 2);
    /// let error = Simulator::builder().cores(0).build().unwrap_err();
    /// assert_eq!(error.to_string(), "0 cores: the machine has 8, and a what-if run takes 1 to 8");
    /// # Ok::<(), neuron_host_sim::SimulatorError>(())
    /// ```
    pub fn builder() -> SimulatorBuilder {
        SimulatorBuilder {
            cores: CORES,
            host_threads: None,
            checked: true,
            checks: Checks::ALL,
            keep_inputs: false,
            patience: DEFAULT_PATIENCE,
            watchdog: None,
            scratch: DEFAULT_SCRATCH,
            tcm: DEFAULT_TCM,
            dma: DmaTiming::AtOnce,
            profile: Profile::Observed,
            constant_cpu_count: false,
            what_if: WhatIf::default(),
            stack: StackSettings::default(),
            console: console::MAX_CONSOLE,
            cost_model: None,
            images: std::array::from_fn(|core| CoreImage::of_core(core as u32)),
        }
    }

    /// Do not hold faults of this kind on this argument against a launch, for a reason the report gives: they are counted
    /// in its summary. `argument` is the tensor's name in the kernel's signature, or `"result"`, or `"scratch"`. It holds
    /// for every launch from here on.
    pub fn allow(&mut self, kind: FaultKind, argument: &str, reason: &str) {
        self.allowed.push(Rule::new(kind, argument, reason));
    }

    /// Are the checks on that cost time? Without them it has no [moods](Self::moods).
    ///
    /// ```
    /// use neuron_host_sim::Simulator;
    /// assert!(Simulator::new()?.is_checked());
    /// assert!(!Simulator::builder().unchecked().build()?.is_checked());
    /// # Ok::<(), neuron_host_sim::SimulatorError>(())
    /// ```
    pub fn is_checked(&self) -> bool {
        self.checked
    }

    /// How many cores a launch runs on.
    pub fn cores(&self) -> u32 {
        self.cores.len() as u32
    }

    /// The profile it has.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// What kernels are told is the number of cores.
    pub(crate) fn cpu_count(&self) -> u32 {
        let constant = self.constant_cpu_count || self.profile == Profile::Documented;
        if constant { CORES } else { self.cores() }
    }

    /// Bytes of HBM it has reserved: 16 GiB, or less where the host refuses. None of them uses memory before
    /// it is touched.
    pub fn hbm_bytes(&self) -> u64 {
        self.hbm.bytes()
    }

    /// Copy a tensor to HBM, all of its storage and its layout, to be used by several launches.
    ///
    /// # Errors
    /// HBM is exhausted. Whether a core can be told of the tensor is asked at a launch.
    #[track_caller]
    pub fn upload(&mut self, tensor: &HostTensor) -> Result<HbmTensor, HbmError> {
        self.copy_to(Memory::Hbm, tensor)
    }

    /// A contiguous tensor of zeros in HBM; none of it uses memory before it is touched.
    ///
    /// # Errors
    /// HBM is exhausted, or no tensor has these sizes.
    #[track_caller]
    pub fn zeros(&mut self, dtype: Dtype, sizes: &[u32]) -> Result<HbmTensor, HbmError> {
        self.allocate(Memory::Hbm, dtype, sizes, Initialised::All)
    }

    /// A contiguous tensor in HBM that holds no value yet: a kernel that reads what nobody wrote has a fault. None of it
    /// uses memory before it is touched.
    ///
    /// # Errors
    /// HBM is exhausted, or no tensor has these sizes.
    ///
    /// ```
    /// use neuron_device::prelude::*;
    /// use neuron_host_sim::{Simulator, Verdict, args};
    ///
    /// #[custom_op]
    /// fn copy(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    ///     let (src, dst) = (x.elements::<i32>(q7)?, out.elements_mut::<i32>(q7)?);
    ///     q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, src.get(i)));
    ///     Ok(())
    /// }
    /// let mut sim = Simulator::new()?;
    /// let x = sim.empty(Dtype::I32, &[4])?;
    /// let report = sim.launch(op!(copy), &args![&x])?;
    /// assert_eq!(report.faults()[0].verdict, Verdict::NeverInitialised);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[track_caller]
    pub fn empty(&mut self, dtype: Dtype, sizes: &[u32]) -> Result<HbmTensor, HbmError> {
        self.allocate(Memory::Hbm, dtype, sizes, Initialised::none())
    }

    /// Copy a tensor to SBUF, of which there are [24 MiB](neuron_device::SBUF_BYTES), all of its storage and its layout. It is an argument or an output as one in HBM
    /// is; its record says that it is in SBUF, in the form that the [profile](Self::profile) has for it.
    ///
    /// # Errors
    /// SBUF is exhausted. Whether a core can be told of the tensor is asked at a launch.
    ///
    /// ```
    /// use neuron_device::prelude::*;
    /// use neuron_host_sim::{HostTensor, Simulator, args};
    ///
    /// #[custom_op]
    /// fn double(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    ///     let (src, dst) = (x.elements::<i32>(q7)?, out.elements_mut::<i32>(q7)?);
    ///     q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, 2 * src.get(i)));
    ///     Ok(())
    /// }
    /// let mut sim = Simulator::new()?;
    /// let x = sim.to_sbuf(&HostTensor::from_slice(&[3], &[1i32, 2, 3])?)?;
    /// let report = sim.launch(op!(double), &args![&x])?;
    /// report.assert_clean();
    /// assert_eq!(report.output().to_host().to_vec::<i32>()?, [2, 4, 6]);
    /// // Each read by way of the pinned window, which is record 3 of the table:
    /// assert_eq!(report.total().windows[3].hits, 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[track_caller]
    pub fn to_sbuf(&mut self, tensor: &HostTensor) -> Result<HbmTensor, HbmError> {
        self.copy_to(Memory::Sbuf, tensor)
    }

    /// As [`empty`](Self::empty), in SBUF.
    ///
    /// # Errors
    /// SBUF is exhausted, or no tensor has these sizes.
    ///
    /// ```
    /// use neuron_device::Dtype;
    /// use neuron_host_sim::Simulator;
    /// let mut sim = Simulator::new()?;
    /// let all = sim.empty_in_sbuf(Dtype::U8, &[24 << 20])?;
    /// assert!(all.is_in_sbuf());
    /// let error = sim.empty_in_sbuf(Dtype::U8, &[1]).unwrap_err();
    /// assert!(error.to_string().starts_with("SBUF has no room for 1 bytes: the largest free range has 0"), "{error}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[track_caller]
    pub fn empty_in_sbuf(&mut self, dtype: Dtype, sizes: &[u32]) -> Result<HbmTensor, HbmError> {
        self.allocate(Memory::Sbuf, dtype, sizes, Initialised::none())
    }

    #[track_caller]
    fn copy_to(&mut self, memory: Memory, tensor: &HostTensor) -> Result<HbmTensor, HbmError> {
        let bytes = tensor.bytes().len() as u64;
        let allocation = Allocation::new_in(&self.hbm, memory, bytes, Initialised::All)?;
        allocation.write(tensor.bytes());
        Ok(HbmTensor::new(allocation, tensor.storage_elems(), tensor.dtype(), *tensor.layout()))
    }

    #[track_caller]
    fn allocate(
        &mut self,
        memory: Memory,
        dtype: Dtype,
        sizes: &[u32],
        initialised: Initialised,
    ) -> Result<HbmTensor, HbmError> {
        let layout = Layout::contiguous(sizes)?;
        let bytes = layout.numel().saturating_mul(dtype.size());
        let allocation = Allocation::new_in(&self.hbm, memory, bytes, initialised)?;
        Ok(HbmTensor::new(allocation, layout.numel(), dtype, layout))
    }
}
