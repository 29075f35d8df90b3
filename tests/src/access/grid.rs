//! [`Grid`]: the lengths and strides that are tried.

use std::vec::Vec;

/// A tensor: how many elements, and how far apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Elements.
    pub length: u32,
    /// From one to the next, in elements.
    pub stride: u32,
}

/// The lengths and strides that are tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    lengths: Vec<u32>,
    strides: Vec<u32>,
    /// Bytes a tensor reaches over, at most.
    most_bytes: u64,
}

/// Elements a tensor reaches over, at most.
const MOST_ELEMENTS: u64 = 1 << 30;

/// The powers of `base` times `first`, up to `last`.
fn powers(first: u32, base: u32, last: u32) -> Vec<u32> {
    std::iter::successors(Some(first), |at| at.checked_mul(base)).take_while(|&at| at <= last).collect()
}

impl Grid {
    /// For a few minutes: powers of 4, and tensors that reach over 256 MiB at most.
    pub fn usual() -> Self {
        Self { lengths: powers(64, 4, 16 << 20), strides: powers(1, 4, 4096), most_bytes: 256 << 20 }
    }

    /// For a long time: powers of 2, and tensors that reach over 4 GiB at most.
    pub fn full() -> Self {
        Self { lengths: powers(64, 2, 16 << 20), strides: powers(1, 2, 4096), most_bytes: 4 << 30 }
    }

    /// For seconds: a few points.
    pub fn quick() -> Self {
        Self { lengths: powers(64, 16, 16 << 10), strides: powers(1, 64, 4096), most_bytes: 256 << 20 }
    }

    /// The lengths, rising.
    pub fn lengths(&self) -> &[u32] {
        &self.lengths
    }

    /// The strides, rising.
    pub fn strides(&self) -> &[u32] {
        &self.strides
    }

    /// The tensors, of elements of so many bytes.
    pub fn places(&self, element: u64) -> Vec<Place> {
        let all = self
            .strides
            .iter()
            .flat_map(|&stride| self.lengths.iter().map(move |&length| Place { length, stride }));
        all.filter(|place| self.takes(*place, element)).collect()
    }

    fn takes(&self, Place { length, stride }: Place, element: u64) -> bool {
        let reach = u64::from(length) * u64::from(stride);
        reach <= MOST_ELEMENTS && reach * element <= self.most_bytes
    }

    /// The longest length that is tried at every stride, whatever the elements: where strides are compared.
    pub fn at_every_stride(&self) -> u32 {
        let widest = self.strides.iter().copied().max().unwrap_or(1);
        let takes = |length: &u32| self.takes(Place { length: *length, stride: widest }, 4);
        self.lengths.iter().copied().filter(takes).max().unwrap_or(64)
    }
}
