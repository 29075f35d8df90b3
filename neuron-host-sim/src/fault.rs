//! [`Fault`]: one thing a launch did wrong, with everything needed to find and mend it.

use neuron_device::{Access, Dtype, Site, Verdict as DeviceVerdict};

/// What kind of fault it is.
///
/// ```
/// # use neuron_device::prelude::*;
/// # use neuron_host_sim::{FaultKind, HostTensor, Simulator, args};
/// # #[custom_op]
/// # fn shifted(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
/// #     let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
/// #     q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i + 1, src.get(i)));
/// #     Ok(())
/// # }
/// // A kernel that writes element `i + 1` where it should write `i`:
/// let x = HostTensor::from_slice(&[4], &[1.0f32; 4])?;
/// let report = Simulator::new()?.launch(op!(shifted), &args![&x])?;
/// let kinds: Vec<_> = report.faults().iter().map(|fault| fault.kind).collect();
/// assert_eq!(kinds, [FaultKind::Bounds, FaultKind::Coverage]);
/// assert_eq!(kinds[0].name(), "bounds");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum FaultKind {
    /// An access outside its tensor.
    Bounds,
    /// A translation of an address where there is no memory.
    Memory,
    /// A returned tensor of which not all that was written can be copied back.
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

/// What exactly was found. `docs/report.md` says what each is on the chip.
///
/// ```
/// # use neuron_device::prelude::*;
/// # use neuron_host_sim::{HostTensor, Simulator, Verdict, args};
/// # #[custom_op]
/// # fn shifted(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
/// #     let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
/// #     q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i + 1, src.get(i)));
/// #     Ok(())
/// # }
/// // A kernel that writes element `i + 1` where it should write `i`:
/// let x = HostTensor::from_slice(&[4], &[1.0f32; 4])?;
/// let report = Simulator::new()?.launch(op!(shifted), &args![&x])?;
/// let found = report.faults().iter().map(|fault| (fault.verdict, fault.first.as_str()));
/// assert!(found.eq([(Verdict::PastTheEnd, "[4]"), (Verdict::NeverWritten, "[0]")]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Verdict {
    /// The index leads beyond the tensor's last element.
    PastTheEnd,
    /// The index is beyond a dimension, but leads to another element of the tensor, or between two.
    PastADimension,
    /// There is no memory at the address.
    NoMemory,
    /// A returned tensor was written in more separate pieces than the 8 a core remembers.
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

/// One fault of a launch. Equal ones are one, with a count: those of one kind, verdict, direction, tensor and
/// line. As text (`Display`) it is a paragraph of the report.
///
/// ```
/// use neuron_device::prelude::*;
/// use neuron_host_sim::{HostTensor, Simulator, args};
///
/// #[custom_op]
/// fn shifted(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
///     let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
///     q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i + 1, src.get(i)));
///     Ok(())
/// }
/// let x = HostTensor::from_slice(&[4], &[1.0f32; 4])?;
/// let report = Simulator::new()?.launch(op!(shifted), &args![&x])?;
/// let fault = &report.faults()[0];
/// assert_eq!((fault.argument, fault.count, fault.first.as_str()), ("out", 1, "[4]"));
/// assert_eq!((&fault.cores[..], fault.sites.len()), (&[3][..], 1));
/// assert!(fault.to_string().starts_with("1 element written past the end of `out` (f32 [4])"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Fault {
    /// What kind it is.
    pub kind: FaultKind,
    /// What exactly was found.
    pub verdict: Verdict,
    /// Read or write. Of a translation where there is no memory it is not known, and says read.
    pub access: Access,
    /// The tensor, by its name in the kernel's signature; `"result"` is the output of a kernel that returns
    /// it, `"scratch"` any tensor the kernel made, the one it returns too; empty if there is none.
    pub argument: &'static str,
    /// The tensor's element type and sizes, if there is one.
    pub tensor: Option<(Dtype, Vec<u32>)>,
    /// How many accesses; for coverage, how many elements.
    pub count: u64,
    /// The index of the first, as the author writes it: `[i]` for `elements`, `[i, j, …]` for accessors and
    /// for coverage. Where there is no memory, the address; for too many pieces, the one that was too many.
    pub first: String,
    /// The cores it happened on, rising; for elements never written, the cores that opened the output for
    /// writing.
    pub cores: Vec<u32>,
    /// The author's lines: of the access; for elements written by several cores, of each write; for elements
    /// never written, where the output was opened for writing, which may be nowhere.
    pub sites: Vec<Site>,
}

impl Fault {
    /// What to do about it, in a sentence.
    ///
    /// ```
    /// use neuron_device::prelude::*;
    /// use neuron_host_sim::{HostTensor, Simulator, args};
    /// #[custom_op]
    /// fn shifted(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    ///     let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    ///     q7.partition_flat(dst.numel()).into_iter().for_each(|i| dst.set(i, src.get(i + 1)));
    ///     Ok(())
    /// }
    /// let report = Simulator::new()?.launch(op!(shifted), &args![&HostTensor::zeros(Dtype::F32, &[9])?])?;
    /// assert!(report.faults()[0].suggestion().starts_with("read `x` below its 9 elements"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
