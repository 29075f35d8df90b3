//! What a core prints: text in slots of 256 bytes (`docs/machine.md`, section 11).

use core::fmt;

/// Bytes of a slot.
const SLOT: usize = 256;
/// Bytes before the text.
const HEADER: usize = 16;
/// Bytes of text.
const TEXT: usize = SLOT - HEADER;

/// One slot of the console's queue: 16 bytes of header and up to 240 of text. What a longer line has more goes on in the
/// next slot. How the header is laid out is ours: core, number, bytes of text and whether it goes on, little-endian.
///
/// ```
/// use neuron_device::ConsoleSlot;
/// let mut slot = ConsoleSlot::new(3, 7);
/// // As many characters as fit, whole ones; the rest is for the next slot.
/// let rest = slot.push("half of 5 is 2½");
/// assert_eq!((slot.core(), slot.sequence(), slot.text(), rest), (3, 7, "half of 5 is 2½", ""));
/// assert_eq!(slot.push(&"é".repeat(200)).len(), 2 * (200 - 112));
/// assert_eq!(slot.bytes().len(), 256);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ConsoleSlot([u8; SLOT]);

impl ConsoleSlot {
    /// Bytes of text a slot holds.
    pub const TEXT_BYTES: usize = TEXT;
    /// Bytes of a slot.
    pub const BYTES: usize = SLOT;

    /// An empty slot of core `core`, the core's slot number `sequence`.
    pub fn new(core: u32, sequence: u32) -> Self {
        let mut bytes = [0; SLOT];
        bytes[..4].copy_from_slice(&core.to_le_bytes());
        bytes[4..8].copy_from_slice(&sequence.to_le_bytes());
        Self(bytes)
    }

    /// Who printed it.
    pub fn core(&self) -> u32 {
        u32::from_le_bytes([self.0[0], self.0[1], self.0[2], self.0[3]])
    }

    /// How many slots that core had filled before in this launch.
    pub fn sequence(&self) -> u32 {
        u32::from_le_bytes([self.0[4], self.0[5], self.0[6], self.0[7]])
    }

    /// Does the line go on in the core's next slot?
    pub fn continues(&self) -> bool {
        self.0[10] != 0
    }

    /// Say that the line goes on in the next slot.
    pub fn set_continues(&mut self) {
        self.0[10] = 1;
    }

    /// Its text.
    pub fn text(&self) -> &str {
        // `push` puts whole characters here, and nothing else does.
        core::str::from_utf8(&self.0[HEADER..HEADER + self.len()]).unwrap_or_default()
    }

    /// All of it, as it lies in the queue.
    pub fn bytes(&self) -> &[u8; SLOT] {
        &self.0
    }

    /// Add text, as many whole characters as there is room for; returns the others.
    pub fn push<'t>(&mut self, text: &'t str) -> &'t str {
        let len = self.len();
        let fits = text.floor_char_boundary(TEXT - len);
        let (here, rest) = text.split_at(fits);
        self.0[HEADER + len..][..fits].copy_from_slice(here.as_bytes());
        self.0[8..10].copy_from_slice(&((len + fits) as u16).to_le_bytes());
        rest
    }

    fn len(&self) -> usize {
        usize::from(u16::from_le_bytes([self.0[8], self.0[9]])).min(TEXT)
    }
}

impl fmt::Debug for ConsoleSlot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let more = if self.continues() { "…" } else { "" };
        write!(f, "core {} #{}: {:?}{more}", self.core(), self.sequence(), self.text())
    }
}
