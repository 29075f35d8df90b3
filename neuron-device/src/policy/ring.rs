//! The ring of DMA descriptors a core shares with its DMA engine.

use core::cell::Cell;

/// Descriptor pairs a ring has (`docs/machine.md`, section 7).
pub(crate) const SLOTS: u64 = 4;

/// Bytes one descriptor moves at most; a length field of 0 means that many (`docs/machine.md`, section 7).
pub(crate) const MOST_BYTES: u64 = 1 << 16;

/// One DMA descriptor, 16 bytes as on the device. Where in its first word each field is, is not public: ours are the
/// length in bits 0 to 15, phase in bit 16, first in bit 17, last in bit 18.
///
/// ```
/// use neuron_device::Descriptor;
/// let descriptor = Descriptor::new(1 << 16, 0x12_3456_7890, true);
/// // 64 KiB do not fit 16 bits, and are told as 0.
/// assert_eq!((descriptor.bytes(), descriptor.buffer(), descriptor.phase()), (1 << 16, 0x12_3456_7890, true));
/// assert_eq!(size_of::<Descriptor>(), 16);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(8))]
pub struct Descriptor {
    control: u32,
    operation: u32,
    buffer: u64,
}

static_assertions::const_assert_eq!(size_of::<Descriptor>(), 16);

impl Descriptor {
    const PHASE: u32 = 1 << 16;
    /// Every copy of ours is one descriptor long: it is the first and the last.
    const WHOLE: u32 = 0b11 << 17;

    /// `bytes` bytes at `buffer`, an address of the system bus, in a lap of the ring of this phase.
    ///
    /// # Panics
    /// If `bytes` is 0 or more than 64 KiB.
    pub const fn new(bytes: u64, buffer: u64, phase: bool) -> Self {
        assert!(bytes > 0 && bytes <= MOST_BYTES, "a descriptor moves 1 byte to 64 KiB");
        let phase = if phase { Self::PHASE } else { 0 };
        Self { control: (bytes & 0xFFFF) as u32 | phase | Self::WHOLE, operation: 0, buffer }
    }

    /// Bytes to move.
    pub const fn bytes(self) -> u64 {
        match self.control as u64 & 0xFFFF {
            0 => MOST_BYTES,
            bytes => bytes,
        }
    }

    /// The address they are at, on the system bus.
    pub const fn buffer(self) -> u64 {
        self.buffer
    }

    /// The phase of its lap.
    pub const fn phase(self) -> bool {
        self.control & Self::PHASE != 0
    }
}

/// How far the engine is with a descriptor pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// It has not answered.
    Pending,
    /// The bytes are moved.
    Done,
    /// There was no memory at one of the addresses.
    Failed,
}

/// What a core and its DMA engine share: 4 pairs of descriptors, one that reads memory (TX, memory to stream) and one
/// that writes it (RX, stream to memory), and a completion word each. A pair is known by its number, counted from 0; the
/// n-th uses slot `n mod 4`. Each lap of the ring has the other phase, so that an old completion is not taken for a new one.
#[derive(Debug, Default)]
pub struct DmaRing {
    transmit: [Cell<Descriptor>; SLOTS as usize],
    receive: [Cell<Descriptor>; SLOTS as usize],
    /// Bit 0: phase; bit 1: failed.
    completions: [Cell<u32>; SLOTS as usize],
    posted: Cell<u64>,
}

impl DmaRing {
    const FAILED: u32 = 2;

    #[inline(always)]
    pub(crate) const fn new() -> Self {
        const NONE: Descriptor = Descriptor { control: 0, operation: 0, buffer: 0 };
        Self {
            transmit: [const { Cell::new(NONE) }; SLOTS as usize],
            receive: [const { Cell::new(NONE) }; SLOTS as usize],
            completions: [const { Cell::new(0) }; SLOTS as usize],
            posted: Cell::new(0),
        }
    }

    const fn slot(number: u64) -> usize {
        (number % SLOTS) as usize
    }

    /// The first lap has phase 1, so that a fresh ring, all zero, has nothing completed.
    const fn phase(number: u64) -> bool {
        (number / SLOTS).is_multiple_of(2)
    }

    /// The number of the next pair.
    pub const fn posted(&self) -> u64 {
        self.posted.get()
    }

    /// Post a pair that moves `bytes` bytes, and give its number.
    ///
    /// # Panics
    /// If the slot's last pair is not completed, or `bytes` is 0 or above 64 KiB.
    pub(crate) fn post(&self, bytes: u64, from: u64, to: u64) -> u64 {
        let number = self.posted.get();
        assert!(number < SLOTS || self.progress(number - SLOTS) != Progress::Pending, "the ring is full");
        let (slot, phase) = (Self::slot(number), Self::phase(number));
        self.transmit[slot].set(Descriptor::new(bytes, from, phase));
        self.receive[slot].set(Descriptor::new(bytes, to, phase));
        self.posted.set(number + 1);
        number
    }

    /// The pair of this number, posted and not yet completed: what to read from, and where to write to.
    pub fn pair(&self, number: u64) -> (Descriptor, Descriptor) {
        (self.transmit[Self::slot(number)].get(), self.receive[Self::slot(number)].get())
    }

    /// The engine is done with the pair of this number; `moved` is false if there was no memory.
    pub fn complete(&self, number: u64, moved: bool) {
        let failed = if moved { 0 } else { Self::FAILED };
        self.completions[Self::slot(number)].set(u32::from(Self::phase(number)) | failed);
    }

    /// How far the engine is with the pair of this number, one of the last 4 posted.
    pub(crate) fn progress(&self, number: u64) -> Progress {
        let word = self.completions[Self::slot(number)].get();
        match word & 1 == u32::from(Self::phase(number)) {
            false => Progress::Pending,
            true if word & Self::FAILED != 0 => Progress::Failed,
            true => Progress::Done,
        }
    }
}

#[cfg(test)]
mod tests;
