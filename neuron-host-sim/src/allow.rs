//! Faults that are meant: found, counted, and not held against a launch.

use crate::fault::{Fault, FaultKind};
use crate::replay::kept::Meant;

/// Which faults are allowed, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rule {
    kind: FaultKind,
    argument: String,
    reason: String,
}

impl Rule {
    pub(crate) fn new(kind: FaultKind, argument: &str, reason: &str) -> Self {
        Self { kind, argument: argument.to_owned(), reason: reason.to_owned() }
    }

    /// As it is kept for a replay.
    pub(crate) fn to_meant(&self) -> Meant {
        let (argument, reason) = (self.argument.clone(), self.reason.clone());
        Meant { kind: self.kind.name().to_owned(), argument, reason }
    }
}

/// A fault that a rule allows. See [`Simulator::allow`](crate::Simulator::allow).
///
/// ```
/// use neuron_device::prelude::*;
/// use neuron_host_sim::{FaultKind, HostTensor, Simulator, args};
///
/// /// Every core writes the same number.
/// #[custom_op]
/// fn count(_q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
///     out.elements_mut::<i32>(_q7)?.set(0, x.numel() as i32);
///     Ok(())
/// }
/// let mut sim = Simulator::new()?;
/// sim.allow(FaultKind::Race, "out", "every core writes the same number");
/// let report = sim.launch(op!(count), &args![&HostTensor::from_slice(&[1], &[7i32])?])?;
/// report.assert_clean();
/// assert_eq!((report.allowed().len(), &*report.allowed()[0].reason), (1, "every core writes the same number"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Allowed {
    /// What was found.
    pub fault: Fault,
    /// Why it is meant.
    pub reason: String,
}

/// The faults no rule allows, and those that one does.
pub(crate) fn sorted(faults: Vec<Fault>, rules: &[Rule]) -> (Vec<Fault>, Vec<Allowed>) {
    let (mut held, mut allowed) = (Vec::new(), Vec::new());
    for fault in faults {
        match rules.iter().find(|rule| rule.kind == fault.kind() && rule.argument == fault.argument) {
            Some(rule) => allowed.push(Allowed { fault, reason: rule.reason.clone() }),
            None => held.push(fault),
        }
    }
    (held, allowed)
}
