use std::vec::Vec;

use proptest::prelude::*;

use super::*;

#[test]
fn dimensions_that_lie_evenly_are_one_stretch() {
    let table: [(&[u32], &[u64], u64, Stretch); 8] = [
        (&[2, 3], &[3, 1], 5, Stretch { first: 0, len: 6, start: 7, stride: 1 }),
        // Transposed: a stretch a row.
        (&[3, 4], &[1, 3], 5, Stretch { first: 4, len: 4, start: 8, stride: 3 }),
        // Every second column: the rows lie as far apart as their ends.
        (&[2, 3], &[6, 2], 4, Stretch { first: 0, len: 6, start: 7, stride: 2 }),
        (&[2, 3], &[7, 2], 4, Stretch { first: 3, len: 3, start: 14, stride: 2 }),
        // What has size 1 has no distance.
        (&[2, 1, 3, 1], &[9, 99, 3, 99], 4, Stretch { first: 0, len: 6, start: 7, stride: 3 }),
        (&[1, 1], &[9, 5], 0, Stretch { first: 0, len: 1, start: 7, stride: 0 }),
        (&[2, 3], &[0, 0], 4, Stretch { first: 0, len: 6, start: 7, stride: 0 }),
        (&[], &[], 0, Stretch { first: 0, len: 1, start: 7, stride: 0 }),
    ];
    for (sizes, strides, index, expected) in table {
        let layout = Layout::strided(sizes, strides, 7).unwrap();
        assert_eq!(layout.stretch_at(index), Some(expected), "{sizes:?} {strides:?}");
        assert_eq!(layout.stretch_at(layout.numel()), None, "{sizes:?} {strides:?}");
    }
}

#[test]
fn an_empty_layout_has_no_stretch_and_none_has_no_index() {
    assert_eq!(Layout::contiguous(&[3, 0, 2]).unwrap().stretch_at(0), None);
    assert_eq!(Stretch::NONE.offset_of(0), None);
}

/// Numbers as large as they get, without an overflow.
#[test]
fn the_last_element_of_the_largest_layouts() {
    for (sizes, strides) in [
        (&[u32::MAX, u32::MAX][..], &[1, u64::from(u32::MAX)][..]),
        (&[2, 2], &[1, u64::MAX - 2]),
        (&[2, 1, 2], &[u64::MAX - 2, u64::MAX, 1]),
    ] {
        let layout = Layout::strided(sizes, strides, 0).unwrap();
        let last = layout.numel() - 1;
        assert_eq!(layout.stretch_at(last).unwrap().offset_of(last), Some(layout.extent() - 1));
    }
}

proptest! {
    /// Stretches follow one another, and hold every element where `offset_of_flat` finds it.
    #[test]
    fn stretches_are_the_layout(
        dims in prop::collection::vec((1u32..5, prop_oneof![0u64..30, Just(1)]), 0..6),
        turned in any::<bool>(),
        offset in 0u64..100,
    ) {
        let sizes: Vec<u32> = dims.iter().map(|&(size, _)| size).collect();
        let strides: Vec<u64> = dims.iter().map(|&(_, stride)| stride).collect();
        let mut layout = Layout::strided(&sizes, &strides, offset).unwrap();
        if turned {
            let order: Vec<usize> = (0..sizes.len()).rev().collect();
            layout = Layout::contiguous(&sizes).unwrap().permute(&order).unwrap();
        }
        let mut first = 0;
        while let Some(stretch) = layout.stretch_at(first) {
            prop_assert_eq!((stretch.first, stretch.offset_of(first.wrapping_sub(1))), (first, None));
            for index in first..first + stretch.len {
                prop_assert_eq!(layout.stretch_at(index), Some(stretch));
                prop_assert_eq!(stretch.offset_of(index), Some(layout.offset_of_flat(index)));
            }
            first += stretch.len;
            prop_assert_eq!(stretch.offset_of(first), None);
        }
        prop_assert_eq!(first, layout.numel());
    }
}
