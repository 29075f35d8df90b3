//! [`Picoseconds`]: modelled time.

use std::fmt;
use std::ops::{Add, Sub};

/// Modelled time: whole picoseconds, so that sums depend on no order. It ends at 213 days, where it stays.
///
/// ```
/// use neuron_host_sim::cost::Picoseconds;
/// let tile = Picoseconds::new(1_540_941);
/// assert_eq!((tile.to_string().as_str(), tile.as_ns()), ("1.540 µs", 1540.941));
/// assert_eq!(tile + tile - tile, tile);
/// assert_eq!(Picoseconds::new(600).to_string(), "0.600 ns");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Picoseconds(u64);

impl Picoseconds {
    /// No time.
    pub const ZERO: Self = Self(0);

    /// So many picoseconds.
    pub const fn new(picoseconds: u64) -> Self {
        Self(picoseconds)
    }

    /// How many picoseconds.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// In nanoseconds.
    pub fn as_ns(self) -> f64 {
        self.0 as f64 / 1e3
    }

    /// In seconds.
    pub fn as_seconds(self) -> f64 {
        self.0 as f64 / 1e12
    }
}

impl Add for Picoseconds {
    type Output = Self;

    /// At most the longest time there is.
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Picoseconds {
    type Output = Self;

    /// At least no time.
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl std::iter::Sum for Picoseconds {
    fn sum<I: Iterator<Item = Self>>(times: I) -> Self {
        times.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Picoseconds {
    /// With three places after the point, cut off; in ns, µs, ms or s.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, name) = match self.0 {
            0..1_000_000 => (1_000, "ns"),
            1_000_000..1_000_000_000 => (1_000_000, "µs"),
            1_000_000_000..1_000_000_000_000 => (1_000_000_000, "ms"),
            _ => (1_000_000_000_000, "s"),
        };
        f.pad(&format!("{}.{:03} {name}", self.0 / unit, self.0 % unit / (unit / 1_000)))
    }
}
