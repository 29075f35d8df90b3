//! Who works on what: splitting a range over the cores of a launch, and cutting a core's share into tiles.

use core::ops::{Bound, Range, RangeBounds};

/// A core's share of `0..n`, from `part` of `parts`: union exact, no overlap, sizes that differ by at most one, the
/// longer shares first.
///
/// # Panics
/// If `parts` is 0 or `part` is not below it.
pub(crate) fn balanced(n: u64, part: u32, parts: u32) -> Range<u64> {
    assert!(part < parts, "part {part} of {parts}");
    let (part, parts) = (u64::from(part), u64::from(parts));
    let (share, longer) = (n / parts, n % parts);
    let start = part * share + part.min(longer);
    start..start + share + u64::from(part < longer)
}

/// The ceiling split: shares of `ceil(n / parts)`, the last ones shorter or empty.
///
/// # Panics
/// If `parts` is 0 or `part` is not below it.
pub(crate) fn ceiling(n: u64, part: u32, parts: u32) -> Range<u64> {
    assert!(part < parts, "part {part} of {parts}");
    let share = n.div_ceil(u64::from(parts));
    let start = (u64::from(part) * share).min(n);
    start..start.saturating_add(share).min(n)
}

/// A core's share of an index range, counted in whatever the range counts: elements, rows. Iterate over it,
/// or cut it into [`tiles`](Self::tiles).
///
/// ```
/// # use neuron_device::{FlatPlatform, Q7};
/// # Q7::enter(&mut FlatPlatform::new(1, 4, &mut []), |q7| {
/// // On core 1 of 4:
/// let share = q7.partition(10);
/// assert_eq!((share.start(), share.end()), (3, 6));
/// assert_eq!(share.into_iter().collect::<Vec<u32>>(), [3, 4, 5]);
/// # });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partition<I> {
    start: I,
    end: I,
}

macro_rules! partitions {
    ($($index:ty),*) => {$(
        impl Partition<$index> {
            pub(crate) fn new(range: Range<u64>) -> Self {
                // The share of a range that fits the index type fits it too.
                Self { start: range.start as $index, end: range.end as $index }
            }

            /// First index of the share.
            pub const fn start(self) -> $index {
                self.start
            }

            /// One past the last index.
            pub const fn end(self) -> $index {
                self.end
            }

            /// How many indices there are.
            pub const fn len(self) -> $index {
                self.end - self.start
            }

            /// Has this core nothing to do?
            pub const fn is_empty(self) -> bool {
                self.start == self.end
            }

            /// The share in pieces of `tile` indices, the last one shorter.
            ///
            /// # Panics
            /// If `tile` is 0.
            #[track_caller]
            pub const fn tiles(self, tile: u32) -> Tiles {
                assert!(tile > 0, "a tile must hold at least one element");
                Tiles { next: self.start as u64, end: self.end as u64, tile }
            }
        }

        impl RangeBounds<$index> for Partition<$index> {
            fn start_bound(&self) -> Bound<&$index> {
                Bound::Included(&self.start)
            }

            fn end_bound(&self) -> Bound<&$index> {
                Bound::Excluded(&self.end)
            }
        }

        impl IntoIterator for Partition<$index> {
            type Item = $index;
            type IntoIter = Range<$index>;

            #[inline]
            fn into_iter(self) -> Range<$index> {
                self.start..self.end
            }
        }
    )*};
}
partitions!(u32, u64);

/// A piece of a core's share: `len` indices from `offset`.
///
/// ```
/// # use neuron_device::{FlatPlatform, Q7, Span};
/// # Q7::enter(&mut FlatPlatform::new(0, 2, &mut []), |q7| {
/// // On core 0 of 2, whose share of 100 is 0..50:
/// let spans: Vec<Span> = q7.partition_flat(100).tiles(16).collect();
/// assert_eq!(spans.last(), Some(&Span { offset: 48, len: 2 }));
/// assert_eq!(spans.iter().map(|span| span.len).sum::<u32>(), 50);
/// # });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// First index.
    pub offset: u64,
    /// How many.
    pub len: u32,
}

/// The pieces of a core's share; see [`Partition::tiles`].
///
/// ```
/// # use neuron_device::{FlatPlatform, Q7};
/// # Q7::enter(&mut FlatPlatform::new(0, 2, &mut []), |q7| {
/// // On core 0 of 2, whose share of 10 is 0..5:
/// let tiles: Vec<_> = q7.partition_flat(10).tiles(2).map(|span| (span.offset, span.len)).collect();
/// assert_eq!(tiles, [(0, 2), (2, 2), (4, 1)]);
/// # });
/// ```
#[derive(Clone, Debug)]
pub struct Tiles {
    next: u64,
    end: u64,
    tile: u32,
}

impl Iterator for Tiles {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        if self.next == self.end {
            return None;
        }
        let len = u64::from(self.tile).min(self.end - self.next);
        let span = Span { offset: self.next, len: len as u32 };
        self.next += len;
        Some(span)
    }
}

#[cfg(test)]
mod tests;
