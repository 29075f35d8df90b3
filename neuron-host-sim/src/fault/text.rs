//! A fault as text for people.

use std::fmt;

use neuron_device::{Access, StackKind};

use super::{Copied, CoreValue, Fault, Severity, Verdict};
use crate::profile::Rule;

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (count, argument) = (self.count, self.argument);
        let elements = if count == 1 { "element" } else { "elements" };
        let done = if self.access == Access::Write { "written" } else { "read" };
        let of = if argument.is_empty() { String::new() } else { format!(" of `{argument}`") };
        if self.severity == Severity::Warning {
            write!(f, "warning: ")?;
        }
        match self.verdict {
            Verdict::PastTheEnd => write!(f, "{count} {elements} {done} past the end of `{argument}`")?,
            Verdict::InAnotherTensor => {
                write!(f, "{count} {elements} {done} outside `{argument}`, in another tensor")?;
            }
            Verdict::PastADimension => {
                write!(f, "{count} {elements} {done} past a dimension of `{argument}`, still inside it")?;
            }
            Verdict::BeforeTheStart => {
                write!(f, "{count} {elements} {done} before the start of `{argument}`")?;
            }
            Verdict::InAGap => write!(f, "{count} {elements} {done} in a gap between those of `{argument}`")?,
            Verdict::OtherWidth => {
                let size = self.tensor.as_ref().map_or(0, |tensor| tensor.dtype.size());
                let width = self.width.unwrap_or(size);
                write!(
                    f,
                    "{count} {elements} of `{argument}` {done} as {width} bytes each, where one has {size}"
                )?;
            }
            Verdict::InNoTensor => write!(f, "{count} {elements} {done} in no tensor of the launch")?,
            Verdict::UsedAfterFree if self.local.is_some() && self.tensor.is_none() => {
                write!(f, "a block of TCM {done} after it was given back, {}", times(count))?;
            }
            Verdict::UsedAfterFree => {
                write!(f, "{count} {elements} of `{argument}` {done} after it was given back")?;
            }
            Verdict::FreedTwice => {
                write!(f, "{count} times given back what had been given back, of `{argument}`")?
            }
            Verdict::FreedNoBlock if argument.is_empty() => {
                write!(f, "{count} times given back as a block what is in none")?;
            }
            Verdict::FreedNoBlock => {
                write!(f, "{count} times given back as a block what is in `{argument}`, and begins none")?;
            }
            Verdict::NeverFreed => {
                let s = if count == 1 { "" } else { "s" };
                write!(f, "{count} block{s} of `{argument}` never given back")?;
            }
            Verdict::TcmOverrun => write!(f, "{done} past the end of a block of TCM, {}", times(count))?,
            Verdict::InNoBlock => write!(f, "{done} in TCM where no block is, {}", times(count))?,
            Verdict::OutsideTcm => write!(f, "{done} in dataram outside the kernel's TCM, {}", times(count))?,
            Verdict::NotInDataram => {
                write!(f, "copied where the local side is not in dataram, {}", times(count))?;
            }
            Verdict::NeverAwaited => {
                let copies = if count == 1 { "copy" } else { "copies" };
                write!(f, "the op ended with {count} pending {copies}{of}")?;
            }
            Verdict::TouchedInFlight if self.local.is_some() => {
                write!(f, "TCM {done} while a copy there was under way, {}", times(count))?;
            }
            Verdict::TouchedInFlight => {
                write!(f, "{count} {elements}{of} {done} while a copy there was under way")?;
            }
            Verdict::FreedInFlight => {
                write!(f, "a block{of} given back while a copy there was under way, {}", times(count))?;
            }
            Verdict::NoSuchCopy => write!(f, "waited for a copy that was never begun, {}", times(count))?,
            Verdict::PastTheStream => write!(f, "{count} {elements} {done} past the end of a stream{of}")?,
            Verdict::AfterClose => write!(f, "{count} {elements} {done} after a stream{of} was closed")?,
            Verdict::NeverClosed => {
                let streams = if count == 1 { "stream" } else { "streams" };
                write!(f, "{count} {streams}{of} never closed")?;
            }
            Verdict::Incoherent => {
                write!(f, "{count} {elements}{of} {done} while a stream was open on the same storage")?;
            }
            Verdict::OpenedBeside => {
                write!(
                    f,
                    "`{argument}` opened while a stream was open on the same storage, {}",
                    times(count)
                )?;
            }
            Verdict::NotYetVisible => {
                write!(f, "{count} {elements}{of} {done} where a copy is done and not to be seen yet")?;
            }
            Verdict::BehindTheCache => {
                write!(
                    f,
                    "copied from TCM without what the core wrote, which is in its cache, {}",
                    times(count)
                )?;
            }
            Verdict::DroppedWithALine => {
                write!(
                    f,
                    "copied to a part of a line of TCM's cache, whose rest the core wrote, {}",
                    times(count)
                )?;
            }
            Verdict::LostInALine => {
                write!(f, "{count} {elements} of `{argument}` lost where cores write back whole lines")?;
            }
            Verdict::NoMemory => write!(f, "translated to where there is no memory, {}", times(count))?,
            Verdict::NullPointer => write!(f, "{count} {elements} {done} through the null pointer")?,
            Verdict::NoWindow => {
                write!(f, "{count} {elements} {done} at a local address that shows no HBM")?;
            }
            Verdict::Misaligned => {
                write!(f, "{count} {elements}{of} {done} at an address that is not aligned to them")?
            }
            Verdict::TransferMisaligned => {
                let places = "with its ends at different places of a granule";
                write!(f, "copied {places}, {}", times(count))?;
            }
            Verdict::TransferSpilled => {
                write!(f, "more written{of} than was copied, up to the end of a granule, {}", times(count))?;
            }
            Verdict::UsedAfterTranslation => {
                write!(
                    f,
                    "{count} {elements}{of} {done} by a local address older than the last translation"
                )?;
            }
            Verdict::UsedAfterRemap => {
                write!(
                    f,
                    "{count} {elements}{of} {done} by a local address whose window was mapped elsewhere"
                )?;
            }
            Verdict::InputWritten => write!(f, "{count} {elements} of the input `{argument}` written")?,
            Verdict::OtherValue => {
                write!(f, "`{argument}` was passed as another type than the kernel takes, {}", times(count))?;
            }
            Verdict::TooManyRuns => {
                write!(f, "`{argument}` was written in too many pieces to be copied back")?;
            }
            Verdict::ReturnIgnored => {
                write!(
                    f,
                    "returned tensor ignored: `{argument}` is not the destination the kernel had taken"
                )?;
            }
            Verdict::OutputUndefined => {
                write!(
                    f,
                    "`{argument}` is undefined: the op neither took the destination nor returned a tensor"
                )?;
            }
            Verdict::WrittenBySeveralCores => {
                write!(f, "{count} {elements} of `{argument}` written by several cores")?;
            }
            Verdict::WrittenAndRead => {
                write!(f, "{count} {elements} of `{argument}` written by one core and read by another")?;
            }
            Verdict::NeverInitialised if self.local.is_some() => {
                write!(f, "TCM read before anything was written there, {}", times(count))?;
            }
            Verdict::NeverInitialised => {
                write!(f, "{count} {elements} of `{argument}` read before anything was written there")?;
            }
            Verdict::NeverWritten => write!(f, "{count} {elements} of `{argument}` never written")?,
            Verdict::StackOverflow => {
                let (limit, used) = self.stack.map_or((0, 0), |stack| (stack.limit, stack.used));
                let stack = match self.stack.map(|stack| stack.kind) {
                    Some(StackKind::Hbm) => "the stack in HBM",
                    _ => "the core's own stack",
                };
                write!(f, "{stack} overflowed: it has {limit} bytes")?;
                // How far down it was written before depends on the build.
                if f.alternate() {
                    write!(f, ", and was written {used} bytes down before")?;
                }
            }
            Verdict::NoProgress => {
                write!(f, "{count} accesses in a row to what was accessed before, the last to `{argument}`")?;
            }
            Verdict::MoodsDiffer => write!(f, "{count} {elements} of `{argument}` depend on the mood")?,
            Verdict::NotDocumented => {
                write!(f, "{}: `{argument}`, {}", self.rule.map_or("", Rule::topic), times(count))?;
            }
        }
        if let Some(tensor) = &self.tensor {
            let place = if tensor.in_sbuf { " in SBUF" } else { "" };
            write!(f, " ({} {:?}{place})", tensor.dtype, tensor.sizes)?;
        }
        writeln!(f)?;
        match &self.cores[..] {
            [] if !self.moods.is_empty() => writeln!(f, "   first: {}", self.first)?,
            cores if self.first.is_empty() => writeln!(f, "   on {}", cores_as_words(cores))?,
            cores => writeln!(f, "   first: {}, {}", self.first, cores_as_words(cores))?,
        }
        self.moods.iter().try_for_each(|of| writeln!(f, "   {}: {}", of.mood, of.value))?;
        if let Some(nearest) = &self.nearest {
            let (other, first, beyond) = (nearest.argument, &nearest.first, nearest.beyond.unsigned_abs());
            let side = if nearest.beyond < 0 { "before the start" } else { "past the end" };
            writeln!(f, "   there: `{other}` at {first}, {beyond} bytes {side} of `{argument}`")?;
        }
        if !self.values.is_empty() {
            let value = |of: &CoreValue| format!("{} by core {}", of.value, of.core);
            writeln!(f, "   values: {}", self.values.iter().map(value).collect::<Vec<_>>().join(", "))?;
        }
        for line in &self.lines {
            let site = line.site;
            writeln!(f, "   {} at {}:{}:{}", line.part.words(), site.file(), site.line(), site.column())?;
        }
        if let Some(Copied { argument, first, site }) = &self.copied {
            let (file, line, column) = (site.file(), site.line(), site.column());
            writeln!(f, "   these bits written next: to `{argument}` at {first}, at {file}:{line}:{column}")?;
        }
        if self.verdict == Verdict::NeverWritten && self.lines.is_empty() {
            writeln!(f, "   no core opened `{argument}` for writing")?;
        }
        if let Some(rule) = self.rule.filter(|_| self.is_of_profile()) {
            let (name, documented) = (rule.name(), rule.documented());
            writeln!(f, "   rule `{name}` of the Documented profile: {documented}")?;
        }
        writeln!(f, "   to do: {}", self.suggestion())
    }
}

/// `once`, `3 times`.
fn times(count: u64) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

/// `core 3`, `cores 0 to 7`, `cores 0, 2, 5`.
pub(crate) fn cores_as_words(cores: &[u32]) -> String {
    match cores {
        [] => "no core".to_owned(),
        [core] => format!("core {core}"),
        [first, .., last] if (last - first) as usize == cores.len() - 1 && cores.len() > 2 => {
            format!("cores {first} to {last}")
        }
        _ => format!("cores {}", cores.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")),
    }
}
