//! [`FlatMemory`]: the image's work, done in this process.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::string::{String, ToString};
use std::vec;
use std::vec::Vec;

use crate::flat::{MEMORY_BYTES, play};
use crate::reply::Reply;
use crate::runtime::Direct;

/// A memory for cases, zero between them.
#[derive(Debug)]
pub struct FlatMemory(Vec<u64>);

impl FlatMemory {
    /// All zero; what is not touched takes no room.
    pub fn zeroed() -> Self {
        Self(vec![0; MEMORY_BYTES as usize / 8])
    }

    /// Play a case.
    ///
    /// # Errors
    /// The kernel panicked, or had a fault, which is a panic on a flat platform.
    pub fn run(&mut self, case: &[u8]) -> Result<Reply, String> {
        let mut bytes = Vec::new();
        let played =
            catch_unwind(AssertUnwindSafe(|| play(case, &mut self.0, &mut bytes, &mut Direct::default())));
        if let Err(payload) = played {
            // Nobody cleaned up.
            *self = Self::zeroed();
            let text = payload.downcast_ref::<String>().cloned();
            let text = text.or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string));
            return Err(text.unwrap_or_default());
        }
        match Reply::decode(&bytes) {
            Ok((reply, len)) if len == bytes.len() => Ok(reply),
            other => Err(std::format!("no reply, but {other:?}")),
        }
    }
}
