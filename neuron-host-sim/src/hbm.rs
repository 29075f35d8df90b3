//! Simulated HBM, and SBUF behind it: one sparse file-backed reservation, seen whole by the host and by unchecked cores, and
//! as a copy-on-write view by each checked core.

pub(crate) mod allocation;
mod aside;
mod contents;
pub(crate) mod initialised;
pub(crate) mod map;
mod reserve;
mod space;
pub(crate) mod view;

use std::fs::File;
use std::io;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use memmap2::{MmapOptions, MmapRaw};
use neuron_device::{HbmAddr, SBUF_BYTES, SbufAddresses};

pub(crate) use self::map::{BASE, RESERVATION};
use self::map::{SBUF, file_bytes, offset};
use self::space::Space;
use self::view::View;

/// The least worth having: below it a simulator is refused.
const LEAST: u64 = 64 << 20;

/// A memory that tensors lie in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Memory {
    Hbm,
    Sbuf,
}

/// The machine's HBM and SBUF.
#[derive(Debug)]
pub(crate) struct Hbm {
    file: File,
    shared: MmapRaw,
    bytes: u64,
    /// Free room for tensors, above the cores' scratch.
    space: Mutex<Space>,
    /// Free room in SBUF.
    sbuf: Mutex<Space>,
    /// What the addresses of records in SBUF are.
    pub(crate) sbuf_addresses: SbufAddresses,
    /// A launch holds it for writing, a host access for reading: the host sees no half-done launch.
    pub(crate) in_use: RwLock<()>,
}

impl Hbm {
    /// Reserve HBM, of which the first `reserved` bytes are not for tensors, with this many private views: as much as
    /// the host maps so often.
    pub(crate) fn reserve(
        reserved: u64,
        private_views: u32,
        sbuf_addresses: SbufAddresses,
    ) -> io::Result<(Arc<Self>, Vec<View>)> {
        let mut bytes = RESERVATION;
        loop {
            match Self::map(bytes, reserved, private_views, sbuf_addresses) {
                Err(_) if bytes / 2 >= LEAST.max(2 * reserved) => bytes /= 2,
                mapped => return mapped,
            }
        }
    }

    fn map(
        bytes: u64,
        reserved: u64,
        private_views: u32,
        sbuf_addresses: SbufAddresses,
    ) -> io::Result<(Arc<Self>, Vec<View>)> {
        let file = reserve::sparse_file()?;
        file.set_len(file_bytes(bytes))?;
        let len = usize::try_from(file_bytes(bytes)).map_err(io::Error::other)?;
        let shared = MmapOptions::new().len(len).no_reserve_swap().map_raw(&file)?;
        let space = Mutex::new(Space::new(BASE + reserved, BASE + bytes));
        let sbuf = Mutex::new(Space::new(SBUF, SBUF + SBUF_BYTES));
        let hbm = Self { file, shared, bytes, space, sbuf, sbuf_addresses, in_use: RwLock::new(()) };
        let views = (0..private_views).map(|_| hbm.private_view()).collect::<io::Result<_>>()?;
        Ok((Arc::new(hbm), views))
    }

    /// The view the host and unchecked cores share.
    pub(crate) fn shared_view(self: &Arc<Self>) -> View {
        View::shared(Arc::clone(self))
    }

    /// A view whose writes nobody else sees.
    pub(crate) fn private_view(&self) -> io::Result<View> {
        View::private(&self.file, file_bytes(self.bytes))
    }

    /// Bytes of HBM.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    fn space(&self, memory: Memory) -> std::sync::MutexGuard<'_, Space> {
        let space = match memory {
            Memory::Hbm => &self.space,
            Memory::Sbuf => &self.sbuf,
        };
        space.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The byte at `addr` in the shared view; one past the last byte is allowed.
    fn native(&self, addr: HbmAddr, bytes: u64) -> *mut u8 {
        let offset = offset(self.shared.len(), addr.get(), bytes);
        let offset = offset.unwrap_or_else(|| panic!("{addr}, {bytes} bytes, is outside HBM and SBUF"));
        self.shared.as_mut_ptr().wrapping_add(offset)
    }

    /// Copy bytes to the host. The caller holds `in_use`.
    pub(crate) fn read(&self, addr: HbmAddr, to: &mut [u8]) {
        let from = self.native(addr, to.len() as u64);
        // SAFETY: `native` checked that the range is mapped; no core runs, as the caller holds `in_use`.
        unsafe { std::ptr::copy_nonoverlapping(from, to.as_mut_ptr(), to.len()) }
    }

    /// As [`read`](Self::read), for bytes that are kept aside and are not looked at, as a rule.
    pub(crate) fn keep_aside(&self, addr: HbmAddr, to: &mut [u8]) {
        let from = self.native(addr, to.len() as u64);
        // SAFETY: as in `read`.
        unsafe { aside::copy(from, to) }
    }

    /// Copy bytes from the host. The caller holds `in_use`, for writing.
    pub(crate) fn write(&self, addr: HbmAddr, from: &[u8]) {
        let to = self.native(addr, from.len() as u64);
        // SAFETY: as in `read`; and no other host thread reads, as the caller holds `in_use` for writing.
        unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), to, from.len()) }
    }

    /// Make bytes zero again and give their memory back. The caller holds `in_use`, for writing, or nobody knows them.
    pub(crate) fn clear(&self, addr: HbmAddr, bytes: u64) {
        let native = self.native(addr, bytes);
        let offset = native.addr() - self.shared.as_mut_ptr().addr();
        if reserve::punch_hole(&self.file, offset as u64, bytes).is_err() {
            // SAFETY: `native` checked that the range is mapped; nothing refers to freed bytes.
            unsafe { std::ptr::write_bytes(native, 0, bytes as usize) }
        }
    }
}
