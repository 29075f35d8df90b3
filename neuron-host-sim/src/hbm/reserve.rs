//! Sparse files without a name: what HBM is made of, per host.

use std::fs::File;
use std::io;

/// An empty file without a name that keeps its pages in memory.
#[cfg(target_os = "linux")]
pub(super) fn sparse_file() -> io::Result<File> {
    let memory = rustix::fs::memfd_create("neuron-hbm", rustix::fs::MemfdFlags::CLOEXEC)?;
    Ok(File::from(memory))
}

/// An empty file without a name.
#[cfg(not(target_os = "linux"))]
pub(super) fn sparse_file() -> io::Result<File> {
    tempfile::tempfile()
}

/// Give the pages of a range back; they read as zero.
#[cfg(target_os = "linux")]
pub(super) fn punch_hole(file: &File, offset: u64, bytes: u64) -> io::Result<()> {
    use rustix::fs::FallocateFlags;
    rustix::fs::fallocate(file, FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE, offset, bytes)?;
    Ok(())
}

/// This host gives no pages back.
#[cfg(not(target_os = "linux"))]
pub(super) fn punch_hole(_file: &File, _offset: u64, _bytes: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
