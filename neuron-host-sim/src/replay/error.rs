//! Why a launch was not saved, or not replayed.

use std::path::PathBuf;

use crate::error::{LaunchError, SimulatorError};

/// Why a report has nothing to save.
///
/// ```
/// use neuron_device::prelude::*;
/// use neuron_host_sim::replay::NotKept;
/// use neuron_host_sim::{HostTensor, Simulator, args};
/// # #[custom_op]
/// # fn same(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
/// #     let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
/// #     Ok(q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, src.get(i))))
/// # }
/// // A kernel that copies, as it should:
/// let report = Simulator::new()?.launch(op!(same), &args![&HostTensor::scalar(1.0f32)])?;
/// assert_eq!(report.to_replay().unwrap_err(), NotKept::Clean);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NotKept {
    /// It was clean, and nobody asked to keep it.
    #[error(
        "the launch was clean, and nothing of it was kept: build the simulator with `keep_inputs()` to save any launch"
    )]
    Clean,
    /// Nobody asked to keep it, and its cores wrote to memory that everybody sees.
    #[error(
        "the launch was unchecked, so that its inputs may be overwritten: build the simulator with `keep_inputs()`"
    )]
    Unchecked,
    /// Its tensors hold too much.
    #[error(
        "the launch's tensors hold more than {most} bytes that are not zero, the most that is kept: try smaller tensors"
    )]
    TooLarge {
        /// The most bytes that are kept.
        most: u64,
    },
    /// It was given records as they are, of which nobody knows what they need.
    #[error("the launch was given records as they are (`Arg::Record`): pass tensors and values to save one")]
    Records,
    /// The host did not give the bytes.
    #[error("the host did not give the bytes of HBM ({0})")]
    Host(String),
}

/// Why a report was not saved.
///
/// ```
/// use neuron_host_sim::replay::{NotKept, SaveError};
/// assert!(matches!(SaveError::from(NotKept::Clean), SaveError::NotKept(NotKept::Clean)));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SaveError {
    /// There is nothing to save.
    #[error(transparent)]
    NotKept(#[from] NotKept),
    /// The file was not written.
    #[error("{path} was not written: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: String,
    },
}

/// Why a launch was not replayed.
///
/// ```
/// use neuron_host_sim::replay::{Replay, ReplayError};
/// let error = Replay::open("Cargo.toml").unwrap_err();
/// assert!(matches!(&error, ReplayError::File { .. }));
/// assert!(error.to_string().starts_with("Cargo.toml holds no launch to replay: "));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The file cannot be read.
    #[error("{path} cannot be read: {error}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// The file is not what a report was saved to.
    #[error("{path} holds no launch to replay: {reason}")]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// What was saved describes a launch that cannot be.
    #[error("the launch saved cannot be: {0}")]
    Contents(String),
    /// No library has the op.
    #[error("no library given has op `{op}` of {file}: they have {}", known.join(", "))]
    UnknownOp {
        /// The op.
        op: String,
        /// The file it was in.
        file: String,
        /// The ops there are.
        known: Vec<String>,
    },
    /// The simulator was not built.
    #[error(transparent)]
    Simulator(#[from] SimulatorError),
    /// The launch did not begin: the op, or its shape function, has changed since.
    #[error("the launch does not begin, as the op has changed since it was saved: {0}")]
    Launch(#[from] LaunchError),
    /// There is no such core.
    #[error("there is no core {core}: the launch had {cores}, from 0 on")]
    NoCore {
        /// The core asked for.
        core: u32,
        /// How many there are.
        cores: u32,
    },
    /// There is no fault to stop at.
    #[error("{0}")]
    NoFault(String),
    /// The launch has no tensor of this name.
    #[error("the launch has no tensor `{name}`: it has {}", known.join(", "))]
    NoTensor {
        /// The name asked for.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// The tensor has no such element.
    #[error("`{name}` has no element [{index}]: its sizes are {sizes:?}, and [i] counts elements row by row")]
    NoElement {
        /// The tensor.
        name: String,
        /// The index asked for.
        index: String,
        /// The tensor's sizes.
        sizes: Vec<u32>,
    },
    /// The core never makes the access.
    #[error("{0}")]
    Never(String),
}
