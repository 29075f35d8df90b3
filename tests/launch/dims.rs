//! Sizes and strides at their ends: no dimensions and eight, empty ones at every place, wide ones, and the strides of
//! dimensions of size 1, which nothing may depend on.

use neuron_device::prelude::*;
use neuron_host_sim::{HbmTensor, HostTensor, Simulator, Verdict, args};

use crate::simulator;

/// A copy of i32 by an accessor of the tensor's rank.
#[custom_op]
fn by_accessor(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    match x.dim() {
        0 => by_elements(q7, x, out),
        1 => ranked::<1>(q7, x, out),
        2 => ranked::<2>(q7, x, out),
        3 => ranked::<3>(q7, x, out),
        4 => ranked::<4>(q7, x, out),
        5 => ranked::<5>(q7, x, out),
        6 => ranked::<6>(q7, x, out),
        7 => ranked::<7>(q7, x, out),
        _ => ranked::<8>(q7, x, out),
    }
}

fn ranked<const N: usize>(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.accessor::<i32, N>(q7)?, out.accessor_mut::<i32, N>(q7)?);
    for i in q7.partition_flat(src.numel()) {
        let (mut rest, mut index) = (i, [0; N]);
        for dim in (0..N).rev() {
            let size = u64::from(src.size(dim));
            index[dim] = (rest % size) as u32;
            rest /= size;
        }
        dst.set(index, src.get(index));
    }
    Ok(())
}

/// A copy of i32 by flat index.
#[custom_op]
fn by_elements(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<i32>(q7)?, out.elements_mut::<i32>(q7)?);
    q7.partition_flat(src.numel()).into_iter().for_each(|i| dst.set(i, src.get(i)));
    Ok(())
}

/// A copy of i32 on scratch, returned.
#[custom_op]
fn returned(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    let mut result = q7.empty_like(x)?;
    by_elements(q7, x, &mut result)?;
    Ok(result)
}

/// A copy of i32 through views that leave the elements as they are: turned over and back, a dimension put in front where
/// there is room and selected away, and every index of every dimension sliced.
#[custom_op]
fn by_views(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (from, mut to) = (there_and_back(x)?, there_and_back(out)?);
    if (from.sizes(), from.strides()) != (x.sizes(), x.strides()) {
        return Err(Error::message("is not as it was").about("x"));
    }
    by_elements(q7, &from, &mut to)
}

fn there_and_back(tensor: &Tensor) -> Result<Tensor> {
    let mut view = tensor.clone();
    let backwards: Vec<usize> = (0..view.dim()).rev().collect();
    view = view.permute(&backwards)?.permute(&backwards)?;
    if view.dim() < 8 {
        view = view.unsqueeze(0)?.select(0, 0)?;
    }
    for dim in 0..view.dim() {
        view = view.slice(dim, 0, view.size(dim), 1)?.transpose(dim, 0)?.transpose(0, dim)?;
    }
    Ok(view)
}

/// A copy of i32 that leaves out the last element.
#[custom_op]
fn all_but_one(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<i32>(q7)?, out.elements_mut::<i32>(q7)?);
    q7.partition_flat(src.numel().saturating_sub(1)).into_iter().for_each(|i| dst.set(i, src.get(i)));
    Ok(())
}

/// 1, 2, … as i32.
fn counting(sizes: &[u32]) -> HostTensor {
    let numel: u32 = sizes.iter().product();
    HostTensor::from_slice(sizes, &(1..=numel as i32).collect::<Vec<_>>()).unwrap()
}

/// A tensor through everything there is, from the host and from HBM, to a new output and to `out`, which lies otherwise.
#[track_caller]
fn through_everything(sim: &mut Simulator, x: &HostTensor, out: &HbmTensor) {
    let label = format!("{:?} strides {:?}", x.sizes(), x.layout().strides());
    let values = x.to_vec::<i32>().unwrap();
    let is_right = |tensor: &HostTensor, how: &str| {
        assert_eq!(tensor.sizes(), x.sizes(), "{label} {how}");
        assert_eq!(tensor.to_vec::<i32>().unwrap(), values, "{label} {how}");
        if let Ok(array) = tensor.to_ndarray::<i32>() {
            assert!(array.iter().eq(&values), "{label} {how}");
        }
    };
    let uploaded = sim.upload(x).unwrap();
    is_right(&uploaded.to_host(), "uploaded");
    let copied = sim.zeros(Dtype::I32, x.sizes()).unwrap();
    copied.copy_from(x).unwrap();
    is_right(&copied.to_host(), "copied");
    for op in [op!(by_accessor), op!(by_elements), op!(returned), op!(by_views)] {
        for argument in [args![x], args![&uploaded]] {
            let report = sim.launch(op, &argument).unwrap();
            report.assert_clean();
            is_right(&report.output().to_host(), op.name());
        }
        let blank = HostTensor::scalar(0i32).expand(x.sizes()).unwrap();
        out.copy_from(&blank).unwrap();
        sim.launch_into(op, &args![&uploaded], out).unwrap().assert_clean();
        is_right(&out.to_host(), op.name());
    }
    let report = sim.launch_into(op!(all_but_one), &args![x], out).unwrap();
    if values.is_empty() {
        return report.assert_clean();
    }
    let last: Vec<u32> = x.sizes().iter().map(|&size| size - 1).collect();
    let [fault] = report.faults() else { panic!("{label}\n{report}") };
    let missing = (Verdict::NeverWritten, 1, format!("{last:?}"));
    assert_eq!((fault.verdict, fault.count, fault.first.clone()), missing, "{label}");
}

/// Contiguous, to a contiguous output.
fn dense(sim: &mut Simulator, sizes: &[u32]) {
    let out = sim.zeros(Dtype::I32, sizes).unwrap();
    through_everything(sim, &counting(sizes), &out);
}

#[test]
fn no_dimensions_and_eight() {
    let mut sim = simulator();
    for rank in 0..=8 {
        dense(&mut sim, &vec![1; rank]);
        dense(&mut sim, &vec![2; rank]);
        dense(&mut sim, &[3, 1, 2, 1, 1, 2, 1, 3][8 - rank..]);
    }
}

#[test]
fn an_empty_dimension_at_every_place() {
    let mut sim = simulator();
    for rank in 1..=8 {
        for place in 0..rank {
            let mut sizes = vec![3; rank];
            sizes[place] = 0;
            dense(&mut sim, &sizes);
            // All of them but one.
            let mut sizes = vec![0; rank];
            sizes[place] = 65535;
            dense(&mut sim, &sizes);
        }
    }
    // What would not fit 64 bits does not matter where there is nothing.
    for sizes in [[0, u32::MAX, u32::MAX, u32::MAX], [u32::MAX, u32::MAX, u32::MAX, 0]] {
        let x = HostTensor::zeros(Dtype::I32, &sizes).unwrap();
        let error = x.to_ndarray::<i32>().unwrap_err();
        assert!(error.to_string().starts_with("ndarray has no empty array of sizes ["), "{error}");
        let out = sim.zeros(Dtype::I32, &sizes).unwrap();
        through_everything(&mut sim, &x, &out);
    }
}

#[test]
fn wide_dimensions() {
    let mut sim = simulator();
    for (rank, places) in [(1, &[0][..]), (2, &[0, 1]), (8, &[0, 3, 7])] {
        for &place in places {
            let mut sizes = vec![1; rank];
            sizes[place] = 65535;
            dense(&mut sim, &sizes);
        }
    }
    dense(&mut sim, &[2, 65535]);
    dense(&mut sim, &[65535, 2]);
    // Beyond 16 bits a record has room for four dimensions.
    dense(&mut sim, &[65536]);
    dense(&mut sim, &[1, 65537, 1, 1]);
}

/// A dimension of size 1 has no second element that its stride could lead to.
#[test]
fn strides_of_dimensions_of_size_1_do_not_matter() {
    let mut sim = simulator();
    let shapes: [&[u32]; 8] =
        [&[1], &[1, 4], &[4, 1], &[1, 1], &[2, 1, 3], &[1, 3, 1, 2], &[2, 1, 1, 1, 2, 1, 1, 3], &[1; 8]];
    for sizes in shapes {
        let storage = counting(sizes).flatten().unwrap();
        let contiguous = counting(sizes).layout().strides().to_vec();
        for odd in [0, 1, 7, 999, 1 << 32, (1 << 62) + 1, i64::MAX] {
            let stride = |(&size, &stride): (&u32, &u64)| if size == 1 { odd } else { stride as i64 };
            let strides: Vec<i64> = sizes.iter().zip(&contiguous).map(stride).collect();
            let x = storage.as_strided(sizes, &strides, 0).unwrap();
            assert!(x.layout().is_contiguous() && !x.layout().overlaps_itself());
            let elems = sim.zeros(Dtype::I32, storage.sizes()).unwrap();
            let out = elems.as_strided(sizes, &strides, 0).unwrap();
            through_everything(&mut sim, &x, &out);
            // The same with gaps between the elements that there are.
            let wide = sim.zeros(Dtype::I32, &[5 * storage.sizes()[0] + 3]).unwrap();
            let stride = |(&size, &stride): (&u32, &i64)| if size == 1 { odd } else { 5 * stride };
            let apart: Vec<i64> = sizes.iter().zip(&strides).map(stride).collect();
            through_everything(&mut sim, &x, &wide.as_strided(sizes, &apart, 3).unwrap());
        }
    }
}

/// A stride of an empty tensor leads nowhere either.
#[test]
fn strides_of_an_empty_tensor_do_not_matter() {
    let mut sim = simulator();
    let storage = HostTensor::scalar(1i32);
    for odd in [0, 1, 7, i64::MAX] {
        let x = storage.as_strided(&[3, 0, 2], &[odd; 3], 0).unwrap();
        let elems = sim.zeros(Dtype::I32, &[1]).unwrap();
        through_everything(&mut sim, &x, &elems.as_strided(&[3, 0, 2], &[odd; 3], 0).unwrap());
    }
}

/// Puts a ninth dimension in front.
#[custom_op]
fn nine_dimensions(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    by_elements(q7, &x.unsqueeze(0)?, out)
}

/// What does not fit is refused, with the argument's name.
#[test]
fn what_does_not_fit_is_named() {
    let mut sim = simulator();
    let one = sim.zeros(Dtype::I32, &[1]).unwrap();
    let wide = one.as_strided(&[1, 1, 65536, 1, 1], &[0; 5], 0).unwrap();
    let does_not_fit = "cannot be passed: sizes [1, 1, 65536, 1, 1] do not fit: at most 8 dimensions of at most 65535, \
                        or at most 4 of at most 4294967295";
    let error = sim.launch(op!(by_elements), &args![&wide]).unwrap_err();
    assert_eq!(error.to_string(), format!("`x` of op `by_elements` {does_not_fit}"));
    let eight = HostTensor::scalar(1i32).expand(&[1; 8]).unwrap();
    let report = sim.launch(op!(nine_dimensions), &args![&eight]).unwrap();
    let text = "returned an error: `x` cannot be viewed so: 9 dimensions: a tensor has at most 8";
    assert!(report.to_string().contains(text), "{report}");
    let error = one.expand(&[1; 9]).unwrap_err();
    assert_eq!(error.to_string(), "9 dimensions: a tensor has at most 8");
    // A second element would lie beyond 64 bits, or beyond the storage.
    let far = one.as_strided(&[2], &[i64::MAX], u64::MAX).unwrap_err();
    assert_eq!(far.to_string(), "the element count or the last element's offset does not fit 64 bits");
    let far = one.as_strided(&[2], &[i64::MAX], 0).unwrap_err();
    assert_eq!(far.to_string(), "the view reaches 9223372036854775808 elements into a storage of 1");
}
