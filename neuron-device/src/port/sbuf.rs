//! What a core has of SBUF: memory behind its pinned window.

use super::window::MappedWindow;
use crate::words::addr::HbmAddr;
use crate::words::sbuf::SbufAddresses;

/// Memory behind the pinned window onto SBUF, as a [platform](crate::Platform::sbuf) has it: its 64-bit address, how this
/// program reaches it, and what the addresses of records in SBUF are.
///
/// Holding one proves that of the window in it, see [`MappedWindow::new`].
///
/// ```
/// use neuron_device::{FlatPlatform, HbmAddr, SBUF_WINDOW, SbufAddresses, prelude::*};
/// let (mut memory, mut sbuf) = ([0; 8], [7; 8]);
/// let mut core = FlatPlatform::new(0, 1, &mut memory).with_sbuf(&mut sbuf, SbufAddresses::Local);
/// let local = Q7::enter(&mut core, |q7| q7.translate(FlatPlatform::SBUF.checked_add(16).unwrap()));
/// assert_eq!(local.get(), SBUF_WINDOW.get() + 16);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Sbuf {
    base: HbmAddr,
    window: MappedWindow,
    addresses: SbufAddresses,
}

impl Sbuf {
    /// Memory that begins at `base`, which `window` shows; records hold such `addresses`.
    ///
    /// # Panics
    /// If `base` is no multiple of the 64 MiB that the pinned window spans, or the window shows another part.
    pub fn new(base: HbmAddr, window: MappedWindow, addresses: SbufAddresses) -> Self {
        assert!(base.is_aligned_to(1 << 26), "SBUF must begin at a multiple of 64 MiB: {base}");
        let end = window.end();
        assert!(
            window.from(base.get()).is_some_and(|(_, shown)| base.get() + shown == end && shown <= 1 << 26),
            "the pinned window must show SBUF from its first byte, {base}, on"
        );
        Self { base, window, addresses }
    }

    /// Its address among the 64-bit ones.
    pub const fn base(&self) -> HbmAddr {
        self.base
    }

    pub(crate) const fn window(&self) -> MappedWindow {
        self.window
    }

    /// What the addresses of records are.
    pub const fn addresses(&self) -> SbufAddresses {
        self.addresses
    }
}

#[cfg(test)]
mod tests;
