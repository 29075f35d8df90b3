//! [`Profile`]: which of the sources a machine follows where they disagree, and every [`Rule`] in which they do.
//!
//! `docs/machine.md`, section 12, says where each comes from; `docs/profiles.md` has the same table for people.

use neuron_device::{MAX_STACK_SIZE, SbufAddresses};
use serde::{Deserialize, Serialize};

use crate::fault::Severity;

/// Which sources the machine follows where they disagree: those that watched it, or those that document it. See
/// [`Rule`] for what differs, and [`SimulatorBuilder::profile`](crate::SimulatorBuilder::profile).
///
/// ```
/// use neuron_device::prelude::*;
/// use neuron_host_sim::{HostTensor, Profile, Rule, Severity, Simulator, args};
///
/// #[custom_op]
/// fn same(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
///     let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
///     q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, src.get(i)));
///     Ok(())
/// }
/// let x = HostTensor::from_slice(&[64], &[1.0f32; 64])?;
/// Simulator::new()?.launch(op!(same), &args![&x])?.assert_clean();
///
/// let mut strict = Simulator::builder().profile(Profile::Documented).build()?;
/// let report = strict.launch(op!(same), &args![&x])?;
/// let fault = &report.faults()[0];
/// assert_eq!((fault.argument, fault.rule, fault.cores.len()), ("x", Some(Rule::AccessorsOnSeveralCores), 8));
/// assert_eq!(fault.severity, Severity::Error);
/// assert!(fault.suggestion().starts_with("stage through TCM"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Profile {
    /// As the machine was observed to behave: the default. What the other would not allow is noted at the end of a report.
    #[default]
    Observed,
    /// As it is documented, which is stricter: what is not documented is refused, or is a fault.
    Documented,
}

impl Profile {
    /// The most bytes of stack an op can ask for (`docs/machine.md`, sections 10 and 12).
    pub(crate) const fn most_stack(self) -> u32 {
        match self {
            Self::Observed => MAX_STACK_SIZE,
            Self::Documented => 400_000,
        }
    }

    /// Is what this core prints shown?
    pub(crate) const fn shows(self, core: u32) -> bool {
        matches!(self, Self::Observed) || core == 0
    }

    /// Its name, in texts and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Observed => "Observed",
            Self::Documented => "Documented",
        }
    }

    /// What the addresses of records in SBUF are.
    pub(crate) const fn sbuf_addresses(self) -> SbufAddresses {
        match self {
            Self::Observed => SbufAddresses::Local,
            Self::Documented => SbufAddresses::Offsets,
        }
    }
}

/// One thing in which the profiles differ.
///
/// ```
/// use neuron_host_sim::{Rule, Severity};
/// let rule = Rule::Integers64;
/// assert_eq!((rule.name(), rule.observed(), rule.severity()), ("64-bit-integers", "allowed", Some(Severity::Warning)));
/// // Every rule says what to do about it.
/// assert!(Rule::ALL.iter().all(|rule| !rule.to_do().is_empty()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// An accessor or a stream in a launch on several cores.
    AccessorsOnSeveralCores,
    /// A returned tensor in a launch on several cores.
    ReturnedTensorOnSeveralCores,
    /// How much TCM a kernel has.
    TcmPool,
    /// Types of value arguments.
    ScalarTypes,
    /// A value read as another type than the host passed.
    OtherValue,
    /// A tensor made in a launch on several cores.
    FactoriesOnSeveralCores,
    /// Until when a local address is good.
    LocalAddresses,
    /// What the address in the record of a tensor in SBUF is.
    SbufAddress,
    /// How much stack an op can ask for.
    StackMaximum,
    /// Whose printing is shown.
    Console,
    /// What `get_cpu_count()` is in a launch on fewer than eight cores.
    CoreCount,
    /// Tensors of i64.
    Integers64,
}

impl Rule {
    /// Every rule, in the order of the table in `docs/machine.md`.
    pub const ALL: [Self; 12] = [
        Self::AccessorsOnSeveralCores,
        Self::ReturnedTensorOnSeveralCores,
        Self::TcmPool,
        Self::ScalarTypes,
        Self::OtherValue,
        Self::FactoriesOnSeveralCores,
        Self::LocalAddresses,
        Self::SbufAddress,
        Self::StackMaximum,
        Self::Console,
        Self::CoreCount,
        Self::Integers64,
    ];

    /// Its name, in texts and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AccessorsOnSeveralCores => "accessors-on-several-cores",
            Self::ReturnedTensorOnSeveralCores => "returned-tensor-on-several-cores",
            Self::TcmPool => "tcm-pool",
            Self::ScalarTypes => "scalar-types",
            Self::OtherValue => "other-value",
            Self::FactoriesOnSeveralCores => "factories-on-several-cores",
            Self::LocalAddresses => "local-addresses",
            Self::SbufAddress => "sbuf-address",
            Self::StackMaximum => "stack-maximum",
            Self::Console => "console",
            Self::CoreCount => "core-count",
            Self::Integers64 => "64-bit-integers",
        }
    }

    /// What it is about.
    pub const fn topic(self) -> &'static str {
        match self {
            Self::AccessorsOnSeveralCores => "an accessor or a stream in a launch on several cores",
            Self::ReturnedTensorOnSeveralCores => "a returned tensor in a launch on several cores",
            Self::TcmPool => "the TCM pool",
            Self::ScalarTypes => "a value argument of type i32, f32 or i64",
            Self::OtherValue => "a value argument that the host passed as another type",
            Self::FactoriesOnSeveralCores => "a tensor made in a launch on several cores",
            Self::LocalAddresses => "a local address used after another address was translated",
            Self::SbufAddress => "the address in the record of a tensor in SBUF",
            Self::StackMaximum => "the most stack an op can ask for",
            Self::Console => "what cores print",
            Self::CoreCount => "`get_cpu_count()` in a launch on fewer than 8 cores",
            Self::Integers64 => "a tensor of i64",
        }
    }

    /// What [`Profile::Observed`] says of it.
    pub const fn observed(self) -> &'static str {
        match self {
            Self::AccessorsOnSeveralCores => "allowed: each core has windows of its own",
            Self::ReturnedTensorOnSeveralCores => "what each core wrote of it is copied back",
            Self::TcmPool => "16 KiB, or as many bytes as the simulator is given, up to 64 KiB",
            Self::ScalarTypes => "allowed",
            Self::OtherValue => "its bits are read as they are, with a warning",
            Self::FactoriesOnSeveralCores => "each core has its own",
            Self::LocalAddresses => {
                "a warning while its window still shows the same, an error once it was mapped elsewhere"
            }
            Self::SbufAddress => "a local address in the pinned window, used as it is",
            Self::StackMaximum => "4194304 bytes, or as many as the simulator is given, up to that",
            Self::Console => "every core's lines are shown, one core after the other",
            Self::CoreCount => {
                "the number of cores of the launch, or 8 if the simulator has a constant CPU count"
            }
            Self::Integers64 => "allowed",
        }
    }

    /// What [`Profile::Documented`] says of it.
    pub const fn documented(self) -> &'static str {
        match self {
            Self::AccessorsOnSeveralCores => {
                "not defined, as windows may be shared, so that accesses by element race"
            }
            Self::ReturnedTensorOnSeveralCores => "not defined: only the destination is",
            Self::TcmPool => "16 KiB; a simulator with more is not built",
            Self::ScalarTypes => "`double` is documented",
            Self::OtherValue => "not defined, so an error",
            Self::FactoriesOnSeveralCores => "not specified",
            Self::LocalAddresses => "an error, as it is good until the next translation",
            Self::SbufAddress => "an offset from where SBUF begins, which the pinned window translates",
            Self::StackMaximum => "400000 bytes; an op that asks for more does not run",
            Self::Console => "those of core 0 are shown, and the others' are not",
            Self::CoreCount => "8 in every launch",
            Self::Integers64 => "64-bit operations were withdrawn in 2025",
        }
    }

    /// How a launch is mended that breaks it.
    pub const fn to_do(self) -> &'static str {
        match self {
            Self::AccessorsOnSeveralCores => {
                "stage through TCM (`tensor_to_tcm`, `tcm_to_tensor`), or launch on one core"
            }
            Self::ReturnedTensorOnSeveralCores => "take `out: &mut Tensor`, or launch on one core",
            Self::TcmPool => "keep to 16 KiB of TCM: stage smaller tiles, and fewer at once",
            Self::ScalarTypes => "take a `Scalar`, which holds whatever the host passes, and convert it",
            Self::OtherValue => {
                "pass it as the type the kernel takes, or take a `Scalar`, which keeps its type"
            }
            Self::FactoriesOnSeveralCores => "take the tensor as an argument, or launch on one core",
            Self::LocalAddresses => "translate again right before each use",
            Self::SbufAddress => {
                "pass the tensor itself (`Simulator::to_sbuf`), of which each profile makes its own record"
            }
            Self::StackMaximum => "ask for less, and keep large arrays in HBM or TCM",
            Self::Console => "print on core 0, or put what other cores have to say into a tensor",
            Self::CoreCount => "launch on 8 cores, or do not share work out by `get_cpu_count()`",
            Self::Integers64 => "use i32",
        }
    }

    /// How bad it is to break it in this profile, where [`Observed`](Profile::Observed) only warns.
    pub(crate) fn severity_in(self, profile: Profile) -> Severity {
        match profile {
            Profile::Observed => Severity::Warning,
            Profile::Documented => self.severity().unwrap_or(Severity::Warning),
        }
    }

    /// How bad a launch is that breaks it, under [`Profile::Documented`]; `None` of a rule that says what the machine is
    /// like, so that no launch breaks it.
    pub const fn severity(self) -> Option<Severity> {
        match self {
            Self::AccessorsOnSeveralCores
            | Self::ReturnedTensorOnSeveralCores
            | Self::FactoriesOnSeveralCores
            | Self::OtherValue
            | Self::LocalAddresses
            | Self::StackMaximum => Some(Severity::Error),
            Self::ScalarTypes | Self::Integers64 => Some(Severity::Warning),
            Self::TcmPool | Self::SbufAddress | Self::Console | Self::CoreCount => None,
        }
    }
}

#[cfg(test)]
mod tests;
