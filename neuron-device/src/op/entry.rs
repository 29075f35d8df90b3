//! [`Entry`]: the pointer a library registers an op by.

use crate::core::q7::Q7;
use crate::port::observe::Returned;
use crate::words::error::Result;

/// The function behind an op, as [`Library::get_func_ptr`](crate::Library::get_func_ptr) gives it: it pulls the arguments
/// from the core's records, calls the kernel, hands over its result and cleans up.
///
/// ```
/// use neuron_device::{ArgDescriptor, ArgRecord, FlatPlatform, Layout, prelude::*};
/// # #[custom_op]
/// # fn increment(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
/// #     let (src, dst) = (x.elements::<i64>(q7)?, out.elements_mut::<i64>(q7)?);
/// #     Ok(q7.partition_flat(src.numel()).into_iter().for_each(|i| dst.set(i, src.get(i) + 1)))
/// # }
/// neuron_library!(STEPS: "steps" = [increment]);
/// let mut memory = [10, 0];
/// let one = Layout::contiguous(&[1])?;
/// let end = FlatPlatform::BASE.checked_add(8).unwrap();
/// let x = ArgDescriptor { record: ArgRecord::new(FlatPlatform::BASE, Dtype::I64, &one)?, view: None };
/// let out = ArgDescriptor { record: ArgRecord::new(end, Dtype::I64, &one)?, view: None };
/// let mut core = FlatPlatform::new(0, 1, &mut memory).with_argument(x).with_destination(out);
/// let entry = STEPS.get_func_ptr(0).unwrap();
/// Q7::enter(&mut core, |q7| entry.launch(q7))?;
/// assert_eq!(memory, [10, 11]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Entry(fn(&Q7) -> Result<()>);

impl Entry {
    pub(super) const fn new(function: fn(&Q7) -> Result<()>) -> Self {
        Self(function)
    }

    /// Run it on this core. What it does not do, which only a function written by hand can leave out, is told to the core's
    /// observer: it neither took the destination nor returned a tensor, so that the output is undefined.
    ///
    /// # Errors
    /// As [`Op::launch`](crate::Op::launch).
    ///
    /// # Panics
    /// When the kernel does.
    pub fn launch(self, q7: &Q7) -> Result<()> {
        (self.0)(q7)?;
        if q7.handover().is_undefined() {
            q7.observer(|observer| observer.returned(&Returned::Undefined));
        }
        Ok(())
    }
}
