//! [`Simulator`]: eight simulated cores, their HBM, and what is checked.

mod builder;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use neuron_device::{CoreImage, Dtype, Layout};

pub use self::builder::SimulatorBuilder;
use crate::allow::Rule;
use crate::boot::Booted;
use crate::checks::Checks;
use crate::core::Core;
use crate::core::dataram::DmaTiming;
use crate::core::stack::StackSettings;
use crate::cost::CostModel;
use crate::error::{HbmError, SimulatorError};
use crate::fault::FaultKind;
use crate::hbm::allocation::Allocation;
use crate::hbm::initialised::Initialised;
use crate::hbm::{Hbm, Memory};
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
        SimulatorBuilder::new()
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
