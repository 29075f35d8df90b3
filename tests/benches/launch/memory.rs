//! How much memory this process uses.

/// Bytes resident now; `None` where the system does not say.
pub(crate) fn resident_bytes() -> Option<u64> {
    let pages: u64 =
        std::fs::read_to_string("/proc/self/statm").ok()?.split_whitespace().nth(1)?.parse().ok()?;
    // Every system this runs on has pages of 4 KiB; on one of larger pages too little is said, but not too much.
    Some(pages * 4096)
}
