//! [`Entry`]: what a library registers an op by.

use crate::core::q7::Q7;
use crate::policy::stack::{DEFAULT_STACK_SIZE, Stack, StackKind, choose, hbm_bytes};
use crate::port::observe::Returned;
use crate::words::error::{Error, ErrorKind, Result, Site};

/// The function behind an op, as [`Library::get_func_ptr`](crate::Library::get_func_ptr) gives it: it decides on the stack,
/// pulls the arguments from the core's records, calls the kernel, hands over its result and cleans up.
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
#[derive(Debug)]
pub struct Entry {
    /// The wrapper.
    function: fn(&Q7) -> Result<()>,
    stack_size: u32,
    /// Where that is said, or else where the op is.
    stack_site: Site,
}

impl Entry {
    pub(super) const fn new(function: fn(&Q7) -> Result<()>, site: Site) -> Self {
        Self { function, stack_size: DEFAULT_STACK_SIZE, stack_site: site }
    }

    pub(super) const fn with_stack(&self, bytes: u32, site: Site) -> Self {
        Self { function: self.function, stack_size: bytes, stack_site: site }
    }

    /// Bytes of stack the kernel needs on the device, by its author's word.
    pub(super) const fn stack_size(&self) -> u32 {
        self.stack_size
    }

    /// The line that says so, or else the op's own.
    pub(super) const fn stack_site(&self) -> Site {
        self.stack_site
    }

    /// Run it on this core, and on the stack the core is on: where the registers say that this is too small, the one in HBM
    /// is allocated all the same. What the op does not do, which only a function written by hand can leave out, is told to
    /// the core's observer: it neither took the destination nor returned a tensor, so that the output is undefined.
    ///
    /// # Errors
    /// As [`Op::launch`](crate::Op::launch).
    ///
    /// # Panics
    /// When the kernel does.
    pub fn launch(&self, q7: &Q7) -> Result<()> {
        self.launch_on(q7, &mut |_, wrapper| {
            wrapper();
            true
        })
    }

    /// As [`launch`](Self::launch), where `switch` runs what it is given on the stack that was chosen, be it the core's own
    /// ([`StackKind`](crate::StackKind)), and says whether it came to its end. What does not is left in the middle of
    /// something, as by a stack that overflows: nothing it held is dropped, and the core tells its observer nothing more,
    /// its end included.
    ///
    /// ```
    /// use neuron_device::{ArgDescriptor, ErrorKind, FlatPlatform, StackKind, prelude::*};
    /// #[custom_op]
    /// fn deep(_q7: &Q7, _x: &Tensor, _out: &mut Tensor) -> Result<()> { Ok(()) }
    /// let mut memory = [0; 64];
    /// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory), |q7| {
    ///     // This platform knows of no end of its stack, so no op is switched; and here none is run.
    ///     let mut chosen = None;
    ///     let ended = op!(deep).entry().launch_on(q7, &mut |stack, _wrapper| {
    ///         chosen = Some(stack.kind);
    ///         false
    ///     });
    ///     assert_eq!(chosen, Some(StackKind::Local));
    ///     assert!(matches!(ended.unwrap_err().kind(), ErrorKind::StackOverflow { .. }));
    /// });
    /// ```
    ///
    /// # Errors
    /// As `launch`; and [`StackOverflow`](ErrorKind::StackOverflow) if it did not come to its end.
    ///
    /// # Panics
    /// When the kernel does.
    pub fn launch_on(&self, q7: &Q7, switch: &mut dyn FnMut(Stack, &mut dyn FnMut()) -> bool) -> Result<()> {
        let registers = q7.platform(|platform| platform.stack());
        let (asked, site) = (self.stack_size, self.stack_site);
        let Some(stack) = choose(registers, asked) else {
            let most = registers.most;
            return Err(Error::at(ErrorKind::StackSize { asked, most }, site).about("stack"));
        };
        let drawn = match stack.kind {
            StackKind::Local => None,
            StackKind::Hbm => match q7.draw_stack(hbm_bytes(stack.bytes), site) {
                Ok(drawn) => Some(drawn),
                Err(kind) => return Err(Error::at(kind, site).about("stack")),
            },
        };
        let mut result = None;
        let ended = switch(stack, &mut || result = Some(self.wrapper(q7)));
        match result {
            Some(result) if ended => result,
            _ => {
                q7.abandon();
                core::mem::forget(drawn);
                Err(Error::at(ErrorKind::StackOverflow { limit: stack.bytes }, site).about("stack"))
            }
        }
    }

    fn wrapper(&self, q7: &Q7) -> Result<()> {
        (self.function)(q7)?;
        if q7.handover().is_undefined() {
            q7.observer(|observer| observer.returned(&Returned::Undefined));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
