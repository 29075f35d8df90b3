use proptest::prelude::*;

use super::*;

/// Layouts as torch's views make them, in every order of dimensions, with gaps.
fn any_layout() -> impl Strategy<Value = Layout> {
    let dims = prop::collection::vec((0u32..5, 0u64..4), 0..5).prop_flat_map(|dims| {
        let order = Just((0..dims.len()).collect::<Vec<_>>()).prop_shuffle();
        (Just(dims), order)
    });
    (dims, 0u64..7).prop_map(|((dims, order), offset)| {
        let (mut sizes, mut strides) = (vec![0; dims.len()], vec![0; dims.len()]);
        let mut stride = 1;
        for &dim in &order {
            (sizes[dim], strides[dim]) = (dims[dim].0, stride);
            stride = stride * u64::from(dims[dim].0.max(1)) + dims[dim].1;
        }
        Layout::strided(&sizes, &strides, offset).unwrap()
    })
}

proptest! {
    #[test]
    fn every_element_is_met_once_in_rising_order(layout in any_layout()) {
        let order = MemoryOrder::new(&layout);
        let mut met = Vec::new();
        order.for_each_row(|first, offset, len| {
            met.extend((0..len).map(|k| (offset + k, order.index(first + k))));
        });
        prop_assert!(met.is_sorted_by(|a, b| a.0 < b.0));
        prop_assert!(met.iter().all(|&(offset, index)| layout.offset_of_flat(index) == offset));
        let mut indices: Vec<_> = met.iter().map(|&(_, index)| index).collect();
        indices.sort_unstable();
        prop_assert_eq!(indices, (0..layout.numel()).collect::<Vec<_>>());
    }
}
