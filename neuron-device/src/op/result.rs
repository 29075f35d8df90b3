//! From a kernel's result to the launch's output, and the clean-up after it.

use super::arguments::Arguments;
use crate::access::tensor::{Role, Tensor};
use crate::core::q7::Q7;
use crate::policy::runs::MAX_RUNS;
use crate::port::fault::{Access, Fault};
use crate::words::dtype::Dtype;
use crate::words::element::Element;
use crate::words::error::{ErrorKind, Result, Sizes};

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

/// End an op that returns a tensor: check it against the output, and copy back exactly what this core wrote.
///
/// # Errors
/// The kernel's own; a tensor of another dtype or other sizes than the output, or one not made by this core.
#[track_caller]
pub fn finish_returning<R: ReturningResult>(arguments: Arguments<'_>, result: R) -> Result<()> {
    // Not `and_then`: a closure would hide the caller's line.
    let result = match result.into_result() {
        Ok(tensor) => give_back(&arguments, &tensor),
        Err(error) => Err(error),
    };
    clean_up(arguments.q7());
    result
}

/// The vendor's `customop_cleanup`: everything written is visible before the core says it is done.
fn clean_up(q7: &Q7) {
    q7.platform(|platform| platform.fence());
}

#[track_caller]
fn give_back(arguments: &Arguments<'_>, tensor: &Tensor) -> Result<()> {
    let mut output = arguments.destination("result")?;
    if tensor.dtype() != output.dtype() {
        return Err(output.error(ErrorKind::Dtype { wanted: output.dtype(), found: tensor.dtype() }));
    }
    if tensor.sizes() != output.sizes() {
        let (wanted, found) = (Sizes::new(output.sizes()), Sizes::new(tensor.sizes()));
        return Err(output.error(ErrorKind::Shape { wanted, found }));
    }
    if tensor.role() != Role::Scratch {
        return Err(tensor.error(ErrorKind::NotScratch));
    }
    let q7 = arguments.q7();
    match tensor.dtype() {
        Dtype::I8 => copy_written::<i8>(q7, tensor, &mut output),
        Dtype::U8 => copy_written::<u8>(q7, tensor, &mut output),
        Dtype::I16 => copy_written::<i16>(q7, tensor, &mut output),
        Dtype::BF16 => copy_written::<half::bf16>(q7, tensor, &mut output),
        Dtype::F16 => copy_written::<half::f16>(q7, tensor, &mut output),
        Dtype::I32 => copy_written::<i32>(q7, tensor, &mut output),
        Dtype::F32 => copy_written::<f32>(q7, tensor, &mut output),
        Dtype::I64 => copy_written::<i64>(q7, tensor, &mut output),
    }
}

/// Copy the elements of `tensor` this core wrote to `output`, on behalf of the line that wrote them.
#[track_caller]
fn copy_written<T: Element>(q7: &Q7, tensor: &Tensor, output: &mut Tensor) -> Result<()> {
    q7.flush(Access::Write);
    // The device copies by DMA, which fences (`docs/machine.md`, section 7).
    q7.platform(|platform| platform.fence());
    let Some(written) = q7.scratch.borrow_mut().block_at(tensor.storage()).map(|block| block.written.clone())
    else {
        return Err(tensor.error(ErrorKind::NotScratch));
    };
    if let Some(site) = written.overflow {
        q7.fault(&Fault::TooManyRuns { argument: output.name(), limit: MAX_RUNS, site });
    }
    let from = tensor.elements::<T>(q7)?;
    let to = output.elements_mut_from::<T>(q7, written.site)?;
    let copy = |index| to.set_from(index, from.get_from(index, written.site), written.site);
    let runs = written.runs.as_slice();
    if tensor.is_contiguous() && tensor.layout().offset() == 0 {
        let element = |byte: u64| (byte / T::DTYPE.size()).min(tensor.numel());
        runs.iter().for_each(|run| (element(run.start)..element(run.end)).for_each(copy));
    } else {
        let byte = |index| tensor.layout().offset_of_flat(index) * T::DTYPE.size();
        (0..tensor.numel()).filter(|&index| written.runs.contains(byte(index))).for_each(copy);
    }
    Ok(())
}
