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
        self.0[whole_words(bytes)].fill(if filled { u64::MAX } else { 0 });
        for (word, mask) in ragged_words(bytes) {
            let bits = &mut self.0[word];
            *bits = if filled { *bits | mask } else { *bits & !mask };
        }
    }

    /// The first of these bytes that holds no value.
    pub(super) fn first_missing(&self, bytes: &Range<u32>) -> Option<u32> {
        let base = Dataram::BASE.get();
        // All of them, as that takes vectors, and none is missing mostly.
        if self.0[whole_words(bytes)].iter().fold(u64::MAX, |all, word| all & word) == u64::MAX
            && ragged_words(bytes).all(|(word, mask)| self.0[word] & mask == mask)
        {
            return None;
        }
        words(bytes).find_map(|(word, mask)| {
            let missing = !self.0[word] & mask;
            (missing != 0).then(|| base + word as u32 * 64 + missing.trailing_zeros())
        })
    }
}

/// The words all of whose bytes are among these.
fn whole_words(bytes: &Range<u32>) -> Range<usize> {
    let base = Dataram::BASE.get();
    let start = ((bytes.start - base) as usize).div_ceil(64);
    start..((bytes.end - base) as usize / 64).max(start)
}

/// The first and the last word, if not all of their bytes are among these, each with the mask of its part.
fn ragged_words(bytes: &Range<u32>) -> impl Iterator<Item = (usize, u64)> + use<> {
    let (start, end) = (bytes.start, bytes.end);
    let up = start.next_multiple_of(64).min(end);
    let down = (end / 64 * 64).max(up);
    [start..up, down..end].into_iter().flat_map(|part| words(&part))
}

/// The words of these bytes, each with the mask of its part.
fn words(bytes: &Range<u32>) -> impl Iterator<Item = (usize, u64)> + use<> {
    let base = Dataram::BASE.get();
    let (start, end) = (u64::from(bytes.start - base), u64::from(bytes.end - base));
    (start / 64..end.div_ceil(64)).map(move |word| {
        let (from, to) = (start.max(word * 64), end.min((word + 1) * 64));
        (word as usize, mask(from - word * 64, to - word * 64))
    })
}
