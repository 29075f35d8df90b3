//! A line of the author's that a fault is about, and its part in it.

use neuron_device::Site;

/// What a line did.
///
/// ```
/// use neuron_host_sim::Part;
/// assert_eq!(Part::Opened.words(), "opened for writing");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Part {
    /// It read.
    Read,
    /// It wrote.
    Written,
    /// It opened an accessor for writing.
    Opened,
    /// It opened an accessor.
    AccessorOpened,
    /// It opened an accessor or a stream.
    HandleOpened,
    /// It made the tensor, in the kernel or on the host; or it took the block.
    Allocated,
    /// It gave the block back.
    Freed,
    /// It took the destination.
    Taken,
    /// It began a copy.
    Started,
    /// It waited for a copy.
    Awaited,
    /// It opened a stream.
    StreamOpened,
    /// It translated an address.
    Translated,
    /// It translated another address, so that a window was mapped elsewhere.
    Remapped,
    /// It says how much stack the op needs, or else where the op is.
    StackAsked,
}

impl Part {
    /// The words in a report, as in "read at …".
    pub const fn words(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Written => "written",
            Self::Opened => "opened for writing",
            Self::AccessorOpened => "accessor opened",
            Self::HandleOpened => "accessor or stream opened",
            Self::Allocated => "allocated",
            Self::Freed => "given back",
            Self::Taken => "destination taken",
            Self::Started => "copy begun",
            Self::Awaited => "waited",
            Self::StreamOpened => "stream opened",
            Self::Translated => "translated",
            Self::StackAsked => "stack asked for",
            Self::Remapped => "window mapped elsewhere",
        }
    }
}

/// A line of source and what it did. See [`Fault::lines`](crate::Fault::lines).
///
/// ```
/// # use neuron_device::prelude::*;
/// # use neuron_host_sim::{HostTensor, Part, Simulator, args};
/// #[custom_op]
/// fn first(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
///     out.elements_mut::<f32>(q7)?.set(0, x.elements::<f32>(q7)?.get(0));
///     Ok(())
/// }
/// // Every core writes element 0:
/// let x = HostTensor::from_slice(&[1], &[1.0f32])?;
/// let report = Simulator::new()?.launch(op!(first), &args![&x])?;
/// let line = report.faults()[0].lines[0];
/// assert_eq!((line.part, line.site.file()), (Part::Written, file!()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Line {
    /// What it did.
    pub part: Part,
    /// Where it is.
    pub site: Site,
}

impl Line {
    pub(crate) const fn new(part: Part, site: Site) -> Self {
        Self { part, site }
    }
}
