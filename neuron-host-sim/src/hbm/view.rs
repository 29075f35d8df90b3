//! How one core sees HBM and SBUF.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use memmap2::{MmapOptions, MmapRaw, UncheckedAdvice};
use neuron_device::{HbmAddr, MappedWindow, SBUF_BYTES, WINDOW_BYTES};

use super::map::{SBUF, offset};
use super::{BASE, Hbm};
use crate::bitmap::PAGE;

/// The bytes of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Peeked {
    bytes: [u8; 8],
    len: usize,
}

impl Peeked {
    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// A mapping of all of HBM and SBUF.
#[derive(Debug)]
pub(crate) enum View {
    /// The one mapping everybody shares.
    Shared(Arc<Hbm>),
    /// A copy-on-write mapping: pages written here are this core's alone until they are discarded.
    Private(MmapRaw),
}

impl View {
    pub(super) fn shared(hbm: Arc<Hbm>) -> Self {
        Self::Shared(hbm)
    }

    pub(super) fn private(file: &File, bytes: u64) -> io::Result<Self> {
        let len = usize::try_from(bytes).map_err(io::Error::other)?;
        // SAFETY: the file has no name and is never shrunk; nothing but simulated cores and merges writes it.
        let copy = unsafe { MmapOptions::new().len(len).no_reserve_swap().map_copy(file)? };
        Ok(Self::Private(copy.into()))
    }

    fn mapping(&self) -> &MmapRaw {
        match self {
            Self::Shared(hbm) => &hbm.shared,
            Self::Private(mapping) => mapping,
        }
    }

    /// Where the host has the mapping.
    #[cfg(test)]
    pub(crate) fn on_host(&self) -> Range<usize> {
        let start = self.mapping().as_mut_ptr().addr();
        start..start + self.mapping().len()
    }

    /// The 16 MiB window at `base`; `None` where there is no HBM.
    pub(crate) fn window(&self, base: HbmAddr) -> Option<MappedWindow> {
        if base.get() >= SBUF {
            // Shown by a pinned window, and by no other.
            return None;
        }
        let native = std::ptr::NonNull::new(self.native(base, WINDOW_BYTES)?)?;
        // SAFETY: HBM begins on a window boundary and is a whole number of windows long, so the window is mapped; the
        // mapping lives until the launch has joined, and is accessed only through windows until then.
        Some(unsafe { MappedWindow::new(base, WINDOW_BYTES, native) })
    }

    /// The pinned window onto SBUF.
    pub(crate) fn sbuf(&self) -> Option<MappedWindow> {
        let base = HbmAddr::new(SBUF);
        let native = std::ptr::NonNull::new(self.native(base, SBUF_BYTES)?)?;
        // SAFETY: `native` found all of SBUF mapped; otherwise as in `window`.
        Some(unsafe { MappedWindow::new(base, SBUF_BYTES, native) })
    }

    /// Where `bytes` bytes at `addr` are; `None` if not all of them are in HBM, or all in SBUF.
    pub(crate) fn native(&self, addr: HbmAddr, bytes: u64) -> Option<*mut u8> {
        let offset = offset(self.mapping().len(), addr.get(), bytes)?;
        Some(self.mapping().as_mut_ptr().wrapping_add(offset))
    }

    /// The same of bytes that are there.
    fn known(&self, range: &Range<u64>) -> *mut u8 {
        let native = self.native(HbmAddr::new(range.start), range.end - range.start);
        native.unwrap_or_else(|| panic!("{range:#x?} is outside HBM and SBUF"))
    }

    /// Copy the bytes at these addresses, as this core sees them, to the host. No core runs.
    pub(crate) fn read(&self, range: Range<u64>) -> Vec<u8> {
        let len = (range.end - range.start) as usize;
        let from = self.known(&range);
        let mut bytes = vec![0; len];
        // SAFETY: `known` found the range inside the mapping; no core runs.
        unsafe { std::ptr::copy_nonoverlapping(from, bytes.as_mut_ptr(), len) };
        bytes
    }

    /// The byte at each of these addresses as this core sees it now, up to 8 of them; zeros where there is no memory, of which
    /// a copy may be told too. This core does not run on another thread.
    pub(crate) fn peek(&self, addr: u64, bytes: u64) -> Peeked {
        let len = bytes.min(8) as usize;
        let mut peeked = Peeked { bytes: [0; 8], len };
        let Some(from) = self.native(HbmAddr::new(addr), len as u64) else { return peeked };
        // SAFETY: the range is inside the mapping, as was just asked; only this core, which waits, writes to it.
        unsafe { std::ptr::copy_nonoverlapping(from, peeked.bytes.as_mut_ptr(), len) };
        peeked
    }

    /// Write `byte` to all of these addresses, which are inside HBM or SBUF. This core does not run on another thread.
    pub(crate) fn fill(&self, range: Range<u64>, byte: u8) {
        let (to, len) = (self.known(&range), (range.end - range.start) as usize);
        // SAFETY: the range is inside the mapping, as was just asked; it is a core's own view, or its own scratch.
        unsafe { std::ptr::write_bytes(to, byte, len) }
    }

    /// Write these bytes from `start` on, which is inside HBM or SBUF. This core does not run.
    pub(crate) fn write(&self, start: u64, bytes: &[u8]) {
        let to = self.known(&(start..start + bytes.len() as u64));
        // SAFETY: `known` found the range inside the mapping; no core runs.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len()) };
    }

    /// Copy the bytes at these addresses to where everybody sees them. No core runs.
    pub(crate) fn publish(&self, hbm: &Hbm, range: Range<u64>) {
        let len = range.end - range.start;
        let to = hbm.native(HbmAddr::new(range.start), len);
        let from = self.known(&range);
        // SAFETY: `native` and `known` found the range inside both mappings; no core runs, and one launch at a time
        // merges.
        unsafe { std::ptr::copy_nonoverlapping(from, to, len as usize) }
    }

    /// Forget what this core wrote to these pages, given by number and rising, the only ones it wrote: they show what
    /// everybody sees again.
    pub(crate) fn discard(&mut self, hbm: &Hbm, pages: &[u64]) {
        if cfg!(target_os = "linux") {
            let groups = pages.chunk_by(|a, b| a + 1 == *b);
            let ranges = groups.map(|group| group[0] * PAGE..(group[group.len() - 1] + 1) * PAGE);
            ranges.for_each(|range| self.discard_range(range));
        } else if matches!(self, Self::Private(_)) {
            // Elsewhere the host does not promise to drop private pages; a new mapping has none.
            *self = hbm.private_view().expect("what was mapped before can be mapped again");
        }
    }

    /// Forget whatever this core wrote to a view of its own, where that is not known by page. On Linux, where kernels can be
    /// left in the middle of something.
    pub(crate) fn discard_all(&self) {
        if let Self::Private(mapping) = self {
            self.discard_range(BASE..BASE + mapping.len() as u64 - SBUF_BYTES);
            self.discard_range(SBUF..SBUF + SBUF_BYTES);
        }
    }

    fn discard_range(&self, pages: Range<u64>) {
        if let Self::Private(mapping) = self {
            let offset = self.known(&pages).addr() - mapping.as_mut_ptr().addr();
            let len = (pages.end - pages.start) as usize;
            // SAFETY: no window into the range is in use, as no core runs; its bytes are not needed any more.
            let discarded = unsafe { mapping.unchecked_advise_range(UncheckedAdvice::DontNeed, offset, len) };
            // The range is inside the mapping and on page boundaries; nothing else can be wrong with it.
            discarded.expect("pages of a private mapping can be discarded");
        }
    }
}
