use neuron_device::Layout;

use super::row_elements;

#[test]
fn a_row_ends_where_a_gap_begins() {
    let table: [(&[u32], &[u64], u64); 9] = [
        (&[], &[], 1),
        (&[5], &[1], 5),
        (&[5], &[2], 1),
        (&[2, 3], &[3, 1], 6),
        (&[2, 3], &[4, 1], 3),
        (&[2, 3], &[1, 2], 1),
        (&[2, 1, 3], &[3, u64::MAX, 1], 6),
        (&[3, 1], &[1, 999], 3),
        (&[65535, 65535], &[65535, 1], 4_294_836_225),
    ];
    for (sizes, strides, row) in table {
        assert_eq!(row_elements(&Layout::strided(sizes, strides, 7).unwrap()), row, "{sizes:?} {strides:?}");
    }
}

/// No row of nothing: a caller may divide by its length.
#[test]
fn rows_of_an_empty_layout_are_not_empty() {
    for sizes in [&[0][..], &[0, 4], &[4, 0], &[2, 0, 3]] {
        assert!(row_elements(&Layout::contiguous(sizes).unwrap()) > 0, "{sizes:?}");
    }
}
