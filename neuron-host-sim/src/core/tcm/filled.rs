//! Which bytes of a core's TCM hold a value.

use std::ops::Range;

use neuron_device::Dataram;

use crate::bitmap::mask;

/// Words of a bitmap of all TCM, a bit a byte.
const WORDS: usize = Dataram::MOST_BYTES as usize / 64;

/// The bytes that hold a value, by local address.
#[derive(Debug)]
pub(super) struct Filled(Box<[u64; WORDS]>);

impl Default for Filled {
    fn default() -> Self {
        Self(Box::new([0; WORDS]))
    }
}

impl Filled {
    /// None does.
    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Note for each of these bytes whether it holds a value.
    pub(super) fn set(&mut self, bytes: &Range<u32>, filled: bool) {
        for (word, mask) in words(bytes) {
            let bits = &mut self.0[word];
            *bits = if filled { *bits | mask } else { *bits & !mask };
        }
    }

    /// The first of these bytes that holds no value.
    pub(super) fn first_missing(&self, bytes: &Range<u32>) -> Option<u32> {
        let base = Dataram::BASE.get();
        words(bytes).find_map(|(word, mask)| {
            let missing = !self.0[word] & mask;
            (missing != 0).then(|| base + word as u32 * 64 + missing.trailing_zeros())
        })
    }
}

/// The words of these bytes, each with the mask of its part.
fn words(bytes: &Range<u32>) -> impl Iterator<Item = (usize, u64)> {
    let base = Dataram::BASE.get();
    let (start, end) = (u64::from(bytes.start - base), u64::from(bytes.end - base));
    (start / 64..end.div_ceil(64)).map(move |word| {
        let (from, to) = (start.max(word * 64), end.min((word + 1) * 64));
        (word as usize, mask(from - word * 64, to - word * 64))
    })
}
