//! From a kernel's result to the launch's output, and the clean-up after it.

use core::ops::Range;

use super::arguments::Arguments;
use crate::access::tensor::{Role, Tensor};
use crate::core::handover::Handover;
use crate::core::q7::Q7;
use crate::policy::heap::DEFAULT_ALIGN;
use crate::policy::partition::Span;
use crate::policy::runs::{MAX_RUNS, Runs};
use crate::port::fault::{Access, Fault};
use crate::port::observe::Returned;
use crate::words::dtype::Dtype;
use crate::words::element::Element;
use crate::words::error::{ErrorKind, Result, Site, Sizes};

/// What a kernel with a destination returns: `Result<()>` (sealed).
#[diagnostic::on_unimplemented(
    message = "a custom op with a destination returns `Result<()>`, not `{Self}`",
    label = "must be `Result<()>`",
    note = "the op writes its result through `&mut Tensor`; to return a tensor instead, remove that parameter"
)]
pub trait InPlaceResult: sealed::Sealed {
    /// The result, by its plain type.
    ///
    /// # Errors
    /// The kernel's own.
    fn into_result(self) -> Result<()>;
}

/// What a kernel without a destination returns: `Result<Tensor>` (sealed).
#[diagnostic::on_unimplemented(
    message = "a custom op without a destination returns `Result<Tensor>`, not `{Self}`",
    label = "must be `Result<Tensor>`",
    note = "or add a parameter `out: &mut Tensor` and return `Result<()>`"
)]
pub trait ReturningResult: sealed::Sealed {
    /// The result, by its plain type.
    ///
    /// # Errors
    /// The kernel's own.
    fn into_result(self) -> Result<Tensor>;
}

mod sealed {
    pub trait Sealed {}
}

impl sealed::Sealed for Result<()> {}
#[diagnostic::do_not_recommend]
impl InPlaceResult for Result<()> {
    fn into_result(self) -> Self {
        self
    }
}

impl sealed::Sealed for Result<Tensor> {}
#[diagnostic::do_not_recommend]
impl ReturningResult for Result<Tensor> {
    fn into_result(self) -> Self {
        self
    }
}

/// End an op that wrote to its destination.
///
/// # Errors
/// The kernel's own.
pub fn finish_in_place<R: InPlaceResult>(arguments: Arguments<'_>, result: R) -> Result<()> {
    let result = result.into_result();
    clean_up(arguments.q7());
    result
}

/// End an op that returns a tensor: unless it had taken the destination, check the tensor against the output, and copy back
/// exactly what this core wrote.
///
/// # Errors
/// The kernel's own; a tensor of another dtype or other sizes than the output, or one not made by this core.
#[track_caller]
pub fn finish_returning<R: ReturningResult>(arguments: Arguments<'_>, result: R) -> Result<()> {
    // Not `and_then`: a closure would hide the caller's line.
    let result = match result.into_result() {
        Ok(tensor) => give_back(arguments.q7(), &tensor),
        Err(error) => Err(error),
    };
    clean_up(arguments.q7());
    result
}

/// The vendor's `customop_cleanup`: everything printed and written is visible before the core says it is done.
fn clean_up(q7: &Q7) {
    q7.flush_console();
    q7.platform(|platform| platform.fence());
}

/// The vendor's `customop_return_tensor`: after `get_dst_tensor()` nothing is copied, and a tensor that is not the
/// destination is ignored.
#[track_caller]
fn give_back(q7: &Q7, tensor: &Tensor) -> Result<()> {
    if let Handover::Taken(_, taken) = q7.handover() {
        if tensor.role() != Role::Destination {
            let (argument, storage) = (tensor.name(), tensor.storage());
            q7.observer(|observer| observer.returned(&Returned::Ignored { argument, storage, taken }));
        }
        return Ok(());
    }
    let output = q7.output("result")?;
    if tensor.dtype() != output.dtype() {
        let (wanted, found) = (output.dtype(), tensor.dtype());
        return Err(tensor.error(ErrorKind::ReturnedDtype { wanted, found }));
    }
    if tensor.sizes() != output.sizes() {
        let (wanted, found) = (Sizes::new(output.sizes()), Sizes::new(tensor.sizes()));
        return Err(tensor.error(ErrorKind::ReturnedSizes { wanted, found }));
    }
    if tensor.role() != Role::Scratch {
        return Err(tensor.error(ErrorKind::NotScratch));
    }
    match tensor.dtype() {
        Dtype::I8 => copy_written::<i8>(q7, tensor, output),
        Dtype::U8 => copy_written::<u8>(q7, tensor, output),
        Dtype::I16 => copy_written::<i16>(q7, tensor, output),
        Dtype::BF16 => copy_written::<half::bf16>(q7, tensor, output),
        Dtype::F16 => copy_written::<half::f16>(q7, tensor, output),
        Dtype::I32 => copy_written::<i32>(q7, tensor, output),
        Dtype::F32 => copy_written::<f32>(q7, tensor, output),
        Dtype::I64 => copy_written::<i64>(q7, tensor, output),
    }
}

/// Copy the elements of `tensor` this core wrote to `output`, on behalf of the line that wrote them.
#[track_caller]
fn copy_written<T: Element>(q7: &Q7, tensor: &Tensor, mut output: Tensor) -> Result<()> {
    q7.flush(Access::Write);
    tensor.expect_access::<T>(q7, Access::Read)?;
    let Some(written) = q7.scratch.borrow_mut().block_at(tensor.storage()).map(|block| block.written.clone())
    else {
        return Err(tensor.error(ErrorKind::NotScratch));
    };
    if let Some(site) = written.overflow {
        q7.fault(&Fault::TooManyRuns { argument: output.name(), limit: MAX_RUNS, site });
    }
    q7.hand_over(Handover::Copied);
    let (storage, site) = (output.storage(), written.site);
    q7.observer(|observer| observer.returned(&Returned::Copied { output: storage, site }));
    if written.runs.as_slice().is_empty() {
        return Ok(());
    }
    if tensor.is_contiguous() && output.is_contiguous() {
        let parts = Parts { runs: &written.runs, offset: tensor.layout().offset(), numel: tensor.numel() };
        if copy_staged::<T>(q7, tensor, &output, &parts, site) {
            return Ok(());
        }
    }
    q7.staging.count(|counters| counters.unstaged_returns += 1);
    // The device copies by DMA, which fences (`docs/machine.md`, section 7).
    q7.platform(|platform| platform.fence());
    let from = tensor.elements::<T>(q7)?;
    let to = output.elements_mut_from::<T>(q7, site)?;
    let byte = |index| tensor.layout().offset_of_flat(index) * T::DTYPE.size();
    (0..tensor.numel())
        .filter(|&index| written.runs.contains(byte(index)))
        .for_each(|index| to.set_from(index, from.get_from(index, site), site));
    Ok(())
}

/// What a core wrote of a contiguous tensor, in elements of it.
struct Parts<'a> {
    runs: &'a Runs,
    /// Elements of storage before the first.
    offset: u64,
    numel: u64,
}

impl Parts<'_> {
    fn iter(&self, bytes: u64) -> impl Iterator<Item = Range<u64>> + '_ {
        let element = move |byte: u64| (byte / bytes).saturating_sub(self.offset).min(self.numel);
        self.runs.as_slice().iter().map(move |run| element(run.start)..element(run.end))
    }
}

/// Copy these elements by way of TCM: through one buffer, as large as the largest free block has room for and the longest
/// part needs (`docs/machine.md`, section 9). Was there room for an element at least?
fn copy_staged<T: Element>(q7: &Q7, tensor: &Tensor, output: &Tensor, parts: &Parts<'_>, site: Site) -> bool {
    let bytes = T::DTYPE.size();
    let longest = parts.iter(bytes).map(|part| part.end - part.start).max().unwrap_or(0);
    if longest == 0 {
        return true;
    }
    let largest_free = q7.staging.tcm.borrow().largest_free(DEFAULT_ALIGN);
    let len = longest.min(largest_free / bytes);
    let Ok(bounce) = q7.tcm_allocate(len * bytes, None, site) else { return false };
    for part in parts.iter(bytes) {
        let mut offset = part.start;
        while offset < part.end {
            // A TCM has at most 64 KiB.
            let tile = (part.end - offset).min(len) as u32;
            tensor.copy_in(q7, Span { offset, len: tile }, bounce, site);
            output.copy_out(q7, offset, tile.into(), bounce, site);
            offset += u64::from(tile);
        }
    }
    // The block is what was just allocated.
    let _ = q7.tcm_free(bounce, None);
    true
}

#[cfg(test)]
mod tests;
