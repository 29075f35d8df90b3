use neuron_device::MAX_RANK;
use proptest::prelude::*;

use super::*;

proptest! {
    /// Whatever the layout, the element found is at the offset; and every element's offset has one.
    #[test]
    fn an_offset_leads_to_an_element_that_is_there(
        dims in prop::collection::vec((1u32..5, 0u64..14), 0..MAX_RANK.min(5)),
        first in 0u64..20,
    ) {
        let (sizes, strides): (Vec<_>, Vec<_>) = dims.into_iter().unzip();
        let layout = Layout::strided(&sizes, &strides, first).unwrap();
        let offsets: Vec<u64> = (0..layout.numel()).map(|index| layout.offset_of_flat(index)).collect();
        for offset in 0..layout.extent() + 3 {
            match index_of(&layout, offset) {
                Some(index) => prop_assert_eq!(offsets[index as usize], offset),
                None => prop_assert!(!offsets.contains(&offset)),
            }
        }
    }
}

#[test]
fn coordinates_count_in_row_major_order() {
    let layout = Layout::contiguous(&[2, 3, 4]).unwrap();
    assert_eq!(coordinates(&layout, 0), [0, 0, 0]);
    assert_eq!(coordinates(&layout, 23), [1, 2, 3]);
    assert_eq!(coordinates(&Layout::contiguous(&[]).unwrap(), 0), [0u64; 0]);
}
