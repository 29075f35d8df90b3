//! [`Fault`]: one thing a launch did wrong, with everything needed to find and mend it.

use neuron_device::{Access, Dtype, Site, Verdict as DeviceVerdict};

/// What kind of fault it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum FaultKind {
    /// An access outside its tensor.
    Bounds,
    /// An access where there is no memory.
    Memory,
    /// A returned tensor that cannot be copied back whole.
    Return,
    /// Elements of the output that were not written exactly once.
    Coverage,
}

impl FaultKind {
    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bounds => "bounds",
            Self::Memory => "memory",
            Self::Return => "return",
            Self::Coverage => "coverage",
        }
    }
}

/// What exactly was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Verdict {
    /// The address is beyond the tensor's last element.
    PastTheEnd,
    /// The index is beyond a dimension, the address still inside the tensor.
    PastADimension,
    /// There is no memory at the address.
    NoMemory,
    /// More separate pieces were written than a core remembers.
    TooManyRuns,
    /// No core wrote the element.
    NeverWritten,
    /// Two or more cores wrote the element.
    WrittenBySeveralCores,
}

impl Verdict {
    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::PastTheEnd => "past_the_end",
            Self::PastADimension => "past_a_dimension",
            Self::NoMemory => "no_memory",
            Self::TooManyRuns => "too_many_runs",
            Self::NeverWritten => "never_written",
            Self::WrittenBySeveralCores => "written_by_several_cores",
        }
    }
}

impl From<DeviceVerdict> for Verdict {
    fn from(verdict: DeviceVerdict) -> Self {
        match verdict {
            DeviceVerdict::PastTheEnd => Self::PastTheEnd,
            DeviceVerdict::PastADimension => Self::PastADimension,
        }
    }
}

/// One fault of a launch. Equal ones are one, with a count.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Fault {
    /// What kind it is.
    pub kind: FaultKind,
    /// What exactly was found.
    pub verdict: Verdict,
    /// Read or write.
    pub access: Access,
    /// The tensor, by its name in the kernel's signature; empty if there is none.
    pub argument: &'static str,
    /// The tensor's element type and sizes, if there is one.
    pub tensor: Option<(Dtype, Vec<u32>)>,
    /// How many accesses, or elements.
    pub count: u64,
    /// The index of the first, as the author writes it.
    pub first: String,
    /// The cores it happened on, rising.
    pub cores: Vec<u32>,
    /// The author's lines: of the access; of each write; of the accessor that should have written.
    pub sites: Vec<Site>,
}

impl Fault {
    /// What to do about it.
    pub fn suggestion(&self) -> String {
        let (access, argument) = (self.access.name(), self.argument);
        match self.verdict {
            Verdict::PastTheEnd => match (&self.tensor, self.count) {
                (Some((_, sizes)), _) => {
                    let numel: u64 = sizes.iter().map(|&size| u64::from(size)).product();
                    format!(
                        "{access} `{argument}` below its {numel} elements: check the start and the length of the share"
                    )
                }
                (None, _) => format!("{access} `{argument}` inside its sizes"),
            },
            Verdict::PastADimension => format!(
                "compare each index with `size(dim)`: on the chip this {access} reaches another element of `{argument}`"
            ),
            Verdict::NoMemory => "use addresses of tensors of this launch only".to_owned(),
            Verdict::TooManyRuns => format!(
                "write `{argument}` in place: take `out: &mut Tensor` and return `Result<()>`, or write it in fewer pieces"
            ),
            Verdict::NeverWritten => format!(
                "write every element of `{argument}`: share it out with `q7.partition_flat`, which leaves no remainder"
            ),
            Verdict::WrittenBySeveralCores => format!(
                "let one core write each element of `{argument}`: no core waits for another, so the last one wins by luck"
            ),
        }
    }
}
