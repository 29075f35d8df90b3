//! [`Outcome`]: how a core's work ended.

use neuron_device::Error;

/// How a core's work ended.
///
/// ```
/// use neuron_device::prelude::*;
/// use neuron_host_sim::{HostTensor, Outcome, Simulator, args};
///
/// #[custom_op]
/// fn fussy(q7: &Q7, x: &Tensor) -> Result<Tensor> {
///     assert_ne!(q7.get_cpu_id(), 3, "core 3 is broken");
///     if x.dim() == 1 { q7.empty_like(x) } else { Err(Error::message("must be a vector").about("x")) }
/// }
/// let mut sim = Simulator::new()?;
/// let report = sim.launch(op!(fussy), &args![&HostTensor::scalar(1.0f32)])?;
/// let Outcome::Failed(error) = &report.cores()[0].outcome else { unreachable!() };
/// assert!(error.to_string().starts_with("`x`: must be a vector (at "));
/// let Outcome::Panicked(text) = &report.cores()[3].outcome else { unreachable!() };
/// assert!(text.contains("core 3 is broken"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Outcome {
    /// The kernel returned `Ok`.
    Returned,
    /// The kernel returned an error.
    Failed(Error),
    /// The kernel panicked, with this message; `"(no message)"` if its payload was no text.
    Panicked(String),
    /// The core was stopped at its 1000th different fault. Faults that differ in the index alone are one.
    Stopped,
    /// The core was stopped as it went on accessing what it had accessed before.
    NoProgress,
    /// The kernel needed more stack than there was, and was stopped there. What it had written is forgotten, unless checks are
    /// off; the stack's use is in [`Report::stacks`](crate::Report::stacks).
    StackOverflow,
}
