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
        order.for_each_part(&|_| true, &mut |part| {
            let Part::Row { first, offset, elements } = part else { panic!("{part:?}") };
            met.extend((0..elements).map(|k| (offset + k, order.index(first + k))));
        });
        prop_assert!(met.is_sorted_by(|a, b| a.0 < b.0));
        prop_assert!(met.iter().all(|&(offset, index)| layout.offset_of_flat(index) == offset));
        let mut indices: Vec<_> = met.iter().map(|&(_, index)| index).collect();
        indices.sort_unstable();
        prop_assert_eq!(indices, (0..layout.numel()).collect::<Vec<_>>());
    }

    /// Parts come in order and leave nothing out, and in a blank one no element was written.
    #[test]
    fn parts_are_all_there_is(
        layout in any_layout(),
        repeats in 1u32..200,
        written in prop::collection::vec(0u64..40_000, 0..4),
    ) {
        // An outer dimension of more rows than are looked at one by one.
        let apart = layout.extent().max(1) + 3;
        let sizes: Vec<u32> = [repeats].into_iter().chain(layout.sizes().iter().copied()).collect();
        let strides: Vec<u64> = [apart].into_iter().chain(layout.strides().iter().copied()).collect();
        let layout = Layout::strided(&sizes, &strides, layout.offset()).unwrap();
        let order = MemoryOrder::new(&layout);
        let mut next = 0;
        let was_written = |span: Range<u64>| written.iter().any(|offset| span.contains(offset));
        order.for_each_part(&was_written, &mut |part| {
            let positions = match part {
                Part::Row { first, elements, .. } => first..first + elements,
                Part::Blank(positions) => {
                    let mut offsets =
                        positions.clone().map(|position| layout.offset_of_flat(order.index(position)));
                    assert!(offsets.all(|offset| !written.contains(&offset)));
                    positions
                }
            };
            assert_eq!(positions.start, next);
            next = positions.end;
        });
        prop_assert_eq!(next, layout.numel());
    }

    #[test]
    fn the_lowest_index_is_that_of_no_element_before(layout in any_layout(), ends in [0u64..400, 0u64..400]) {
        prop_assume!(layout.numel() > 0);
        let [a, b] = ends.map(|end| end % layout.numel());
        let order = MemoryOrder::new(&layout);
        let positions = a.min(b)..a.max(b) + 1;
        let lowest = positions.clone().map(|position| order.index(position)).min();
        prop_assert_eq!(Some(order.lowest_index(positions)), lowest);
    }
}

/// Nobody wrote to a thousand million million elements: one part says so.
#[test]
fn what_nobody_wrote_is_one_part() {
    let layout = Layout::strided(&[1 << 25, 1 << 25], &[3 << 25, 2], 5).unwrap();
    let order = MemoryOrder::new(&layout);
    let mut parts = Vec::new();
    order.for_each_part(&|_| false, &mut |part| parts.push(part));
    assert_eq!(parts, [Part::Blank(0..1 << 50)]);
    // One element written: its neighbours are looked at, the others are not.
    let mut rows = 0;
    let last = layout.extent() - 1;
    order.for_each_part(&|span| span.contains(&last), &mut |part| {
        rows += u64::from(matches!(part, Part::Row { .. }))
    });
    assert!(rows <= 64, "{rows}");
}
