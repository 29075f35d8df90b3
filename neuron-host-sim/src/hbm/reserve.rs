//! Sparse files without a name: what HBM is made of, per host.

use std::fs::File;
use std::io;
use std::ops::Range;

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

/// The first part of a range that may hold something, and all of whose pages take memory.
#[cfg(target_os = "linux")]
pub(super) fn next_data(file: &File, range: Range<u64>) -> io::Result<Range<u64>> {
    use rustix::fs::{SeekFrom, seek};
    let start = match seek(file, SeekFrom::Data(range.start)) {
        Ok(start) => start.min(range.end),
        // There is none behind it.
        Err(rustix::io::Errno::NXIO) => range.end,
        Err(error) => return Err(error.into()),
    };
    let end = if start < range.end { seek(file, SeekFrom::Hole(start))?.min(range.end) } else { start };
    Ok(start..end)
}

/// All of it: this host is not asked.
#[cfg(not(target_os = "linux"))]
pub(super) fn next_data(_file: &File, range: Range<u64>) -> io::Result<Range<u64>> {
    Ok(range)
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
