use std::vec::Vec;

use proptest::prelude::*;

use super::*;

/// L09: torch's contiguity rule, dimensions of size 1 included.
#[test]
fn l09_contiguity_ignores_strides_of_size_one_dims() {
    let table: [(&[u32], &[u64], bool); 8] = [
        (&[1, 4], &[999, 1], true),
        (&[4, 1], &[1, 7], true),
        (&[1, 1, 13, 13], &[13, 13, 1, 0], false),
        (&[2, 3], &[3, 1], true),
        (&[2, 3], &[1, 2], false),
        (&[2, 0, 3], &[77, 5, 9], true),
        (&[], &[], true),
        (&[3], &[0], false),
    ];
    for (sizes, strides, expected) in table {
        let layout = Layout::strided(sizes, strides, 0).unwrap();
        assert_eq!(layout.is_contiguous(), expected, "{sizes:?} {strides:?}");
    }
}

/// L13: the extent follows the strides, not the product of the sizes.
#[test]
fn l13_extent_follows_strides() {
    assert_eq!(Layout::strided(&[672, 3, 3], &[16, 1, 4], 0).unwrap().extent(), 10747);
    assert_eq!(Layout::strided(&[2, 3], &[10, 4], 0).unwrap().extent(), 19);
    assert_eq!(Layout::strided(&[2, 3], &[10, 4], 5).unwrap().extent(), 24);
    assert_eq!(Layout::strided(&[2, 0], &[10, 4], 5).unwrap().extent(), 0);
}

/// L15: several elements in one place are seen; what torch makes by transposing and slicing is not taken for it.
#[test]
fn l15_overlapping_elements_are_seen() {
    let table: [(&[u32], &[u64], bool); 7] = [
        (&[3], &[0], true),
        (&[1], &[0], false),
        (&[2, 3], &[1, 1], true),
        (&[3, 2], &[1, 3], false),
        (&[2, 3], &[8, 2], false),
        (&[0, 3], &[0, 0], false),
        (&[], &[], false),
    ];
    for (sizes, strides, expected) in table {
        let layout = Layout::strided(sizes, strides, 5).unwrap();
        assert_eq!(layout.overlaps_itself(), expected, "{sizes:?} {strides:?}");
    }
}

#[test]
fn refusals() {
    let too_many = [1; 9];
    assert_eq!(Layout::contiguous(&too_many), Err(LayoutError::TooManyDims(9)));
    assert_eq!(
        Layout::strided_signed(&[2, 2], &[2, -1], 0),
        Err(LayoutError::NegativeStride { dim: 1, stride: -1 })
    );
    assert_eq!(Layout::strided_signed(&too_many, &[1; 9], 0), Err(LayoutError::TooManyDims(9)));
    assert_eq!(Layout::strided_signed(&[1; 8], &[1; 8], 3), Layout::strided(&[1; 8], &[1; 8], 3));
    assert_eq!(Layout::strided(&[2, 2], &[2], 0), Err(LayoutError::RankMismatch { sizes: 2, strides: 1 }));
    assert_eq!(Layout::contiguous(&[u32::MAX; 8]), Err(LayoutError::TooLarge));
    assert_eq!(Layout::strided(&[2], &[u64::MAX], 1), Err(LayoutError::TooLarge));
}

#[test]
fn an_empty_tensor_of_absurd_sizes_is_empty() {
    for sizes in [[u32::MAX, u32::MAX, u32::MAX, 0], [0, u32::MAX, u32::MAX, u32::MAX]] {
        let layout = Layout::contiguous(&sizes).unwrap();
        assert_eq!((layout.numel(), layout.extent(), layout.is_contiguous()), (0, 0, true));
    }
}

/// What reports show of a layout: strides where they are not those of the sizes, the offset where there is one.
#[test]
fn a_layout_shows_what_its_sizes_do_not_say() {
    let table: [(&[u32], &[u64], u64, &str); 5] = [
        (&[2, 3], &[3, 1], 0, "[2, 3]"),
        (&[2, 3], &[3, 1], 6, "[2, 3] offset 6"),
        (&[3, 2], &[1, 3], 0, "[3, 2] strides [1, 3]"),
        (&[2], &[0], 1, "[2] strides [0] offset 1"),
        (&[], &[], 0, "[]"),
    ];
    for (sizes, strides, offset, shown) in table {
        assert_eq!(std::format!("{:?}", Layout::strided(sizes, strides, offset).unwrap()), shown);
    }
}

pub(crate) fn any_layout() -> impl Strategy<Value = Layout> {
    prop::collection::vec((0u32..5, 0u64..20), 0..=8).prop_flat_map(|dims| {
        let (sizes, strides): (Vec<_>, Vec<_>) = dims.into_iter().unzip();
        (0u64..9).prop_map(move |offset| Layout::strided(&sizes, &strides, offset).unwrap())
    })
}

/// The obvious way: walk every coordinate in row-major order.
pub(crate) fn offsets_by_walking(layout: &Layout) -> Vec<u64> {
    let mut offsets = std::vec![layout.offset()];
    for (&size, &stride) in layout.sizes().iter().zip(layout.strides()) {
        offsets = offsets
            .into_iter()
            .flat_map(|base| (0..u64::from(size)).map(move |i| base + i * stride))
            .collect();
    }
    offsets
}

proptest! {
    #[test]
    fn flat_offsets_equal_a_walk_over_coordinates(layout in any_layout()) {
        let walked = offsets_by_walking(&layout);
        prop_assert_eq!(layout.numel(), walked.len() as u64);
        prop_assert_eq!(layout.extent(), walked.iter().max().map_or(0, |last| last + 1));
        for (index, &offset) in walked.iter().enumerate() {
            prop_assert_eq!(layout.offset_of_flat(index as u64), offset);
        }
        let mut distinct = walked.clone();
        distinct.sort_unstable();
        distinct.dedup();
        prop_assert!(layout.overlaps_itself() || distinct.len() == walked.len());
        let in_order = walked.iter().enumerate().all(|(i, &o)| o == layout.offset() + i as u64);
        prop_assert!(!layout.is_contiguous() || in_order);
    }
}
