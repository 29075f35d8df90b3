//! The console: what cores print, and what of it is lost (`docs/machine.md`, section 11).

use std::collections::VecDeque;

use neuron_device::ConsoleSlot;

use crate::error::SimulatorError;

/// The most bytes a console's queue can have, and what it has if nothing else is asked for: 131072 (`docs/machine.md`,
/// section 11).
///
/// ```
/// // It holds 512 slots, so as many lines of up to 240 bytes.
/// assert_eq!(neuron_host_sim::MAX_CONSOLE / neuron_device::ConsoleSlot::BYTES as u32, 512);
/// ```
pub const MAX_CONSOLE: u32 = 128 << 10;

/// Can a queue have so many bytes? 0 is none.
pub(crate) fn checked(bytes: u32) -> Result<u32, SimulatorError> {
    let least = ConsoleSlot::BYTES as u32;
    if bytes == 0 || (bytes.is_power_of_two() && (least..=MAX_CONSOLE).contains(&bytes)) {
        Ok(bytes)
    } else {
        Err(SimulatorError::Console { asked: bytes, least, most: MAX_CONSOLE })
    }
}

/// A core's queue in one launch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Queue {
    slots: VecDeque<ConsoleSlot>,
    lost: u64,
}

impl Queue {
    /// One more slot, in a queue of `bytes` bytes: if there is no room, the oldest is lost.
    pub(crate) fn push(&mut self, slot: ConsoleSlot, bytes: u32) {
        if self.slots.len() >= bytes as usize / ConsoleSlot::BYTES {
            self.slots.pop_front();
            self.lost += 1;
        }
        self.slots.push_back(slot);
    }

    /// Was anything printed?
    pub(crate) fn has_printed(&self) -> bool {
        !self.slots.is_empty()
    }

    /// What is still there.
    pub(crate) fn printed(&self, core: u32) -> Printed {
        let mut lines: Vec<String> = Vec::new();
        let mut goes_on = false;
        for slot in &self.slots {
            match lines.last_mut() {
                Some(line) if goes_on => line.push_str(slot.text()),
                _ => lines.push(slot.text().to_owned()),
            }
            goes_on = slot.continues();
        }
        Printed { core, lines, lost: self.lost }
    }
}

/// What a core printed with [`neuron_println!`](neuron_device::neuron_println).
///
/// ```
/// use neuron_device::prelude::*;
/// use neuron_host_sim::{HostTensor, Simulator, args};
///
/// #[custom_op]
/// fn same(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
///     let share = q7.partition_flat(x.numel());
///     neuron_println!(q7, "core {} has {} elements", q7.get_cpu_id(), share.len());
///     let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
///     Ok(share.into_iter().for_each(|i| dst.set(i, src.get(i))))
/// }
/// let mut sim = Simulator::builder().cores(2).build()?;
/// let report = sim.launch(op!(same), &args![&HostTensor::zeros(Dtype::F32, &[9])?])?;
/// assert_eq!(report.printed()[1].lines, ["core 1 has 4 elements"]);
/// assert!(report.to_string().contains("core 0 printed: core 0 has 5 elements\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Printed {
    /// The core.
    pub core: u32,
    /// Its lines, in the order it printed them, as far as they are not lost; the first may be the end of one.
    pub lines: Vec<String>,
    /// The oldest slots, of up to 240 bytes of text, that were overwritten.
    pub lost: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot(sequence: u32, text: &str, goes_on: bool) -> ConsoleSlot {
        let mut slot = ConsoleSlot::new(0, sequence);
        assert_eq!(slot.push(text), "");
        if goes_on {
            slot.set_continues();
        }
        slot
    }

    #[test]
    fn the_oldest_slots_are_lost_and_counted() {
        let mut queue = Queue::default();
        for number in 0..10 {
            queue.push(slot(number, &number.to_string(), false), 1024);
        }
        assert_eq!(
            queue.printed(3),
            Printed { core: 3, lines: ["6", "7", "8", "9"].map(str::to_owned).into(), lost: 6 }
        );
    }

    #[test]
    fn a_line_of_several_slots_is_one() {
        let mut queue = Queue::default();
        let slots = [("a", false), ("b", true), ("c", true), ("d", false), ("e", true)];
        for (number, (text, goes_on)) in (0..).zip(slots) {
            queue.push(slot(number, text, goes_on), 1024);
        }
        // The queue has four slots, so the first line is gone.
        assert_eq!(queue.printed(0).lines, ["bcd", "e"]);
    }

    #[test]
    fn a_queue_is_a_power_of_two() {
        for bytes in [0, 256, 512, 65536, MAX_CONSOLE] {
            assert_eq!(checked(bytes).unwrap(), bytes);
        }
        for bytes in [1, 128, 255, 257, 768, 131_073, 262_144, u32::MAX] {
            let text = checked(bytes).unwrap_err().to_string();
            assert!(text.starts_with(&format!("a console of {bytes} bytes: ")), "{text}");
        }
    }
}
