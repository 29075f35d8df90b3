//! Running a case: its cores one after the other, over one flat memory.

#[cfg(all(test, not(target_os = "none")))]
mod tests;

use core::fmt;
use core::ops::Range;

use neuron_device::{CoreImage, FlatPlatform, Library, NxAddr, Op, Result, Tcm, WrongImage};

use crate::case::{Case, CaseError, Sink};
use crate::kernels::libraries;
use crate::reply::{put_answer, put_core, put_head, put_refusal};
use crate::runtime::Runtime;
use crate::watched::Watched;

/// Bytes of the memory: a MiB, then three whole windows, then a MiB again, so that there are four edges to straddle
/// and more windows than a core has registers. What no case touches takes no room.
pub const MEMORY_BYTES: u64 = 50 << 20;

/// The longest case.
pub const MAX_CASE_BYTES: usize = 1 << 20;

/// What scratch holds before a launch, as uninitialised memory of a machine would: not the zeros a kernel hopes for.
const STALE: u8 = 0xA5;

/// Why a case was not run.
#[derive(Debug)]
pub(crate) enum Refusal<'a> {
    Case(CaseError),
    Library(&'a str),
    Op(&'static Library, &'a str),
    /// A core would run another one's code.
    Image(WrongImage),
    /// Part of it lies outside the memory.
    Memory(&'static str),
}

impl fmt::Display for Refusal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Case(error) => error.fmt(f),
            Self::Library(name) => write!(f, "no library {name}: host and image are of different builds"),
            Self::Op(library, name) => write!(f, "no op {name} in library {}", library.name()),
            Self::Image(error) => error.fmt(f),
            Self::Memory(what) => write!(f, "the case's {what} lies outside the memory"),
        }
    }
}

/// Run the case these bytes are over `memory`, which is zero, and send the reply. The memory is zero again then.
///
/// # Panics
/// If the kernel does, or has a fault.
pub fn play(bytes: &[u8], memory: &mut [u64], to: &mut impl Sink, runtime: &mut impl Runtime) {
    match booted(bytes, memory, runtime) {
        Ok(case) => {
            put_head(to, case.cores);
            // What one core leaves there the next one finds, as on a machine.
            let mut tcm = Tcm::new();
            for core in 0..case.cores {
                let mut platform = Watched::new(platform(&case, core, memory, &mut tcm), case.observed);
                let result = runtime.launch(&mut platform);
                put_core(to, &result, platform.watch());
            }
            let bytes: &mut [u8] = bytemuck::cast_slice_mut(memory);
            put_answer(to, &bytes[within(&case.answer)]);
            touched(&case).for_each(|range| bytes[within(&range)].fill(0));
        }
        Err(refusal) => put_refusal(to, &refusal),
    }
}

/// Boot every core of the case, after all else about it is checked and the memory is filled.
fn booted<'a>(
    bytes: &'a [u8],
    memory: &mut [u64],
    runtime: &mut impl Runtime,
) -> Result<Case<'a>, Refusal<'a>> {
    let (case, _) = prepare(bytes, memory)?;
    // One program plays all cores, so that the case says where a linker would have put the code of each.
    let image = |core| CoreImage::at(NxAddr::new(case.first_image.wrapping_add(core * CoreImage::BYTES)));
    let identity = (0..case.cores).try_for_each(|core| image(core).expect_core(core));
    let library = library(&case)?;
    let refusal = match identity {
        Err(error) => Refusal::Image(error),
        Ok(()) if !runtime.boot(library, case.op) => Refusal::Op(library, case.op),
        Ok(()) => return Ok(case),
    };
    let bytes: &mut [u8] = bytemuck::cast_slice_mut(memory);
    touched(&case).for_each(|range| bytes[within(&range)].fill(0));
    Err(refusal)
}

fn library<'a>(case: &Case<'a>) -> Result<&'static Library, Refusal<'a>> {
    libraries().find(|library| library.name() == case.library).ok_or(Refusal::Library(case.library))
}

/// Check everything about the case but what its kernel has to check, and fill the memory.
pub(crate) fn prepare<'a>(
    bytes: &'a [u8],
    memory: &mut [u64],
) -> Result<(Case<'a>, &'static Op), Refusal<'a>> {
    let case = Case::decode(bytes).map_err(Refusal::Case)?;
    let library = library(&case)?;
    let op = library.op(case.op).ok_or(Refusal::Op(library, case.op))?;
    let memory: &mut [u8] = bytemuck::cast_slice_mut(memory);
    let fits = |range: &Range<u64>| range.start <= range.end && range.end <= memory.len() as u64;
    if !touched(&case).all(|range| fits(&range)) {
        return Err(Refusal::Memory("scratch or one of its pieces"));
    }
    if !fits(&case.answer) {
        return Err(Refusal::Memory("answer"));
    }
    memory[within(&scratch(&case))].fill(STALE);
    case.pieces
        .iter()
        .for_each(|piece| memory[piece.offset as usize..][..piece.bytes.len()].copy_from_slice(piece.bytes));
    Ok((case, op))
}

/// Core `core` of the launch.
pub(crate) fn platform<'m>(
    case: &Case<'_>,
    core: u32,
    memory: &'m mut [u64],
    tcm: &'m mut Tcm,
) -> FlatPlatform<'m> {
    let start = case.scratch_start + u64::from(core) * case.scratch_each;
    let platform = FlatPlatform::new(core, case.cores, memory)
        .in_launch(case.stamp)
        .with_scratch(start, start + case.scratch_each)
        .with_tcm(tcm)
        .with_destination(case.destination);
    case.arguments.iter().fold(platform, |platform, &argument| platform.with_argument(argument))
}

/// The scratch of all cores; a range that runs backwards if it ends beyond 64 bits.
fn scratch(case: &Case<'_>) -> Range<u64> {
    let bytes = case.scratch_each.saturating_mul(u64::from(case.cores));
    case.scratch_start..case.scratch_start.checked_add(bytes).unwrap_or(0)
}

/// Every range the case fills or its kernel may write.
pub(crate) fn touched<'a>(case: &'a Case<'_>) -> impl Iterator<Item = Range<u64>> + 'a {
    let pieces = case.pieces.iter().map(|piece| {
        let end = piece.offset.checked_add(piece.bytes.len() as u64);
        piece.offset..end.unwrap_or(0)
    });
    core::iter::once(scratch(case)).chain(pieces)
}

/// A range that was found to lie inside the memory.
pub(crate) const fn within(range: &Range<u64>) -> Range<usize> {
    range.start as usize..range.end as usize
}
