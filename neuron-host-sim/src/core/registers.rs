//! The window registers `MEM_WINDOWk`: where each dynamic window points (`docs/machine.md`, sections 3 and 4).

use neuron_device::{DYNAMIC_RECORDS, HbmAddr};

/// A LO and a HI word for each dynamic record.
#[derive(Debug, Default)]
pub(super) struct WindowRegisters {
    words: [[u32; 2]; DYNAMIC_RECORDS],
}

impl WindowRegisters {
    /// Point the window of `record` at `base`: the HI word, then the LO word, as the device does.
    pub(super) fn write(&mut self, record: usize, base: HbmAddr) {
        self.words[record][1] = (base.get() >> 32) as u32;
        self.words[record][0] = base.get() as u32;
    }

    /// Where the window of `record` points.
    pub(super) fn shows(&self, record: usize) -> HbmAddr {
        let [low, high] = self.words[record];
        HbmAddr::new(u64::from(high) << 32 | u64::from(low))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_register_shows_what_was_written() {
        let mut registers = WindowRegisters::default();
        let base = |record: usize| HbmAddr::new(0x12_3400_0000 + ((record as u64) << 24));
        (0..DYNAMIC_RECORDS).for_each(|record| registers.write(record, base(record)));
        assert!((0..DYNAMIC_RECORDS).all(|record| registers.shows(record) == base(record)));
    }
}
