//! [`Simulator`]: eight simulated cores, their HBM, and what is checked.

use std::sync::{Arc, Mutex};

use neuron_device::{Dtype, HbmAddr, Layout};

use crate::core::Core;
use crate::error::{HbmError, SimulatorError};
use crate::hbm::allocation::Allocation;
use crate::hbm::{self, Hbm};
use crate::tensor::hbm::HbmTensor;
use crate::tensor::host::HostTensor;
use crate::threads::HostThreads;

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
    scratch: u64,
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

    /// Give each core this many bytes of HBM scratch, rounded up to a multiple of 64, at most 1 GiB. Default:
    /// [`DEFAULT_SCRATCH`].
    pub fn scratch(mut self, bytes: u64) -> Self {
        self.scratch = bytes;
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
        let scratch =
            self.scratch.checked_next_multiple_of(64).filter(|&bytes| bytes <= hbm::RESERVATION / 16);
        let scratch =
            scratch.ok_or(SimulatorError::Scratch { asked: self.scratch, most: hbm::RESERVATION / 16 })?;
        let reserved = (scratch * u64::from(self.cores)).next_multiple_of(1 << 24);
        let private_views = if self.checked { self.cores } else { 0 };
        let (hbm, mut views) = Hbm::reserve(reserved, private_views).map_err(SimulatorError::Hbm)?;
        let core = |id: u32| {
            let base = HbmAddr::new(hbm::BASE + u64::from(id) * scratch);
            let view = views.pop().unwrap_or_else(|| hbm.shared_view());
            Mutex::new(Core::new(id, self.cores, view, (base, scratch)))
        };
        let cores: Arc<[_]> = (0..self.cores).map(core).collect();
        let threads = match self.host_threads {
            Some(0) => return Err(SimulatorError::HostThreads),
            Some(threads) => threads,
            None => std::thread::available_parallelism().map_or(1, usize::from),
        };
        let threads = HostThreads::start(Arc::clone(&cores), threads.min(self.cores as usize));
        let threads = threads.map_err(SimulatorError::Threads)?;
        let values = Allocation::new(&hbm, crate::marshal::VALUES_BYTES).map_err(HbmError::from)?;
        Ok(Simulator { threads, cores, checked: self.checked, tensors: hbm::BASE + reserved, values, hbm })
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
        SimulatorBuilder { cores: CORES, host_threads: None, checked: true, scratch: DEFAULT_SCRATCH }
    }

    /// How many cores a launch runs on.
    pub fn cores(&self) -> u32 {
        self.cores.len() as u32
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
    pub fn upload(&mut self, tensor: &HostTensor) -> Result<HbmTensor, HbmError> {
        let allocation = Allocation::new(&self.hbm, tensor.bytes().len() as u64)?;
        allocation.write(tensor.bytes());
        Ok(HbmTensor::new(allocation, tensor.storage_elems(), tensor.dtype(), *tensor.layout()))
    }

    /// A contiguous tensor of zeros in HBM; none of it uses memory before it is touched.
    ///
    /// # Errors
    /// HBM is exhausted, or no tensor has these sizes.
    pub fn zeros(&mut self, dtype: Dtype, sizes: &[u32]) -> Result<HbmTensor, HbmError> {
        let layout = Layout::contiguous(sizes)?;
        let bytes = layout.numel().saturating_mul(dtype.size());
        let allocation = Allocation::new(&self.hbm, bytes)?;
        Ok(HbmTensor::new(allocation, layout.numel(), dtype, layout))
    }
}
