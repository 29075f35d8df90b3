//! Which bytes of an allocation hold a value.

use crate::bitmap::{Bitmap, Bits};

/// The bytes somebody wrote: the host, or a core in a launch that is over.
#[derive(Debug)]
pub(crate) enum Initialised {
    /// Every one.
    All,
    /// These, by their addresses.
    Some(Bitmap),
}

impl Initialised {
    /// Not one yet.
    pub(crate) fn none() -> Self {
        Self::Some(Bitmap::default())
    }

    /// The bytes `start..end` hold a value from now on.
    pub(crate) fn insert(&mut self, start: u64, end: u64) {
        if let Self::Some(bitmap) = self {
            bitmap.insert(start, end);
        }
    }

    /// These bytes of a page hold a value from now on.
    pub(crate) fn insert_bits(&mut self, page: u64, bits: &Bits) {
        if let Self::Some(bitmap) = self {
            bitmap.insert_bits(page, bits);
        }
    }

    /// Those that do; `None` if all do.
    pub(crate) fn some(&self) -> Option<&Bitmap> {
        match self {
            Self::All => None,
            Self::Some(bitmap) => Some(bitmap),
        }
    }

    /// Does every one of the bytes `start..end` hold a value?
    pub(crate) fn holds(&self, start: u64, end: u64) -> bool {
        match self {
            Self::All => true,
            Self::Some(bitmap) => (start..end).all(|byte| bitmap.meets(byte, byte + 1)),
        }
    }

    /// Take those bytes of a page from `bits` that hold a value.
    pub(crate) fn remove_from(&self, page: u64, bits: &mut Bits) {
        match self {
            Self::All => *bits = crate::bitmap::NONE,
            Self::Some(bitmap) => {
                if let Some(initialised) = bitmap.page(page) {
                    bits.iter_mut().zip(initialised).for_each(|(word, initialised)| *word &= !initialised);
                }
            }
        }
    }
}
