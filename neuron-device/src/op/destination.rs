//! The launch's output, as a tensor a kernel can write: [`Q7::get_dst_tensor`].

use core::panic::Location;

use super::arguments::described;
use crate::access::tensor::{Role, Tensor};
use crate::core::handover::Handover;
use crate::core::q7::Q7;
use crate::words::error::{Error, Result};

/// What the output is called where the kernel has no name for it.
const RESULT: &str = "result";

impl Q7 {
    /// The launch's output, for a kernel that returns a tensor and would rather write in place. From here on the tensor it
    /// returns is not copied anywhere: return the destination itself. That another one is ignored is a warning of the
    /// simulator's (`docs/machine.md`, section 9).
    ///
    /// In a kernel with `out: &mut Tensor` it is one more handle of that tensor.
    ///
    /// # Errors
    /// The launch has no output descriptor, or it is bad.
    ///
    /// ```
    /// use neuron_device::prelude::*;
    /// # use neuron_device::{ArgDescriptor, ArgRecord, FlatPlatform, Layout};
    /// #[custom_op]
    /// fn increment(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    ///     let mut dst = q7.get_dst_tensor()?;
    ///     let (from, to) = (x.elements::<i64>(q7)?, dst.elements_mut::<i64>(q7)?);
    ///     q7.partition_flat(x.numel()).into_iter().for_each(|i| to.set(i, from.get(i) + 1));
    ///     Ok(dst)
    /// }
    /// # let mut memory = [10, 0];
    /// # let one = Layout::contiguous(&[1])?;
    /// # let end = FlatPlatform::BASE.checked_add(8).unwrap();
    /// # let x = ArgDescriptor { record: ArgRecord::new(FlatPlatform::BASE, Dtype::I64, &one)?, view: None };
    /// # let out = ArgDescriptor { record: ArgRecord::new(end, Dtype::I64, &one)?, view: None };
    /// # let mut core = FlatPlatform::new(0, 1, &mut memory).with_argument(x).with_destination(out);
    /// // With a 10 for `x`:
    /// # Q7::enter(&mut core, |q7| op!(increment).launch(q7))?;
    /// assert_eq!(memory, [10, 11]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[track_caller]
    pub fn get_dst_tensor(&self) -> Result<Tensor> {
        match self.handover() {
            Handover::Taken(name, _) => self.output(name),
            Handover::Nothing | Handover::Copied => self.take_destination(RESULT),
        }
    }

    /// The output, which the kernel calls so, to be written by the kernel itself.
    #[track_caller]
    pub(super) fn take_destination(&self, name: &'static str) -> Result<Tensor> {
        let output = self.output(name)?;
        self.hand_over(Handover::Taken(name, Location::caller()));
        Ok(output)
    }

    /// The output, whoever writes it.
    #[track_caller]
    pub(super) fn output(&self, name: &'static str) -> Result<Tensor> {
        match self.platform(|platform| platform.destination()) {
            Some(descriptor) => described(self, &descriptor, name, Role::Destination),
            None => Err(Error::message("the launch has no output descriptor").about(name)),
        }
    }
}
