//! [`Fault`]: one thing a launch did wrong, with everything needed to find and mend it.

mod kind;
mod line;
mod path;
mod suggestion;
pub(crate) mod text;

use neuron_device::{Access, Dtype, HbmAddr, NxAddr, SBUF_WINDOW, Site};

use crate::core::stack::StackUse;
use crate::hbm::map::{is_in_sbuf, shown_in_sbuf};

pub use self::kind::{FaultKind, Severity, Verdict};
pub use self::line::{Line, Part};
pub use self::path::Path;
use crate::profile::Rule;

/// One fault of a launch. Equal ones are one, with a count: those of one verdict, tensor and lines. As text (`Display`)
/// it is a paragraph of the report.
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
/// assert_eq!((&fault.cores[..], fault.lines.len()), (&[3][..], 1));
/// assert!(fault.to_string().starts_with("1 element written past the end of `out` (f32 [4])"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Fault {
    /// What exactly was found.
    pub verdict: Verdict,
    /// How bad it is.
    pub severity: Severity,
    /// The rule of the [`Documented`](crate::Profile::Documented) profile that it breaks, if there is one. Of most faults
    /// there is none: no profile allows them.
    pub rule: Option<Rule>,
    /// The op that was launched.
    pub op: &'static str,
    /// Read or write. Of a translation where there is no memory it is not known, and says read.
    pub access: Access,
    /// The tensor, by its name in the kernel's signature; `"result"` is the output of a kernel that returns
    /// it, `"scratch"` any tensor the kernel made, the one it returns too; empty if there is none.
    pub argument: &'static str,
    /// What the tensor is like, if there is one.
    pub tensor: Option<Described>,
    /// How many accesses; of races, uninitialised reads and coverage, how many elements.
    pub count: u64,
    /// The index of the first, as the author writes it: `[i]` for `elements`, `[i, j, …]` for accessors and
    /// for what is found after the launch. Where there is no memory, the address; for too many pieces, the one that was
    /// too many.
    pub first: String,
    /// The row-major index of the first, if it is an element of its tensor.
    pub flat: Option<u64>,
    /// The way of the accesses, if they are of one.
    pub path: Option<Path>,
    /// Bytes of each access, where that is [what is wrong](Verdict::OtherWidth).
    pub width: Option<u64>,
    /// The address of the first, if it has one.
    pub address: Option<HbmAddr>,
    /// The local address of the first, if the kernel used one.
    pub local: Option<NxAddr>,
    /// The cores it happened on, rising; for elements never written, the cores that opened the output for
    /// writing.
    pub cores: Vec<u32>,
    /// The author's lines: of each access; for elements never written, where the output was opened for writing, which
    /// may be nowhere; for memory never initialised, also where it was allocated.
    pub lines: Vec<Line>,
    /// What the cores wrote to the first element, where they wrote different things.
    pub values: Vec<CoreValue>,
    /// What two moods made of the first element, if they differ.
    pub moods: Vec<MoodValue>,
    /// Of memory never initialised: where the core wrote next, if it wrote the bits that it had read first.
    pub copied: Option<Copied>,
    /// The tensor one of the accesses would have met instead of its own, the first that met any.
    pub nearest: Option<Nearest>,
    /// Of a stack that overflowed: which it was, what it had, and how far down it was written before.
    pub stack: Option<StackUse>,
}

/// What a tensor is like.
///
/// ```
/// # use neuron_device::prelude::*;
/// # use neuron_host_sim::{HostTensor, Simulator, args};
/// # #[custom_op]
/// # fn nothing(_q7: &Q7, _x: &Tensor, _out: &mut Tensor) -> Result<()> { Ok(()) }
/// // A kernel that writes nothing:
/// let x = HostTensor::from_slice(&[2, 3], &[1.0f32; 6])?;
/// let report = Simulator::new()?.launch(op!(nothing), &args![&x])?;
/// let tensor = report.faults()[0].tensor.as_ref().unwrap();
/// assert_eq!((tensor.dtype, &tensor.sizes[..], &tensor.strides[..]), (Dtype::F32, &[2, 3][..], &[3, 1][..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Described {
    /// Element type.
    pub dtype: Dtype,
    /// Size of each dimension, in elements.
    pub sizes: Vec<u32>,
    /// Stride of each dimension, in elements; none if it is not known.
    pub strides: Vec<u64>,
    /// Is it in SBUF, rather than in HBM?
    pub in_sbuf: bool,
}

/// What one core wrote to an element that others wrote too.
///
/// ```
/// # use neuron_device::prelude::*;
/// # use neuron_host_sim::{HostTensor, Simulator, args};
/// #[custom_op]
/// fn identity(q7: &Q7, _x: &Tensor, out: &mut Tensor) -> Result<()> {
///     out.elements_mut::<f32>(q7)?.set(0, q7.get_cpu_id() as f32);
///     Ok(())
/// }
/// let x = HostTensor::from_slice(&[1], &[1.0f32])?;
/// let report = Simulator::new()?.launch(op!(identity), &args![&x])?;
/// let last = report.faults()[0].values.last().unwrap();
/// assert_eq!((last.core, last.value.as_str()), (7, "7.0"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CoreValue {
    /// The core.
    pub core: u32,
    /// The value, as Rust prints it.
    pub value: String,
}

/// What came out under one [mood](crate::Simulator::moods).
///
/// ```
/// use neuron_host_sim::MoodValue;
/// let (mood, value) = ("cores in falling order".to_owned(), "3.0".to_owned());
/// assert_ne!(MoodValue { mood: mood.clone(), value }, MoodValue { mood, value: "4.0".to_owned() });
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoodValue {
    /// The order of the cores, the host threads, and what memory held.
    pub mood: String,
    /// The value, as Rust prints it; or how the core ended.
    pub value: String,
}

/// The write that a core made next after it read what nobody had written, of the same bits: most likely their first copy.
/// That they are the same may be luck, as memory nobody wrote is mostly zero.
///
/// ```
/// # use neuron_device::prelude::*;
/// # use neuron_host_sim::{Simulator, args};
/// #[custom_op]
/// fn reversed(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
///     let (src, dst) = (x.elements::<i32>(q7)?, out.elements_mut::<i32>(q7)?);
///     q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(7 - i, src.get(i)));
///     Ok(())
/// }
/// let mut sim = Simulator::new()?;
/// let x = sim.empty(Dtype::I32, &[8])?;
/// let report = sim.launch(op!(reversed), &args![&x])?;
/// let fault = &report.faults()[0];
/// let copied = fault.copied.as_ref().unwrap();
/// assert_eq!((&*fault.first, copied.argument, &*copied.first), ("[0]", "out", "[7]"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Copied {
    /// The tensor it wrote to.
    pub argument: &'static str,
    /// The index of the element.
    pub first: String,
    /// The author's line.
    pub site: Site,
}

/// The tensor nearest to an access outside its own.
///
/// ```
/// # use neuron_device::prelude::*;
/// # use neuron_host_sim::{HostTensor, Simulator, Verdict, args};
/// #[custom_op]
/// fn too_far(q7: &Q7, x: &Tensor, y: &Tensor, out: &mut Tensor) -> Result<()> {
///     let (src, dst) = (x.elements::<i32>(q7)?, out.elements_mut::<i32>(q7)?);
///     q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, src.get(i + 1)));
///     Ok(())
/// }
/// let all = HostTensor::from_slice(&[8], &[0i32; 8])?;
/// let (x, y) = (all.narrow(0, 0, 4)?, all.narrow(0, 4, 4)?);
/// let report = Simulator::new()?.launch(op!(too_far), &args![&x, &y])?;
/// let fault = &report.faults()[0];
/// let nearest = fault.nearest.as_ref().unwrap();
/// assert_eq!((fault.verdict, nearest.argument, nearest.first.as_str()), (Verdict::InAnotherTensor, "y", "[0]"));
/// assert_eq!(nearest.beyond, 0); // right behind the end of `x`
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Nearest {
    /// Its name.
    pub argument: &'static str,
    /// The index of the element that is there.
    pub first: String,
    /// Bytes from the end of the access's own tensor to the access; if it is before the start of its own tensor, how far,
    /// as a negative number.
    pub beyond: i64,
}

impl Fault {
    /// One of this verdict, of which nothing else is known yet.
    pub(crate) fn new(op: &'static str, verdict: Verdict, severity: Severity) -> Self {
        Self {
            verdict,
            severity,
            rule: None,
            op,
            access: Access::Read,
            argument: "",
            tensor: None,
            count: 1,
            first: String::new(),
            flat: None,
            path: None,
            width: None,
            address: None,
            local: None,
            cores: Vec::new(),
            lines: Vec::new(),
            values: Vec::new(),
            moods: Vec::new(),
            copied: None,
            nearest: None,
            stack: None,
        }
    }

    /// Where the window begins that shows the first access, if it has an address: one of 16 MiB, or the pinned one of SBUF
    /// (`docs/machine.md`, section 3).
    pub fn window(&self) -> Option<HbmAddr> {
        let sbuf = shown_in_sbuf(SBUF_WINDOW);
        self.address.map(|addr| if is_in_sbuf(addr) { sbuf } else { addr.window_base() })
    }

    /// What kind it is.
    pub const fn kind(&self) -> FaultKind {
        self.verdict.kind()
    }

    /// Is it a fault, or an error, under the `Documented` profile only?
    pub(crate) fn is_of_profile(&self) -> bool {
        let worse = matches!(self.verdict, Verdict::UsedAfterTranslation | Verdict::OtherValue)
            && self.severity == Severity::Error;
        self.verdict == Verdict::NotDocumented || worse
    }

    /// Is `other` the same fault at another index, or on another core?
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        // Where an access beyond a tensor lands differs from index to index, and means nothing.
        let verdict = |fault: &Self| match fault.verdict {
            Verdict::InAnotherTensor => Verdict::PastTheEnd,
            verdict => verdict,
        };
        let key = |fault: &Self| {
            (verdict(fault), fault.rule, fault.severity, fault.access, fault.argument, fault.width)
        };
        let same_tensor = match (&self.tensor, &other.tensor) {
            (Some(a), Some(b)) => (a.dtype, &a.sizes) == (b.dtype, &b.sizes),
            (a, b) => a.is_none() && b.is_none(),
        };
        key(self) == key(other) && same_tensor && self.lines == other.lines
    }

    /// `other`, which [is like](Self::is_like) this one and came later, is counted here.
    pub(crate) fn absorb(&mut self, other: &Self) {
        self.count += other.count;
        if self.nearest.is_none() {
            self.nearest.clone_from(&other.nearest);
        }
    }
}
