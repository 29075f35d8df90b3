//! The machine, simulated: write a kernel with `neuron_device`, launch it here, read the report.
//!
//! [`Simulator`] runs a custom op on eight cores over sparse simulated HBM, with the window table, registers and
//! argument records of the machine. [`HostTensor`] holds data on the host, [`HbmTensor`] names it in HBM, and
//! [`Report`] says what every core did, and what it did wrong: accesses outside a tensor, elements of the output never
//! written or written by several cores, errors, panics.
//!
//! ```
//! use neuron_device::prelude::*;
//! use neuron_host_sim::{HostTensor, Simulator, args};
//!
//! #[custom_op]
//! fn square(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
//!     let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
//!     for i in q7.partition_flat(dst.numel()) {
//!         dst.set(i, src.get(i) * src.get(i));
//!     }
//!     Ok(())
//! }
//!
//! let x = HostTensor::from_slice(&[2, 2], &[1.0f32, -2.0, 3.0, 0.5])?;
//! let report = Simulator::new()?.launch(op!(square), &args![&x])?;
//! report.assert_clean();
//! assert_eq!(report.output().to_host().to_vec::<f32>()?, [1.0, 4.0, 9.0, 0.25]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing here was measured on a device.

#[cfg(not(unix))]
compile_error!("the simulator maps HBM copy-on-write, which it knows how to do on Linux and macOS only");

mod allow;
mod arg;
mod bitmap;
mod boot;
mod check;
mod checks;
mod completion;
mod console;
mod contain;
mod core;
pub mod cost;
mod elf;
mod error;
mod fault;
mod hbm;
mod launch;
mod marshal;
mod moods;
mod place;
mod portability;
mod profile;
pub mod replay;
mod report;
mod rows;
mod shadow;
mod simulator;
mod subjects;
mod tensor;
mod threads;
mod together;
mod watchdog;
mod what_if;

pub use crate::allow::Allowed;
pub use crate::arg::Arg;
pub use crate::console::{MAX_CONSOLE, Printed};
pub use crate::core::Outcome;
pub use crate::core::dataram::DmaTiming;
#[doc(hidden)]
pub use crate::core::stack::switch_and_back;
pub use crate::core::stack::{DEFAULT_HOST_STACK_BYTES, DEFAULT_LOCAL_STACK, StackSettings, StackUse};
pub use crate::error::{HbmError, LaunchError, SimulatorError};
pub use crate::fault::{
    Copied, CoreValue, Described, Fault, FaultKind, Line, MoodValue, Nearest, Part, Path, Severity, Verdict,
};
pub use crate::launch::Target;
pub use crate::moods::Moods;
pub use crate::portability::Note;
pub use crate::profile::{Profile, Rule};
pub use crate::report::{CoreReport, Report};
pub use crate::simulator::{
    CORES, DEFAULT_PATIENCE, DEFAULT_SCRATCH, DEFAULT_TCM, Simulator, SimulatorBuilder,
};
pub use crate::tensor::hbm::HbmTensor;
pub use crate::tensor::host::{HostTensor, TensorError};
pub use crate::tensor::npy::NpyError;
pub use crate::what_if::WhatIf;
