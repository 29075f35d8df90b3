//! What a part of HBM holds, without touching what was never touched.

use std::io;
use std::ops::{ControlFlow, Range};
use std::os::unix::fs::FileExt;

use super::{Hbm, offset, reserve};
use crate::bitmap::PAGE;

/// Pages that are looked at in one go.
const PAGES: usize = 64;

impl Hbm {
    /// Call with each page among these addresses, which begin and end on pages, that holds something else than zeros: its
    /// number and its bytes, in rising order, until `call` breaks. The caller holds `in_use`.
    pub(crate) fn each_page(
        &self,
        addresses: Range<u64>,
        mut call: impl FnMut(u64, &[u8]) -> ControlFlow<()>,
    ) -> io::Result<()> {
        let mut buffer = vec![0; PAGES * PAGE as usize];
        let bytes = addresses.end - addresses.start;
        let Some(start) = offset(self.shared.len(), addresses.start, bytes) else { return Ok(()) };
        // From an offset to its page.
        let before = addresses.start.wrapping_sub(start as u64);
        let (mut at, end) = (start as u64, start as u64 + bytes);
        while at < end {
            let data = reserve::next_data(&self.file, at..end)?;
            at = data.start;
            while at < data.end {
                let bytes = (data.end - at).min(buffer.len() as u64);
                let read = &mut buffer[..bytes as usize];
                // Not by way of the mapping, where looking at a page that is not there makes one.
                self.file.read_exact_at(read, at)?;
                for (page, bytes) in (before.wrapping_add(at) / PAGE..).zip(read.chunks(PAGE as usize)) {
                    if bytes.iter().any(|&byte| byte != 0) && call(page, bytes).is_break() {
                        return Ok(());
                    }
                }
                at += bytes;
            }
        }
        Ok(())
    }
}
