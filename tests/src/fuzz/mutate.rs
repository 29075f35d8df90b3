//! Inputs made of seeds: the same ones every time.

use std::path::Path;
use std::vec::Vec;

/// The files of `fuzz/corpus/NAME`, in the order of their names.
///
/// # Errors
/// A folder or a file that cannot be read.
pub fn corpus(name: &str) -> std::io::Result<Vec<Vec<u8>>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus").join(name);
    let files: Result<Vec<_>, _> =
        std::fs::read_dir(folder)?.map(|file| file.map(|file| file.path())).collect();
    let mut files = files?;
    files.sort();
    files.iter().map(std::fs::read).collect()
}

/// Values at which parsers turn.
const EDGES: [u64; 12] = [0, 1, 2, 8, 9, 0x7F, 0xFF, 0xFFFF, 0x1_0000, 0xFFFF_FFFF, 0x8000_0000, u64::MAX];

/// The longest input.
const LONGEST: usize = 4096;

/// Changes seeds.
#[derive(Clone, Debug)]
pub struct Mutator {
    seeds: Vec<Vec<u8>>,
    words: &'static [&'static str],
    state: u64,
}

impl Mutator {
    /// One that makes inputs from these seeds, and puts these words into them.
    pub fn new(seeds: Vec<Vec<u8>>, words: &'static [&'static str]) -> Self {
        Self { seeds, words, state: 0 }
    }

    /// Input `number`, whatever was made before: first the seeds as they are.
    pub fn input(&mut self, number: u64) -> Vec<u8> {
        if let Some(seed) = usize::try_from(number).ok().and_then(|number| self.seeds.get(number)) {
            return seed.clone();
        }
        self.state = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut input = self.seed().to_vec();
        for _ in 0..=self.below(4) {
            self.change(&mut input);
        }
        input.truncate(LONGEST);
        input
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        let at = self.below(input.len() + 1);
        let len = self.below(9).min(input.len() - at);
        match self.below(if self.words.is_empty() { 7 } else { 12 }) {
            0 if at < input.len() => input[at] ^= 1 << self.below(8),
            1 if at < input.len() => input[at] = self.next() as u8,
            2 => drop(input.drain(at..at + len)),
            3 => {
                let piece = input[at..at + len].to_vec();
                let to = self.below(input.len() + 1);
                input.splice(to..to, piece);
            }
            4 | 5 => {
                let edge = EDGES[self.below(EDGES.len())].to_le_bytes();
                let len = [1, 2, 4, 8][self.below(4)].min(input.len() - at);
                input[at..at + len].copy_from_slice(&edge[..len]);
            }
            6 => {
                let other = self.seed().to_vec();
                let from = self.below(other.len() + 1);
                input.truncate(at);
                input.extend_from_slice(&other[from..]);
            }
            _ if !self.words.is_empty() => {
                let word = self.words[self.below(self.words.len())];
                input.splice(at..at + len.min(self.below(9)), word.bytes());
            }
            _ => {}
        }
    }

    fn seed(&mut self) -> &[u8] {
        let number = self.below(self.seeds.len().max(1));
        self.seeds.get(number).map_or(&[], Vec::as_slice)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// splitmix64.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}
