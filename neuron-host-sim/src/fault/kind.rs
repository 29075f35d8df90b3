//! What can be wrong, and how bad it is.

/// What kind of fault it is. `docs/faults.md` has a section on each: what the device would do, and how to mend it.
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
/// let kinds: Vec<_> = report.faults().iter().map(|fault| fault.kind()).collect();
/// assert_eq!(kinds, [FaultKind::Bounds, FaultKind::Coverage]);
/// assert_eq!(kinds[0].name(), "bounds");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum FaultKind {
    /// An access outside its tensor.
    Bounds,
    /// An access or a translation where there is no memory.
    Memory,
    /// An access at an address that is no multiple of the element's size.
    Misaligned,
    /// A local address used when its translation is over.
    Stale,
    /// A write to an argument that is not the output.
    InputWritten,
    /// An argument whose record is not of the type the kernel takes.
    Argument,
    /// A result that does not get to the output, or not all of it.
    Return,
    /// Memory that two cores touched, at least one of them writing: nothing orders the cores of a launch.
    Race,
    /// A read of memory that nobody had written.
    Uninitialised,
    /// Elements of the output that were never written.
    Coverage,
    /// Something given back to a heap that is none of its blocks.
    Free,
    /// A block that was never given back.
    Leak,
    /// A copy that was not waited for, or whose memory was touched before it was.
    Transfer,
    /// A stream read or written where it has no element, or never closed.
    Stream,
    /// Two ways to one storage that do not get along: a stream keeps elements that the other does not see.
    Coherency,
    /// A kernel that needs more stack than it has.
    Stack,
    /// A core that goes round in a circle.
    Progress,
    /// A result that depends on what it must not: the order of the cores, or what memory held before.
    Mood,
    /// Something that the [`Documented`](crate::Profile::Documented) profile does not allow, in a simulator of that profile.
    Profile,
}

impl FaultKind {
    /// Every kind there is.
    pub const ALL: [Self; 19] = [
        Self::Bounds,
        Self::Memory,
        Self::Misaligned,
        Self::Stale,
        Self::InputWritten,
        Self::Argument,
        Self::Return,
        Self::Race,
        Self::Uninitialised,
        Self::Coverage,
        Self::Free,
        Self::Leak,
        Self::Transfer,
        Self::Stream,
        Self::Coherency,
        Self::Stack,
        Self::Progress,
        Self::Mood,
        Self::Profile,
    ];

    /// Its name in JSON, and in `docs/faults.md`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bounds => "bounds",
            Self::Memory => "memory",
            Self::Misaligned => "misaligned",
            Self::Stale => "stale",
            Self::InputWritten => "input_written",
            Self::Argument => "argument",
            Self::Return => "return",
            Self::Race => "race",
            Self::Uninitialised => "uninitialised",
            Self::Coverage => "coverage",
            Self::Free => "free",
            Self::Leak => "leak",
            Self::Transfer => "transfer",
            Self::Stream => "stream",
            Self::Coherency => "coherency",
            Self::Stack => "stack",
            Self::Progress => "progress",
            Self::Mood => "mood",
            Self::Profile => "profile",
        }
    }
}

/// What exactly was found. `docs/faults.md` says what each is on the chip.
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
    /// The index leads beyond the tensor's last element, to where no other tensor of the launch is.
    PastTheEnd,
    /// The index is beyond a dimension, but leads to another element of the tensor, or between two.
    PastADimension,
    /// The access is outside its tensor, in another one of the launch.
    InAnotherTensor,
    /// The address is before the tensor's first element, where no other tensor of the launch is.
    BeforeTheStart,
    /// The address is between the tensor's elements, at none of them.
    InAGap,
    /// The address is that of an element, and the access is wider or narrower than it.
    OtherWidth,
    /// The address was derived from no tensor, and is in none of the launch.
    InNoTensor,
    /// The address is in a block that was given back.
    UsedAfterFree,
    /// The access, or the copy, goes past the end of its block of TCM.
    TcmOverrun,
    /// The local address is in TCM, but in no block of it.
    InNoBlock,
    /// The local address is in dataram, but not in the part of it that is the kernel's, or not all of the copy is.
    OutsideTcm,
    /// The local side of a copy is not in dataram, which is all of the core that copies reach.
    NotInDataram,
    /// There is no memory at the address.
    NoMemory,
    /// The pointer is null.
    NullPointer,
    /// No window of the core shows HBM at the local address.
    NoWindow,
    /// The address is no multiple of the element's size.
    Misaligned,
    /// What if DMA engines moved whole granules: the ends of the copy are at different places of one.
    TransferMisaligned,
    /// What if DMA engines moved whole granules: the copy wrote more of HBM than it was to, up to the end of one.
    TransferSpilled,
    /// Another address was translated since. The window still shows the same, but the device's library does not promise it.
    UsedAfterTranslation,
    /// The window shows another part of HBM since.
    UsedAfterRemap,
    /// An argument of the launch was written, and is not its output.
    InputWritten,
    /// A plain value whose record says another dtype than the kernel takes; the kernel got the bytes there as they are.
    OtherValue,
    /// A returned tensor was written in more separate pieces than the 8 a core remembers.
    TooManyRuns,
    /// The kernel returned a tensor after it had taken the destination, which is another one.
    ReturnIgnored,
    /// The op neither returned a tensor nor took the destination.
    OutputUndefined,
    /// Two or more cores wrote the element.
    WrittenBySeveralCores,
    /// One core wrote the element and another read it.
    WrittenAndRead,
    /// A core read the element, and neither the host nor, before, this core had written it.
    NeverInitialised,
    /// No core wrote the element.
    NeverWritten,
    /// A block was given back that had been given back.
    FreedTwice,
    /// Something was given back that is no block: an address inside one, a tensor's, or one where nothing is.
    FreedNoBlock,
    /// A block was not given back before the op ended.
    NeverFreed,
    /// The op ended before the copy was waited for.
    NeverAwaited,
    /// Memory of a copy that is under way was touched.
    TouchedInFlight,
    /// A block was given back while a copy to it or from it was under way.
    FreedInFlight,
    /// A wait for a copy that was never begun.
    NoSuchCopy,
    /// A stream was read or written past its end.
    PastTheStream,
    /// A stream was read or written after it was closed.
    AfterClose,
    /// A stream was neither closed nor dropped before the op ended.
    NeverClosed,
    /// An element was accessed by another way while a stream was open on the same storage that it must not meet.
    Incoherent,
    /// An accessor or a stream was opened while a stream was open on the same storage that it must not meet, and the kernel
    /// had asked to be warned of that instead of being refused.
    OpenedBeside,
    /// What if a copy could be done before its bytes are to be seen: an element was accessed before they were.
    NotYetVisible,
    /// What if TCM had a cache: the copy took what lies beneath it, without what the core wrote.
    BehindTheCache,
    /// What if TCM had a cache: the copy made a line of it invalid in which the core had written something beside it.
    DroppedWithALine,
    /// What if cores wrote back whole lines: what one core wrote is lost, as another wrote to the same line.
    LostInALine,
    /// The kernel needed more stack than there was.
    StackOverflow,
    /// The core went on accessing what it had accessed before, as one does that waits for another core.
    NoProgress,
    /// Two moods gave different results.
    MoodsDiffer,
    /// A [rule](crate::Rule) of the profile that the simulator has was broken.
    NotDocumented,
}

impl Verdict {
    /// Every verdict there is.
    pub const ALL: [Self; 49] = [
        Self::PastTheEnd,
        Self::PastADimension,
        Self::InAnotherTensor,
        Self::BeforeTheStart,
        Self::InAGap,
        Self::OtherWidth,
        Self::InNoTensor,
        Self::UsedAfterFree,
        Self::TcmOverrun,
        Self::InNoBlock,
        Self::OutsideTcm,
        Self::NotInDataram,
        Self::NoMemory,
        Self::NullPointer,
        Self::NoWindow,
        Self::Misaligned,
        Self::TransferMisaligned,
        Self::TransferSpilled,
        Self::UsedAfterTranslation,
        Self::UsedAfterRemap,
        Self::InputWritten,
        Self::OtherValue,
        Self::TooManyRuns,
        Self::ReturnIgnored,
        Self::OutputUndefined,
        Self::WrittenBySeveralCores,
        Self::WrittenAndRead,
        Self::NeverInitialised,
        Self::NeverWritten,
        Self::FreedTwice,
        Self::FreedNoBlock,
        Self::NeverFreed,
        Self::NeverAwaited,
        Self::TouchedInFlight,
        Self::FreedInFlight,
        Self::NoSuchCopy,
        Self::PastTheStream,
        Self::AfterClose,
        Self::NeverClosed,
        Self::Incoherent,
        Self::OpenedBeside,
        Self::NotYetVisible,
        Self::BehindTheCache,
        Self::DroppedWithALine,
        Self::LostInALine,
        Self::StackOverflow,
        Self::NoProgress,
        Self::MoodsDiffer,
        Self::NotDocumented,
    ];

    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::PastTheEnd => "past_the_end",
            Self::PastADimension => "past_a_dimension",
            Self::InAnotherTensor => "in_another_tensor",
            Self::BeforeTheStart => "before_the_start",
            Self::InAGap => "in_a_gap",
            Self::OtherWidth => "other_width",
            Self::InNoTensor => "in_no_tensor",
            Self::UsedAfterFree => "used_after_free",
            Self::TcmOverrun => "tcm_overrun",
            Self::InNoBlock => "in_no_block",
            Self::OutsideTcm => "outside_tcm",
            Self::NotInDataram => "not_in_dataram",
            Self::NoMemory => "no_memory",
            Self::NullPointer => "null_pointer",
            Self::NoWindow => "no_window",
            Self::Misaligned => "misaligned",
            Self::TransferMisaligned => "transfer_misaligned",
            Self::TransferSpilled => "transfer_spilled",
            Self::UsedAfterTranslation => "used_after_translation",
            Self::UsedAfterRemap => "used_after_remap",
            Self::InputWritten => "input_written",
            Self::OtherValue => "other_value",
            Self::TooManyRuns => "too_many_runs",
            Self::ReturnIgnored => "return_ignored",
            Self::OutputUndefined => "output_undefined",
            Self::WrittenBySeveralCores => "written_by_several_cores",
            Self::WrittenAndRead => "written_and_read",
            Self::NeverInitialised => "never_initialised",
            Self::NeverWritten => "never_written",
            Self::FreedTwice => "freed_twice",
            Self::FreedNoBlock => "freed_no_block",
            Self::NeverFreed => "never_freed",
            Self::NeverAwaited => "never_awaited",
            Self::TouchedInFlight => "touched_in_flight",
            Self::FreedInFlight => "freed_in_flight",
            Self::NoSuchCopy => "no_such_copy",
            Self::PastTheStream => "past_the_stream",
            Self::AfterClose => "after_close",
            Self::NeverClosed => "never_closed",
            Self::Incoherent => "incoherent",
            Self::OpenedBeside => "opened_beside",
            Self::NotYetVisible => "not_yet_visible",
            Self::BehindTheCache => "behind_the_cache",
            Self::DroppedWithALine => "dropped_with_a_line",
            Self::LostInALine => "lost_in_a_line",
            Self::StackOverflow => "stack_overflow",
            Self::NoProgress => "no_progress",
            Self::MoodsDiffer => "moods_differ",
            Self::NotDocumented => "not_documented",
        }
    }

    /// The kind it is of.
    pub const fn kind(self) -> FaultKind {
        match self {
            Self::PastTheEnd
            | Self::PastADimension
            | Self::InAnotherTensor
            | Self::BeforeTheStart
            | Self::InAGap
            | Self::OtherWidth
            | Self::InNoTensor
            | Self::UsedAfterFree
            | Self::TcmOverrun
            | Self::InNoBlock
            | Self::OutsideTcm
            | Self::TransferSpilled => FaultKind::Bounds,
            Self::NotInDataram | Self::NoMemory | Self::NullPointer | Self::NoWindow => FaultKind::Memory,
            Self::Misaligned | Self::TransferMisaligned => FaultKind::Misaligned,
            Self::UsedAfterTranslation | Self::UsedAfterRemap => FaultKind::Stale,
            Self::InputWritten => FaultKind::InputWritten,
            Self::OtherValue => FaultKind::Argument,
            Self::TooManyRuns | Self::ReturnIgnored | Self::OutputUndefined => FaultKind::Return,
            Self::WrittenBySeveralCores | Self::WrittenAndRead | Self::LostInALine => FaultKind::Race,
            Self::NeverInitialised => FaultKind::Uninitialised,
            Self::NeverWritten => FaultKind::Coverage,
            Self::FreedTwice | Self::FreedNoBlock => FaultKind::Free,
            Self::NeverFreed => FaultKind::Leak,
            Self::NeverAwaited
            | Self::TouchedInFlight
            | Self::FreedInFlight
            | Self::NoSuchCopy
            | Self::NotYetVisible => FaultKind::Transfer,
            Self::PastTheStream | Self::AfterClose | Self::NeverClosed => FaultKind::Stream,
            Self::Incoherent | Self::OpenedBeside | Self::BehindTheCache | Self::DroppedWithALine => {
                FaultKind::Coherency
            }
            Self::StackOverflow => FaultKind::Stack,
            Self::NoProgress => FaultKind::Progress,
            Self::MoodsDiffer => FaultKind::Mood,
            Self::NotDocumented => FaultKind::Profile,
        }
    }
}

/// How bad a fault is.
///
/// ```
/// use neuron_host_sim::Severity;
/// assert!(Severity::Warning < Severity::Error);
/// assert_eq!(Severity::Error.name(), "error");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The result is right all the same, on this machine and this time.
    Warning,
    /// The result is wrong, or is right by luck.
    Error,
}

impl Severity {
    /// Its name in JSON and in text.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}
