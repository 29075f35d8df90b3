use std::vec::Vec as List;
use std::{format, vec};

use proptest::prelude::*;

use super::*;
use crate::words::heap::Holder;

#[track_caller]
fn site() -> Site {
    core::panic::Location::caller()
}

fn starts(heap: &Heap) -> List<(u64, u64)> {
    heap.blocks().map(|block| (block.start, block.asked)).collect()
}

#[test]
fn blocks_come_one_after_another_at_multiples_of_the_alignment() {
    let mut heap = Heap::new(0x8_0000, 16 << 10);
    let mut next = |bytes, align| heap.allocate(bytes, align, site()).unwrap() - 0x8_0000;
    assert_eq!(
        [next(100, 64), next(1, 64), next(4096, 4096), next(3, 1), next(8, 8)],
        [0, 128, 4096, 8192, 8200]
    );
    assert_eq!(heap.free_bytes(), (16 << 10) - 8208);
    let held: List<_> = heap.blocks().map(|block| block.held).collect();
    assert_eq!(held, [100, 29, 8192 - 129, 3, 13], "what aligning skipped stays with the block");
}

#[test]
fn four_streams_fill_a_pool_and_the_fifth_is_told_so() {
    let mut heap = Heap::new(0x8_0000, 16 << 10);
    let line = site();
    (0..4).for_each(|_| _ = heap.allocate(4096, 64, line).unwrap());
    let Err(HeapError::NoFit(state)) = heap.allocate(4096, 64, line) else { panic!() };
    assert_eq!(
        (state.asked(), state.align(), state.free(), state.largest(), state.pool()),
        (4096, 64, 0, 0, 16 << 10)
    );
    assert!(!state.is_fragmented());
    assert_eq!(state.holders().collect::<List<_>>(), [Holder { blocks: 4, bytes: 16 << 10, site: line }]);
    let at = format!("{}:{}:{}", line.file(), line.line(), line.column());
    assert_eq!(
        format!("{state}"),
        format!(
            "exhausted: 0 of 16384 bytes are free, the largest hole has room for 0; in use are 16384 bytes in 4 \
             blocks from {at}"
        )
    );
}

#[test]
fn the_first_hole_that_has_room_is_taken() {
    let mut heap = Heap::new(0, 1024);
    for bytes in [128, 64, 256, 64] {
        heap.allocate(bytes, 64, site()).unwrap();
    }
    assert_eq!((heap.free(0), heap.free(192)), (Ok(128), Ok(256)));
    assert_eq!(heap.allocate(129, 64, site()), Ok(192), "the first is too small");
    assert_eq!(heap.allocate(65, 64, site()), Ok(0));
    assert_eq!(heap.allocate(64, 64, site()), Ok(384), "behind 321 is room, at 384");
}

#[test]
fn what_is_fragmented_is_not_called_exhausted() {
    let mut heap = Heap::new(64, 1024);
    (0..8).for_each(|_| _ = heap.allocate(128, 64, site()).unwrap());
    (0..8).step_by(2).for_each(|at| _ = heap.free(64 + at * 128).unwrap());
    let Err(HeapError::NoFit(state)) = heap.allocate(200, 64, site()) else { panic!() };
    assert_eq!((state.free(), state.largest()), (512, 128));
    assert!(
        state.is_fragmented() && format!("{state}").starts_with("fragmented: 512 of 1024 bytes are free")
    );
    // None of the holes has a multiple of 512 in it.
    let Err(HeapError::NoFit(state)) = heap.allocate(128, 512, site()) else { panic!() };
    assert_eq!((state.largest(), heap.largest_free(1), state.is_fragmented()), (0, 128, true));
    // Where no block is, nothing is in pieces: there is no multiple of 2048 from 64 on that 1024 bytes reach.
    let Err(HeapError::NoFit(state)) = Heap::new(64, 1024).allocate(128, 2048, site()) else { panic!() };
    assert_eq!((state.free(), state.largest(), state.is_fragmented()), (1024, 0, false));
}

#[test]
fn holes_grow_together_on_both_sides() {
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let mut heap = Heap::new(64, 192);
        (0..3).for_each(|_| _ = heap.allocate(64, 64, site()).unwrap());
        for at in order {
            assert_eq!(heap.free(64 + at * 64), Ok(64));
        }
        assert_eq!((heap.largest_free(64), heap.blocks.len()), (192, 1), "{order:?}");
    }
}

#[test]
fn a_rest_of_4_bytes_stays_with_the_block() {
    let mut heap = Heap::new(0, 100);
    assert_eq!(heap.allocate(96, 64, site()), Ok(0));
    assert_eq!(heap.free_bytes(), 0);
    assert_eq!(heap.free(0), Ok(96));
    assert_eq!(heap.allocate(95, 64, site()), Ok(0));
    assert_eq!(heap.free_bytes(), 5);
}

#[test]
fn the_last_descriptor_takes_all_that_is_left() {
    let mut heap = Heap::new(0, 1 << 20);
    (0..31).for_each(|at| assert_eq!(heap.allocate(10, 64, site()), Ok(at * 64)));
    assert_eq!(heap.allocate(10, 64, site()), Ok(31 * 64));
    let last = heap.blocks().last().unwrap();
    assert_eq!((last.asked, last.held), (10, (1 << 20) - 30 * 64 - 10));
    let Err(HeapError::NoFit(state)) = heap.allocate(1, 1, site()) else { panic!() };
    assert!(format!("{state}").contains(", and all 32 block descriptors are in use; "), "{state}");
    // Given back, it can be split again once another descriptor is.
    assert_eq!((heap.free(31 * 64), heap.free(30 * 64)), (Ok(10), Ok(10)));
    assert_eq!((heap.allocate(10, 64, site()), heap.allocate(10, 64, site())), (Ok(30 * 64), Ok(31 * 64)));
}

#[test]
fn bad_requests_change_nothing() {
    let mut heap = Heap::new(0, 4096);
    assert_eq!(heap.allocate(0, 64, site()), Err(HeapError::Nothing));
    for align in [0, 3, 96, u64::MAX] {
        assert_eq!(heap.allocate(1, align, site()), Err(HeapError::Align(align)));
    }
    for (bytes, align) in [(4097, 1), (u64::MAX, 64), (1, 1 << 63)] {
        // The heap begins at 0, which is a multiple of everything.
        let fits = heap.allocate(bytes, align, site());
        assert_eq!(fits.is_ok(), bytes == 1, "{bytes} at {align}");
    }
    assert_eq!(heap.free(0), Ok(1));
    let mut high = Heap::new(u64::MAX - 100, 1000);
    assert_eq!((high.bytes(), high.largest_free(1 << 32)), (100, 0));
    assert!(matches!(high.allocate(1, 1 << 32, site()), Err(HeapError::NoFit(_))));
    assert_eq!(Heap::new(64, u64::MAX).largest_free(64), u64::from(u32::MAX));
    let mut empty = Heap::new(0, 0);
    assert!(matches!(empty.allocate(1, 1, site()), Err(HeapError::NoFit(_))));
    assert_eq!((empty.free(0), empty.blocks().count()), (Err(FreeError::Outside), 0));
}

#[test]
fn what_is_not_a_block_is_not_given_back() {
    let mut heap = Heap::new(32, 4096);
    let line = site();
    assert_eq!(heap.allocate(100, 64, line), Ok(64));
    assert_eq!(heap.free(0), Err(FreeError::Outside));
    assert_eq!(heap.free(32 + 4096), Err(FreeError::Outside));
    assert_eq!(heap.free(32), Err(FreeError::Inside { offset: -32, site: line }));
    assert_eq!(heap.free(65), Err(FreeError::Inside { offset: 1, site: line }));
    assert_eq!(heap.free(164), Err(FreeError::Free));
    assert_eq!((heap.free(64), heap.free(64)), (Ok(100), Err(FreeError::Free)));
    assert_eq!(heap.free_bytes(), 4096);
}

#[test]
fn the_lines_that_hold_most_are_named() {
    let mut heap = Heap::new(0, 4096);
    let lines = [site(), site(), site(), site(), site()];
    for (line, bytes) in [(0, 64), (1, 128), (0, 128), (2, 64), (3, 1024), (4, 256)] {
        heap.allocate(bytes, 64, lines[line]).unwrap();
    }
    let Err(HeapError::NoFit(state)) = heap.allocate(4096, 64, site()) else { panic!() };
    let held: List<_> = state.holders().map(|holder| (holder.site, holder.blocks, holder.bytes)).collect();
    assert_eq!(held, [(lines[3], 1, 1024), (lines[4], 1, 256), (lines[0], 2, 192)]);
    assert_eq!(state.other_holders(), 2);
    assert!(format!("{state}").ends_with(", and what 2 more lines hold"), "{state}");
}

/// A heap as a map of its bytes: whose each is, by the start of the block; `None` of those that are free.
struct Bytes {
    from: u64,
    owner: List<Option<u64>>,
    live: List<Live>,
}

impl Bytes {
    fn new(from: u64, bytes: u64) -> Self {
        Self { from, owner: vec![None; bytes as usize], live: List::new() }
    }

    /// Ranges of free bytes, each as long as it can be.
    fn holes(&self) -> List<(u64, u64)> {
        let mut holes: List<(u64, u64)> = List::new();
        for (at, _) in self.owner.iter().enumerate().filter(|(_, owner)| owner.is_none()) {
            let at = self.from + at as u64;
            match holes.last_mut() {
                Some((_, end)) if *end == at => *end += 1,
                _ => holes.push((at, at + 1)),
            }
        }
        holes
    }

    fn largest(&self, align: u64) -> u64 {
        let room = |(from, end): (u64, u64)| end.saturating_sub(from.next_multiple_of(align));
        self.holes().into_iter().map(room).max().unwrap_or(0)
    }

    fn free_bytes(&self) -> u64 {
        self.owner.iter().filter(|owner| owner.is_none()).count() as u64
    }

    fn allocate(&mut self, bytes: u64, align: u64, site: Site) -> Option<u64> {
        let holes = self.holes();
        let fits = |&&(from, end): &&(u64, u64)| from.next_multiple_of(align) + bytes <= end;
        let &(from, end) = holes.iter().find(fits)?;
        let start = from.next_multiple_of(align);
        let rest = end - start - bytes;
        let splits = rest > 4 && holes.len() + self.live.len() < 32;
        let until = if splits { start + bytes } else { end };
        self.set(from..until, Some(start));
        self.live.push(Live { start, asked: bytes, held: until - from, site });
        self.live.sort_by_key(|block| block.start);
        Some(start)
    }

    fn free(&mut self, start: u64) -> Option<u64> {
        let at = self.live.iter().position(|block| block.start == start)?;
        self.owner.iter_mut().filter(|owner| **owner == Some(start)).for_each(|owner| *owner = None);
        Some(self.live.remove(at).asked)
    }

    fn set(&mut self, range: core::ops::Range<u64>, owner: Option<u64>) {
        for at in range {
            let byte = &mut self.owner[(at - self.from) as usize];
            assert_ne!(byte.is_some(), owner.is_some(), "byte {at} is handed out twice");
            *byte = owner;
        }
    }
}

#[derive(Clone, Debug)]
enum Step {
    Allocate {
        bytes: u64,
        align: u32,
    },
    /// One of those in use.
    Free(prop::sample::Index),
    /// Whatever is there.
    FreeAt(u64),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        5 => (1u64..120, 0u32..9).prop_map(|(bytes, align)| Step::Allocate { bytes, align }),
        1 => (1u64..2000, 0u32..9).prop_map(|(bytes, align)| Step::Allocate { bytes, align }),
        3 => any::<prop::sample::Index>().prop_map(Step::Free),
        1 => (0u64..2400).prop_map(Step::FreeAt),
    ]
}

proptest! {
    /// It does what a map of its bytes does, to the byte: the same addresses, the same holes, nothing lost.
    #[test]
    fn as_a_map_of_bytes(
        from in 0u64..300, bytes in 1u64..2000, steps in prop::collection::vec(step(), 0..150),
    ) {
        let (mut heap, mut model) = (Heap::new(from, bytes), Bytes::new(from, bytes));
        for step in steps {
            match step {
                Step::Allocate { bytes: asked, align } => {
                    let align = 1 << align;
                    let (free, largest) = (model.free_bytes(), model.largest(align));
                    match (heap.allocate(asked, align, site()), model.allocate(asked, align, site())) {
                        (Ok(start), Some(expected)) => prop_assert_eq!(start, expected),
                        (Err(HeapError::NoFit(state)), None) => {
                            let found = (state.asked(), state.align(), state.free(), state.largest(), state.pool());
                            prop_assert_eq!(found, (asked, align, free, largest, bytes));
                            prop_assert!(largest < asked);
                        }
                        (found, expected) => prop_assert!(false, "{found:?} instead of {expected:?}"),
                    }
                }
                Step::Free(which) if !model.live.is_empty() => {
                    let start = which.get(&model.live).start;
                    prop_assert_eq!(heap.free(start).ok(), model.free(start));
                }
                Step::Free(_) => {}
                Step::FreeAt(addr) => {
                    let (found, expected) = (heap.free(addr), model.free(addr));
                    prop_assert_eq!(found.ok(), expected);
                    let owner = addr.checked_sub(from).and_then(|at| model.owner.get(at as usize));
                    match found {
                        Ok(_) => {}
                        Err(FreeError::Outside) => prop_assert_eq!(owner, None),
                        Err(FreeError::Free) => prop_assert_eq!(owner, Some(&None)),
                        Err(FreeError::Inside { offset, .. }) => {
                            prop_assert_eq!(owner, Some(&Some(addr.wrapping_add_signed(-offset))));
                        }
                        Err(FreeError::Owned { .. }) => prop_assert!(false, "a heap knows no owners"),
                    }
                }
            }
            let places = |block: Live| (block.start, block.asked, block.held);
            prop_assert!(heap.blocks().map(places).eq(model.live.iter().copied().map(places)));
            prop_assert_eq!(heap.free_bytes(), model.free_bytes());
            prop_assert_eq!(heap.largest_free(1), model.largest(1));
            prop_assert_eq!(heap.blocks.len(), model.holes().len() + model.live.len());
        }
        for (start, asked) in starts(&heap) {
            prop_assert_eq!(heap.free(start), Ok(asked));
        }
        prop_assert_eq!((heap.free_bytes(), heap.largest_free(1), heap.blocks.len()), (bytes, bytes, 1));
        prop_assert_eq!(heap.allocate(bytes, 1, site()), Ok(from));
    }
}
