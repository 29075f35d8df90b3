//! Printing from a kernel.

use core::fmt::{self, Write};

use super::q7::Q7;
use crate::words::console::ConsoleSlot;

/// Print a line to the console, as `println!` does, from a kernel (the vendor's `printf`); the line is the core's, and its
/// end is meant. For looking at what a kernel does: where the platform has no console, or it is off for this core, nothing is
/// formatted, and the arguments are not even evaluated.
///
/// A line of more than 240 bytes takes several slots of the console's queue. When the queue is full, the oldest slot is
/// lost, and counted; the op goes on (`docs/machine.md`, section 11).
///
/// ```
/// use neuron_device::{FlatPlatform, prelude::*};
/// #[custom_op]
/// fn sum(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
///     let src = x.elements::<f32>(q7)?;
///     let sum: f32 = (0..x.numel()).map(|i| src.get(i)).sum();
///     neuron_println!(q7, "{} elements, sum {sum:.3}", x.numel());
///     out.elements_mut::<f32>(q7)?.set(0, sum);
///     Ok(())
/// }
/// // This platform has no console:
/// Q7::enter(&mut FlatPlatform::new(0, 1, &mut []), |q7| {
///     neuron_println!(q7, "{}", unreachable!("nobody reads it") as u32);
/// });
/// ```
#[macro_export]
macro_rules! neuron_println {
    ($q7:expr $(,)?) => { $crate::neuron_println!($q7, "") };
    ($q7:expr, $($line:tt)+) => {{
        let q7: &$crate::Q7 = $q7;
        if $crate::__private::has_console(q7) {
            $crate::__private::print_line(q7, $crate::__private::core::format_args!($($line)+));
        }
    }};
}

/// Is there anybody to print to?
pub fn has_console(q7: &Q7) -> bool {
    q7.console
}

/// Print a line.
#[inline(never)]
pub fn print_line(q7: &Q7, line: fmt::Arguments<'_>) {
    let mut slots = Slots { q7, slot: q7.next_slot() };
    // Only a value's own `Display` can fail; what it had said by then is printed.
    let _ = slots.write_fmt(line);
}

/// A line on its way through slots.
struct Slots<'q> {
    q7: &'q Q7,
    slot: ConsoleSlot,
}

impl Drop for Slots<'_> {
    fn drop(&mut self) {
        self.q7.platform(|platform| platform.print(&self.slot));
    }
}

impl Write for Slots<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut rest = self.slot.push(text);
        while !rest.is_empty() {
            self.slot.set_continues();
            self.q7.platform(|platform| platform.print(&self.slot));
            self.slot = self.q7.next_slot();
            rest = self.slot.push(rest);
        }
        Ok(())
    }
}

impl Q7 {
    /// What was printed is visible to the host.
    pub(crate) fn flush_console(&self) {
        if self.console {
            self.platform(|platform| platform.flush_console());
        }
    }

    fn next_slot(&self) -> ConsoleSlot {
        let sequence = self.printed.get();
        self.printed.set(sequence.wrapping_add(1));
        ConsoleSlot::new(self.get_cpu_id(), sequence)
    }
}

#[cfg(test)]
mod tests;
