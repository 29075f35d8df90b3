//! Each view against a naive model: a table of offsets, and the coordinates a view takes from it.

use std::vec;
use std::vec::Vec;

use proptest::prelude::*;
use proptest::sample::Index;

use super::super::tests::{any_layout, offsets_by_walking};
use super::*;

/// Every coordinate of these sizes, in row-major order.
fn coordinates(sizes: &[u32]) -> Vec<Vec<u32>> {
    sizes.iter().fold(vec![vec![]], |all, &size| {
        all.into_iter().flat_map(|at| (0..size).map(move |i| [&at[..], &[i]].concat())).collect()
    })
}

/// Has `view` these sizes, and at each coordinate the element that `from` says is there in `layout`?
#[track_caller]
fn check(layout: &Layout, view: &Layout, sizes: &[u32], from: impl Fn(&[u32]) -> Vec<u32>) {
    assert_eq!(view.sizes(), sizes, "{layout:?}");
    let (whole, places) = (offsets_by_walking(layout), coordinates(layout.sizes()));
    let at = |coordinate: &[u32]| whole[places.iter().position(|place| *place == from(coordinate)).unwrap()];
    let expected: Vec<u64> = coordinates(sizes).iter().map(|coordinate| at(coordinate)).collect();
    let one_after_the_other = expected.windows(2).all(|pair| pair[1] == pair[0] + 1);
    assert_eq!(view.is_contiguous(), one_after_the_other, "{layout:?} viewed as {view:?}");
    assert_eq!(offsets_by_walking(view), expected, "{layout:?} viewed as {view:?}");
}

/// A layout of at most 6 dimensions and not many elements, and a number for each choice a test has to make.
fn any_small() -> impl Strategy<Value = (Layout, [Index; 4])> {
    let small =
        any_layout().prop_filter("a few elements", |layout| layout.rank() <= 6 && layout.numel() < 200);
    (small, any::<[Index; 4]>())
}

fn up_to(index: &Index, most: usize) -> usize {
    index.index(most + 1)
}

proptest! {
    #[test]
    fn transpose_and_permute(((layout, [a, b, c, _]), order) in (any_small(), any::<[u8; 8]>())) {
        let rank = layout.rank();
        let mut dims: Vec<usize> = (0..rank).collect();
        dims.sort_by_key(|&dim| order[dim]);
        let sizes: Vec<u32> = dims.iter().map(|&dim| layout.sizes()[dim]).collect();
        check(&layout, &layout.permute(&dims).unwrap(), &sizes, |at| {
            (0..rank).map(|dim| at[dims.iter().position(|&d| d == dim).unwrap()]).collect()
        });
        let (a, b) = (up_to(&a, rank), up_to(&b, rank));
        match layout.transpose(a, b) {
            Ok(view) => {
                dims = (0..rank).collect();
                dims.swap(a, b);
                prop_assert_eq!(view, layout.permute(&dims).unwrap());
            }
            Err(error) => {
                let dim = if a >= rank { a } else { b };
                prop_assert_eq!((dim, error), (rank, LayoutError::NoSuchDim { dim, rank }));
            }
        }
        if rank > 1 {
            dims[0] = dims[1 + c.index(rank - 1)];
            prop_assert_eq!(layout.permute(&dims), Err(LayoutError::PermuteTwice(dims[0])));
            let refused = LayoutError::PermuteCount { dims: rank - 1, rank };
            prop_assert_eq!(layout.permute(&dims[1..]), Err(refused));
        }
    }

    #[test]
    fn slice_narrow_and_select((layout, [dim, a, b, step]) in any_small()) {
        let rank = layout.rank();
        let dim = up_to(&dim, rank);
        let (a, b, step) = (up_to(&a, 6) as u32, up_to(&b, 6) as u32, up_to(&step, 3) as u32);
        if dim == rank {
            let refused = Err(LayoutError::NoSuchDim { dim, rank });
            prop_assert_eq!(layout.slice(dim, a, b, step), refused);
            prop_assert_eq!(layout.narrow(dim, a, b), refused);
            prop_assert_eq!(layout.select(dim, a), refused);
            return Ok(());
        }
        let size = layout.sizes()[dim];
        let replaced = |by: u32| {
            let mut sizes = layout.sizes().to_vec();
            sizes[dim] = by;
            sizes
        };
        let moved = |at: &[u32], to: u32| {
            let mut from = at.to_vec();
            from[dim] = to;
            from
        };
        match layout.slice(dim, a, b, step) {
            Ok(view) => {
                let taken: Vec<u32> = (a..b).step_by(step as usize).collect();
                check(&layout, &view, &replaced(taken.len() as u32), |at| moved(at, taken[at[dim] as usize]));
            }
            Err(error) => {
                prop_assert_eq!(error, LayoutError::BadSlice { start: a, end: b, step, size });
                prop_assert!(a > b || b > size || step == 0);
            }
        }
        match layout.narrow(dim, a, b) {
            Ok(view) => check(&layout, &view, &replaced(b), |at| moved(at, a + at[dim])),
            Err(error) => {
                prop_assert_eq!(error, LayoutError::BadNarrow { start: a, len: b, size });
                prop_assert!(a + b > size);
            }
        }
        match layout.select(dim, a) {
            Ok(view) => {
                let mut sizes = layout.sizes().to_vec();
                sizes.remove(dim);
                check(&layout, &view, &sizes, |at| [&at[..dim], &[a], &at[dim..]].concat());
            }
            Err(error) => {
                prop_assert_eq!(error, LayoutError::NoSuchIndex { dim, index: a, size });
                prop_assert!(a >= size);
            }
        }
    }

    #[test]
    fn expand((layout, [ahead, first, dim, to]) in any_small()) {
        let (ahead, first) = (up_to(&ahead, 2), up_to(&first, 3) as u32);
        let mut sizes = vec![first; ahead];
        sizes.extend(layout.sizes().iter().map(|&size| if size == 1 { up_to(&to, 3) as u32 } else { size }));
        let view = layout.expand(&sizes).unwrap();
        check(&layout, &view, &sizes, |at| {
            at[ahead..].iter().zip(layout.sizes()).map(|(&i, &size)| if size == 1 { 0 } else { i }).collect()
        });
        let repeated = (0..sizes.len()).any(|dim| sizes[dim] > 1 && view.strides()[dim] == 0);
        prop_assert!(view.overlaps_itself() || !repeated || view.numel() == 0, "{:?}", view);
        if layout.rank() > 0 {
            let (dim, rank) = (dim.index(layout.rank()), layout.rank());
            let from = layout.sizes()[dim];
            if from != 1 {
                sizes[ahead + dim] = from + 1;
                prop_assert_eq!(layout.expand(&sizes), Err(LayoutError::ExpandSize { dim, from, to: from + 1 }));
            }
            let refused = LayoutError::ExpandRank { wanted: rank - 1, rank };
            prop_assert_eq!(layout.expand(&layout.sizes()[1..]), Err(refused));
        }
    }

    /// What changes sizes alone: the elements, in row-major order, stay.
    #[test]
    fn reshape_flatten_squeeze_and_unsqueeze((layout, [a, b, _, _]) in any_small()) {
        let (rank, sizes, elements) = (layout.rank(), layout.sizes(), offsets_by_walking(&layout));
        let (first, last) = (up_to(&a, rank), up_to(&b, rank));

        let mut views = vec![(layout.squeeze(), sizes.iter().copied().filter(|&size| size != 1).collect())];
        let mut longer = sizes.to_vec();
        longer.insert(first, 1);
        views.push((layout.unsqueeze(first).unwrap(), longer));
        if first < rank {
            let kept = |&at: &usize| at != first || sizes[at] != 1;
            let kept = (0..rank).filter(kept).map(|at| sizes[at]).collect();
            views.push((layout.squeeze_dim(first).unwrap(), kept));
        } else {
            prop_assert_eq!(layout.squeeze_dim(first), Err(LayoutError::NoSuchDim { dim: first, rank }));
            let refused = LayoutError::NoSuchPlace { dim: rank + 1, rank };
            prop_assert_eq!(layout.unsqueeze(rank + 1), Err(refused));
        }
        let flat = [layout.numel() as u32];
        for (view, sizes) in [
            (layout.reshape(&flat), flat.to_vec()),
            (layout.reshape(&[1, flat[0], 1]), vec![1, flat[0], 1]),
            (layout.flatten(), flat.to_vec()),
            (layout.flatten_dims(first, last), match first <= last && last < rank {
                true => [&sizes[..first], &[sizes[first..=last].iter().product()], &sizes[last + 1..]].concat(),
                false => flat.to_vec(),
            }),
        ] {
            match view {
                Ok(view) => views.push((view, sizes)),
                Err(LayoutError::NotContiguous) => prop_assert!(!layout.is_contiguous()),
                Err(LayoutError::NoSuchDim { dim, .. }) => prop_assert_eq!(dim, rank),
                Err(LayoutError::BadFlatten { .. }) => prop_assert!(first > last),
                Err(error) => prop_assert!(false, "{}", error),
            }
        }
        for (view, sizes) in views {
            prop_assert_eq!(view.sizes(), &sizes[..]);
            prop_assert_eq!(&offsets_by_walking(&view), &elements, "{:?} as {:?}", layout, view);
        }
    }

    /// L15: what torch's views make without expand is no overlapping destination, in any combination.
    #[test]
    fn l15_views_without_expand_do_not_overlap(
        sizes in prop::collection::vec(1u32..7, 0..5),
        chain in prop::collection::vec(any::<(u8, Index, Index, Index)>(), 0..8),
    ) {
        let mut layout = Layout::contiguous(&sizes).unwrap();
        for (kind, dim, a, b) in chain {
            let rank = layout.rank();
            if rank == 0 {
                break;
            }
            let (dim, other) = (dim.index(rank), a.index(rank));
            let size = layout.sizes()[dim] as usize;
            let view = match kind % 5 {
                0 => layout.transpose(dim, other),
                1 => layout.slice(dim, up_to(&a, size / 2) as u32, size as u32, 1 + up_to(&b, 2) as u32),
                2 => layout.select(dim, a.index(size.max(1)) as u32),
                3 => layout.reshape(&[layout.numel() as u32, 1]),
                _ => layout.unsqueeze(dim),
            };
            layout = view.unwrap_or(layout);
            prop_assert!(!layout.overlaps_itself(), "{:?}", layout);
        }
    }
}

/// What a naive model cannot hold: many dimensions, sizes at the limits, and the words.
#[test]
fn limits() {
    let eight = Layout::contiguous(&[1; 8]).unwrap();
    assert_eq!(eight.unsqueeze(0), Err(LayoutError::TooManyDims(9)));
    assert_eq!(eight.expand(&[1; 9]), Err(LayoutError::TooManyDims(9)));
    assert_eq!(eight.squeeze(), Layout::contiguous(&[]).unwrap());
    let wide = Layout::contiguous(&[65535, 65537, 2]).unwrap();
    assert_eq!(wide.flatten(), Err(LayoutError::DimTooLarge(0x1_ffff_fffe)));
    assert_eq!(wide.flatten_dims(0, 1).unwrap().sizes(), [u32::MAX, 2]);
    assert_eq!(wide.reshape(&[2, u32::MAX]).unwrap().strides(), [u64::from(u32::MAX), 1]);
    assert_eq!(
        wide.narrow(0, u32::MAX, 1),
        Err(LayoutError::BadNarrow { start: u32::MAX, len: 1, size: 65535 })
    );
    assert_eq!(wide.expand(&[9, 65535, 65537, 2]).unwrap().extent(), wide.numel());
    let most = Layout::contiguous(&[u32::MAX, u32::MAX]).unwrap();
    assert_eq!(most.expand(&[3, u32::MAX, u32::MAX]), Err(LayoutError::TooLarge));
    let none = Layout::contiguous(&[u32::MAX, u32::MAX, u32::MAX, 0]).unwrap();
    assert_eq!(none.flatten().unwrap().sizes(), [0]);
    assert_eq!(none.flatten_dims(0, 2), Err(LayoutError::DimTooLarge(u64::MAX)));
    assert_eq!(none.reshape(&[5, 1]), Err(LayoutError::ReshapeCount { from: 0, to: 5 }));
    let far = Layout::strided(&[0, 4], &[0, u64::MAX / 2], 9).unwrap();
    assert_eq!(far.select(1, 3), Err(LayoutError::TooLarge));
}

/// The strides of new dimensions are torch's, and an offset is kept by every view.
#[test]
fn strides_as_torch_gives_them() {
    let x = Layout::strided(&[2, 1, 3], &[7, 50, 2], 4).unwrap();
    let table: [(Layout, &[u64]); 9] = [
        (x.unsqueeze(0).unwrap(), &[14, 7, 50, 2]),
        (x.unsqueeze(2).unwrap(), &[7, 50, 6, 2]),
        (x.unsqueeze(3).unwrap(), &[7, 50, 2, 1]),
        (x.squeeze(), &[7, 2]),
        (x.expand(&[2, 1, 3]).unwrap(), &[7, 50, 2]),
        (x.expand(&[2, 5, 3]).unwrap(), &[7, 0, 2]),
        (x.expand(&[1, 2, 1, 3]).unwrap(), &[14, 7, 50, 2]),
        (x.expand(&[1, 5, 2, 1, 3]).unwrap(), &[0, 0, 7, 50, 2]),
        (x.reshape(&[2, 1, 3]).unwrap(), &[7, 50, 2]),
    ];
    for (view, strides) in table {
        assert_eq!((view.strides(), view.offset()), (strides, 4), "{view:?}");
    }
}

/// Every refusal says what to do instead.
#[test]
fn refusals_say_the_way_out() {
    let x = Layout::contiguous(&[2, 3]).unwrap();
    let table = [
        (x.transpose(0, 2), "the tensor has 2 dimensions, counted from 0"),
        (x.permute(&[0]), "a permutation of 1 dimensions, but the tensor has 2: name each of them once"),
        (x.permute(&[1, 1]), "dimension 1 is named twice in a permutation: name each dimension once"),
        (x.slice(0, 2, 1, 1), "must run forwards inside the dimension"),
        (x.narrow(1, 2, 2), "start and length must add up to 3 at most"),
        (x.select(1, 3), "its size is 3, so the last index is 2"),
        (x.narrow(0, 0, 0).and_then(|none| none.select(0, 0)), "the dimension is empty"),
        (x.expand(&[3]), "`select` or `squeeze` takes dimensions away"),
        (x.expand(&[4, 3]), "only a dimension of size 1 repeats, so give 2 or select one index first"),
        (x.reshape(&[5]), "sizes of 5 elements for a tensor of 6: a reshape keeps the number of elements"),
        (x.transpose(0, 1).and_then(|columns| columns.flatten()), "copy it into one of its own first"),
        (x.unsqueeze(3), "the last place is 2"),
        (x.flatten_dims(1, 0), "the first must not come after the last, exchange them"),
    ];
    for (refused, expected) in table {
        let text = std::string::ToString::to_string(&refused.unwrap_err());
        assert!(text.contains(expected), "{text}\ninstead of\n{expected}");
    }
}
