//! Random chains of views, made on the host, in HBM and in kernels, against each other and against ndarray's.

pub(crate) mod chain;

use ndarray::{ArrayViewD, Axis, Slice};
use neuron_device::prelude::*;
use neuron_host_sim::{HostTensor, Verdict, args};
use proptest::prelude::*;

use self::chain::{Seed, View, Viewed};
use crate::simulator;

/// Copies a view of `x`, made here, to an output of its sizes, which are those of `like`.
#[custom_op]
fn copied_view(q7: &Q7, like: &Tensor, x: &Tensor, seeds: &Tensor, out: &mut Tensor) -> Result<()> {
    let view = x.chained(&seeds_of(q7, seeds)?, true);
    if view.sizes() != like.sizes() {
        return Err(Error::message("is viewed otherwise than on the host").about("x"));
    }
    let (src, dst) = (view.elements::<i32>(q7)?, out.elements_mut::<i32>(q7)?);
    q7.partition_flat(dst.numel()).into_iter().for_each(|i| dst.set(i, src.get(i)));
    Ok(())
}

/// Copies `x` to a view of the output, made here; the output is like `like`.
#[custom_op]
fn written_view(q7: &Q7, like: &Tensor, x: &Tensor, seeds: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut view = out.chained(&seeds_of(q7, seeds)?, false);
    if view.sizes() != x.sizes() || out.sizes() != like.sizes() {
        return Err(Error::message("is viewed otherwise than on the host").about("out"));
    }
    let (src, dst) = (x.elements::<i32>(q7)?, view.elements_mut::<i32>(q7)?);
    q7.partition_flat(dst.numel()).into_iter().for_each(|i| dst.set(i, src.get(i)));
    Ok(())
}

/// A step a row.
fn seeds_of(q7: &Q7, seeds: &Tensor) -> Result<Vec<Seed>> {
    let numbers = seeds.accessor::<i32, 2>(q7)?;
    Ok((0..numbers.size(0)).map(|row| [0, 1, 2, 3].map(|i| numbers.get([row, i]) as u32)).collect())
}

fn as_tensor(seeds: &[Seed]) -> HostTensor {
    let numbers: Vec<i32> = seeds.as_flattened().iter().map(|&number| number as i32).collect();
    HostTensor::from_slice(&[seeds.len() as u32, 4], &numbers).unwrap()
}

/// 100, 101, … in sizes of which few are 0.
pub(crate) fn any_base() -> impl Strategy<Value = HostTensor> {
    let size = prop_oneof![1 => Just(0u32), 4 => Just(1), 15 => 2u32..6];
    prop::collection::vec(size, 0..5).prop_map(|sizes| {
        let numel = sizes.iter().product::<u32>() as i32;
        HostTensor::from_slice(&sizes, &(100..100 + numel).collect::<Vec<_>>()).unwrap()
    })
}

pub(crate) fn any_seeds() -> impl Strategy<Value = Vec<Seed>> {
    prop::collection::vec(any::<[u16; 4]>().prop_map(|seed| seed.map(u32::from)), 0..9)
}

/// Goes the chain in both, and compares all that can be seen after each step.
fn compare(base: *const i32, tensor: &HostTensor, array: ArrayViewD<'_, i32>, seeds: &[Seed]) {
    let sizes: Vec<usize> = tensor.sizes().iter().map(|&size| size as usize).collect();
    assert_eq!(array.shape(), sizes);
    assert_eq!(tensor.to_vec::<i32>().unwrap(), array.iter().copied().collect::<Vec<_>>());
    let layout = tensor.layout();
    assert_eq!(layout.is_contiguous(), array.is_standard_layout(), "{tensor:?}");
    if tensor.numel() > 0 {
        assert_eq!(layout.offset() as usize, (array.as_ptr().addr() - base.addr()) / size_of::<i32>());
        for dim in (0..sizes.len()).filter(|&dim| sizes[dim] > 1) {
            assert_eq!(layout.strides()[dim] as isize, array.strides()[dim], "{tensor:?}");
        }
    }
    let Some((&seed, rest)) = seeds.split_first() else { return };
    let view = View::of(tensor.sizes(), seed, true);
    let next = tensor.viewed(&view);
    let usizes = |sizes: &[u32]| sizes.iter().map(|&size| size as usize).collect::<Vec<_>>();
    let reshaped = |sizes: Vec<usize>| {
        if sizes == array.shape() {
            return Some(array.clone());
        }
        array.clone().into_shape_with_order(sizes).ok()
    };
    let expected = match &view {
        View::Transpose(a, b) => {
            let mut turned = array.clone();
            turned.swap_axes(*a, *b);
            Some(turned)
        }
        View::Permute(dims) => Some(array.clone().permuted_axes(dims.clone())),
        View::Slice(dim, start, end, step) => {
            let mut part = array.clone();
            part.slice_axis_inplace(
                Axis(*dim),
                Slice::new(*start as isize, Some(*end as isize), *step as isize),
            );
            Some(part)
        }
        View::Narrow(dim, start, len) => {
            let mut part = array.clone();
            part.slice_axis_inplace(Axis(*dim), Slice::from(*start as usize..(start + len) as usize));
            Some(part)
        }
        View::Select(dim, index) => Some(array.clone().index_axis_move(Axis(*dim), *index as usize)),
        View::Expand(sizes) => array.broadcast(usizes(sizes)),
        View::Reshape(sizes) => reshaped(usizes(sizes)),
        View::Squeeze => {
            let ones = (0..sizes.len()).rev().filter(|&dim| sizes[dim] == 1);
            Some(ones.fold(array.clone(), |array, dim| array.index_axis_move(Axis(dim), 0)))
        }
        View::SqueezeDim(dim) => Some(match sizes[*dim] {
            1 => array.clone().index_axis_move(Axis(*dim), 0),
            _ => array.clone(),
        }),
        View::Unsqueeze(dim) => Some(array.clone().insert_axis(Axis(*dim))),
        View::Flatten => reshaped(vec![array.len()]),
        View::FlattenDims(first, last) => {
            let merged = sizes[*first..=*last].iter().product();
            reshaped([&sizes[..*first], &[merged], &sizes[last + 1..]].concat())
        }
    };
    assert_eq!(next.is_some(), expected.is_some(), "{tensor:?} {view:?}");
    match (next, expected) {
        (Some(next), Some(expected)) => compare(base, &next, expected, rest),
        _ => compare(base, tensor, array, rest),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn views_on_the_host_are_ndarrays(base in any_base(), seeds in any_seeds()) {
        let array = base.to_ndarray::<i32>().unwrap();
        compare(array.as_ptr(), &base, array.view(), &seeds);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// A chain gone in part on the host, in part by every core, reads what the host reads.
    #[test]
    fn views_on_the_device_are_the_hosts(
        base in any_base(),
        seeds in any_seeds(),
        cut in any::<prop::sample::Index>(),
    ) {
        let (before, after) = seeds.split_at(cut.index(seeds.len() + 1));
        let x = base.chained(before, true);
        let expected = x.chained(after, true);
        let mut sim = simulator();
        let in_hbm = sim.upload(&base).unwrap().chained(&seeds, true);
        prop_assert_eq!(in_hbm.layout(), expected.layout());
        prop_assert_eq!(in_hbm.to_host().to_bytes(), expected.to_bytes());
        let like = HostTensor::zeros(Dtype::I32, expected.sizes()).unwrap();
        let report = sim.launch(op!(copied_view), &args![&like, &x, &as_tensor(after)]).unwrap();
        report.assert_clean();
        prop_assert_eq!(report.output().to_host().to_bytes(), expected.to_bytes());
    }

    /// What is written through a chain without expand is read through the same chain.
    #[test]
    fn views_of_the_destination_are_written(base in any_base(), seeds in any_seeds()) {
        let part = base.chained(&seeds, false);
        let x = HostTensor::from_slice(part.sizes(), &part.to_vec::<i32>().unwrap()).unwrap();
        let report = simulator().launch(op!(written_view), &args![&base, &x, &as_tensor(&seeds)]).unwrap();
        // What the view leaves out nobody writes.
        prop_assert!(report.faults().iter().all(|fault| fault.verdict == Verdict::NeverWritten), "{}", report);
        let whole = report.output().to_host();
        prop_assert_eq!(whole.chained(&seeds, false).to_vec::<i32>().unwrap(), x.to_vec::<i32>().unwrap());
        let written = whole.to_vec::<i32>().unwrap().iter().filter(|&&value| value != 0).count();
        prop_assert_eq!(written as u64, x.numel());
    }
}
