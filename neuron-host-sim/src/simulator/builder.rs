//! [`SimulatorBuilder`]: what a simulator is to be.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use neuron_device::{CoreImage, Dataram, HbmAddr};

use super::{CORES, DEFAULT_PATIENCE, DEFAULT_SCRATCH, DEFAULT_TCM, Simulator};
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
use crate::hbm::{self, Hbm};
use crate::profile::Profile;
use crate::threads::HostThreads;
use crate::what_if::WhatIf;

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
    /// The machine.
    pub(super) fn new() -> Self {
        Self {
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
