//! Why a simulator was not built, or a launch did not begin.

use std::ops::Range;

use neuron_device::{Dtype, Error, LayoutError, RecordError, WrongImage};

use crate::cost::CostModelError;
use crate::hbm::Memory;
use crate::hbm::allocation::Exhausted;
use crate::profile::Rule;

/// Why a simulator could not be built.
///
/// ```
/// use neuron_host_sim::{Simulator, SimulatorError};
/// let error = Simulator::builder().scratch(2 << 30).build().unwrap_err();
/// assert!(matches!(error, SimulatorError::Scratch { asked, most } if (asked, most) == (2 << 30, 1 << 30)));
/// let text = "2147483648 bytes of scratch a core are too many: give at most 1073741824";
/// assert_eq!(error.to_string(), text);
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SimulatorError {
    /// A number of cores that cannot be: this one.
    #[error("{0} cores: the machine has 8, and a what-if run takes 1 to 8")]
    Cores(u32),
    /// No host thread.
    #[error(
        "0 host threads: give at least 1, which runs the cores one after the other on the caller's thread"
    )]
    HostThreads,
    /// More scratch than HBM has room for.
    #[error("{asked} bytes of scratch a core are too many: give at most {most}")]
    Scratch {
        /// Bytes asked for.
        asked: u64,
        /// The most bytes there can be.
        most: u64,
    },
    /// More TCM than a core's dataram has: so many bytes.
    #[error("{0} bytes of TCM a core: its dataram has 65536")]
    Tcm(u32),
    /// More TCM than the `Documented` profile has: so many bytes.
    #[error(
        "{0} bytes of TCM a core: rule `{rule}` of the Documented profile: {documented}; give fewer, or build it with \
         `Profile::Observed`",
        rule = Rule::TcmPool.name(),
        documented = Rule::TcmPool.documented()
    )]
    TcmOfProfile(u32),
    /// A [stack](crate::StackSettings) of more bytes than one can have.
    #[error("a stack of {asked} bytes: it has at most {most}")]
    Stack {
        /// Bytes asked for.
        asked: u32,
        /// The most it can have.
        most: u32,
    },
    /// Bytes of the host's stack for a byte of the device's.
    #[error("{asked} bytes of the host's stack for a byte of the device's: give 1 to {most}")]
    HostStackBytes {
        /// Bytes asked for.
        asked: u32,
        /// The most there can be.
        most: u32,
    },
    /// A console whose queue cannot have so many bytes.
    #[error("a console of {asked} bytes: give a power of two from {least} to {most}, or 0 for none")]
    Console {
        /// Bytes asked for.
        asked: u32,
        /// The least it can have.
        least: u32,
        /// The most it can have.
        most: u32,
    },
    /// A [what-if](crate::WhatIf) setting that cannot be.
    #[error("{what} of {bytes} bytes: give a power of two from {least} to {most}")]
    WhatIf {
        /// What it is of.
        what: &'static str,
        /// Bytes that were asked for.
        bytes: u32,
        /// The least it can have.
        least: u32,
        /// The most it can have.
        most: u32,
    },
    /// Settings of the cost model that cannot be.
    #[error(transparent)]
    CostModel(#[from] CostModelError),
    /// The host gives no memory for HBM.
    #[error(
        "the host maps no memory for HBM ({0}): raise its limit on address space (ulimit -v), or give the cores less scratch"
    )]
    Hbm(std::io::Error),
    /// The host starts no more threads.
    #[error("the host starts no thread ({0}): use fewer with host_threads(n)")]
    Threads(std::io::Error),
    /// HBM has no room for the page every launch puts its value arguments into.
    #[error(transparent)]
    Values(#[from] HbmError),
}

/// Why a tensor was not put into HBM or SBUF. The simulator is as it was.
///
/// ```
/// use neuron_device::Dtype;
/// use neuron_host_sim::{HbmError, Simulator};
/// let mut sim = Simulator::new()?;
/// let error = sim.zeros(Dtype::I64, &[u32::MAX, u32::MAX]).unwrap_err();
/// assert!(matches!(error, HbmError::Exhausted { asked, largest_free } if asked > largest_free));
/// # Ok::<(), neuron_host_sim::SimulatorError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HbmError {
    /// HBM has no free range large enough.
    #[error(
        "HBM has no room for {asked} bytes: the largest free range has {largest_free}; drop tensors, or use smaller ones"
    )]
    Exhausted {
        /// Bytes asked for.
        asked: u64,
        /// Bytes of the largest free range.
        largest_free: u64,
    },
    /// SBUF has no free range large enough.
    #[error(
        "SBUF has no room for {asked} bytes: the largest free range has {largest_free}; drop tensors, or put some into HBM"
    )]
    SbufExhausted {
        /// Bytes asked for.
        asked: u64,
        /// Bytes of the largest free range.
        largest_free: u64,
    },
    /// No tensor has these sizes.
    #[error(transparent)]
    Layout(#[from] LayoutError),
}

impl From<Exhausted> for HbmError {
    fn from(exhausted: Exhausted) -> Self {
        let Exhausted { memory, asked, largest_free } = exhausted;
        match memory {
            Memory::Hbm => Self::Exhausted { asked, largest_free },
            Memory::Sbuf => Self::SbufExhausted { asked, largest_free },
        }
    }
}

/// Why a launch did not begin. The simulator is as it was.
///
/// ```
/// use neuron_device::prelude::*;
/// use neuron_host_sim::{HostTensor, LaunchError, Simulator, args};
///
/// #[custom_op]
/// fn scale(q7: &Q7, x: &Tensor, factor: f32) -> Result<Tensor> {
///     let _ = factor;
///     q7.empty_like(x)
/// }
/// let mut sim = Simulator::new()?;
/// let error = sim.launch(op!(scale), &args![&HostTensor::scalar(1.0f32), 2i32]).unwrap_err();
/// assert!(matches!(error, LaunchError::ArgumentKind { argument: "factor", position: 1, .. }));
/// let text = "argument 1 of op `scale`, `factor`, must be a value of type f32, not a value of type i32";
/// assert_eq!(error.to_string(), text);
/// # Ok::<(), neuron_host_sim::SimulatorError>(())
/// ```
#[derive(Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LaunchError {
    /// Moods of an unchecked simulator, whose cores have no memory of their own to begin again from.
    #[error("an unchecked simulator has no moods: build it without `unchecked()`")]
    UncheckedMoods,
    /// The host starts no thread for a mood or a watchdog.
    #[error("the host starts no thread ({0}): launch without moods and watchdog")]
    Threads(String),
    /// A core whose code was linked for another one, found when it booted.
    #[error(transparent)]
    WrongImage(#[from] WrongImage),
    /// The library has no op of this name.
    #[error("library \"{library}\" has no op \"{name}\": it has {}", known.join(", "))]
    UnknownOp {
        /// The library.
        library: &'static str,
        /// The name asked for.
        name: String,
        /// The names there are.
        known: Vec<&'static str>,
    },
    /// Another number of arguments than the op takes.
    #[error("op `{op}` takes {} ({}), but {passed} were passed", count(*wanted, "argument"), names.join(", "))]
    ArgumentCount {
        /// The op.
        op: &'static str,
        /// Arguments it takes.
        wanted: usize,
        /// Their names.
        names: Vec<&'static str>,
        /// Arguments passed.
        passed: usize,
    },
    /// An argument of another form than the op takes.
    #[error("argument {position} of op `{op}`, `{argument}`, must be {wanted}, not {found}")]
    ArgumentKind {
        /// The op.
        op: &'static str,
        /// The argument's name.
        argument: &'static str,
        /// Its position, from 0.
        position: usize,
        /// What it must be.
        wanted: String,
        /// What was passed.
        found: String,
    },
    /// More arguments than a launch can carry (`docs/machine.md`, section 9).
    #[error("op `{op}` takes {wanted} arguments, and the machine passes at most {most}")]
    TooManyArguments {
        /// The op.
        op: &'static str,
        /// Arguments it takes.
        wanted: usize,
        /// The most there can be.
        most: usize,
    },
    /// A tensor that no record can describe.
    #[error("`{argument}` of op `{op}` cannot be passed: {error}")]
    Record {
        /// The op.
        op: &'static str,
        /// The tensor's name.
        argument: &'static str,
        /// Why.
        error: RecordError,
    },
    /// A tensor of another simulator.
    #[error("`{argument}` of op `{op}` is in another simulator's memory: upload it to this one")]
    OtherSimulator {
        /// The op.
        op: &'static str,
        /// The tensor's name.
        argument: &'static str,
    },
    /// A tensor of the launch has no place in HBM.
    #[error(transparent)]
    Hbm(#[from] HbmError),
    /// The op takes no tensor and has no shape function, so nothing says what its output is like.
    #[error("op `{0}` takes no tensor: give it a shape function, #[custom_op(shape = path)]")]
    NoShape(&'static str),
    /// The op's shape function refused.
    #[error("the shape function of op `{op}` refused: {error}")]
    Shape {
        /// The op.
        op: &'static str,
        /// Its words.
        error: Error,
    },
    /// The op's shape function panicked.
    #[error(
        "the shape function of op `{op}` panicked: {message}; let it return an error for inputs it cannot take"
    )]
    ShapePanicked {
        /// The op.
        op: &'static str,
        /// The panic's message.
        message: String,
    },
    /// The output given is not what the op's shape function says.
    #[error("the output of op `{op}` must be {wanted:?} of {wanted_dtype}, not {found:?} of {found_dtype}")]
    Output {
        /// The op.
        op: &'static str,
        /// Sizes it must have.
        wanted: Vec<u32>,
        /// Dtype it must have.
        wanted_dtype: Dtype,
        /// Sizes it has.
        found: Vec<u32>,
        /// Dtype it has.
        found_dtype: Dtype,
    },
    /// An argument and the output reach over the same part of one storage, and the op does not say that it may be so.
    #[error(
        "`{argument}` of op `{op}` lies in elements {} to {} of its storage, and the output in {} to {} of the same: \
         give an output apart from it, or, if the core that writes an element is the only one to read it, and reads \
         it first, say so with #[custom_op(in_place)]",
        argument_at.start, argument_at.end - 1, output_at.start, output_at.end - 1
    )]
    OutputAliases {
        /// The op.
        op: &'static str,
        /// The argument's name.
        argument: &'static str,
        /// From the argument's first element to its last, in elements from the start of the storage.
        argument_at: Range<u64>,
        /// From the output's first element to its last.
        output_at: Range<u64>,
    },
    /// The output's elements are not all at different places.
    #[error(
        "the output of op `{op}` has strides {strides:?}: several of its elements are one place in memory; give one whose elements are apart"
    )]
    OutputOverlaps {
        /// The op.
        op: &'static str,
        /// The strides.
        strides: Vec<u64>,
    },
}

impl From<Exhausted> for LaunchError {
    fn from(exhausted: Exhausted) -> Self {
        Self::Hbm(exhausted.into())
    }
}

fn count(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}
