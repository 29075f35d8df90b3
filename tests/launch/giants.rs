//! Tensors of more elements than 31 bits count, and strides beyond 4 GiB, over HBM of which only what is touched is there.

use neuron_device::prelude::*;
use neuron_host_sim::{HbmTensor, HostTensor, LaunchError, Verdict, args};

use crate::{found, simulator, the};

/// Element `[row, column]` of a tensor of rank 2, by every way to it.
#[custom_op(shape = five_like)]
fn five_ways(q7: &Q7, x: &Tensor, row: i64, column: i64, out: &mut Tensor) -> Result<()> {
    let (i, j) = (row as u32, column as u32);
    match_dtype!(x, u8 | f32 | i64 as T => {
        let turned = x.transpose(0, 1)?;
        let flat = u64::from(i) * u64::from(x.size(1)) + u64::from(j);
        let flat_turned = u64::from(j) * u64::from(x.size(0)) + u64::from(i);
        let found = [
            x.accessor::<T, 2>(q7)?.get([i, j]),
            x.elements::<T>(q7)?.get(flat),
            turned.accessor::<T, 2>(q7)?.get([j, i]),
            turned.elements::<T>(q7)?.get(flat_turned),
            x.narrow(1, j, 1)?.slice(0, i, i + 1, 1)?.elements::<T>(q7)?.get(0),
        ];
        let dst = out.elements_mut::<T>(q7)?;
        q7.partition_flat(5).into_iter().for_each(|i| dst.set(i, found[i as usize]));
        Ok(())
    })
}

fn five_like(inputs: &[TensorSpec]) -> Result<TensorSpec> {
    TensorSpec::new(inputs[0].dtype(), &[5])
}

/// The last element of a tensor of u8, and nothing else, by the last core.
#[custom_op]
fn last_only(q7: &Q7, like: &Tensor, value: i32, out: &mut Tensor) -> Result<()> {
    let dst = out.elements_mut::<u8>(q7)?;
    if q7.get_cpu_id() == q7.get_cpu_count() - 1 {
        dst.set(like.numel() - 1, value as u8);
    }
    Ok(())
}

/// A copy of u8.
#[custom_op]
fn copy(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<u8>(q7)?, out.elements_mut::<u8>(q7)?);
    q7.partition_flat(src.numel()).into_iter().for_each(|i| dst.set(i, src.get(i)));
    Ok(())
}

/// The element at `[i, j]`, as a tensor without dimensions.
fn cell(x: &HbmTensor, [i, j]: [u32; 2]) -> HbmTensor {
    x.select(0, i).unwrap().select(0, j).unwrap()
}

/// L24: an element whose flat index is beyond 31 bits.
#[test]
fn l24_an_index_beyond_31_bits() {
    let mut sim = simulator();
    let x = sim.zeros(Dtype::F32, &[262_144, 8960]).unwrap();
    let at = cell(&x, [239_674, 8959]);
    assert_eq!(at.layout().offset(), 2_147_487_999);
    at.copy_from(&HostTensor::scalar(1.5f32)).unwrap();
    for ([i, j], expected) in [([239_674, 8959], 1.5), ([239_674, 8958], 0.0), ([239_675, 0], 0.0)] {
        let report = sim.launch(op!(five_ways), &args![&x, i64::from(i), i64::from(j)]).unwrap();
        report.assert_clean();
        assert_eq!(report.output().to_host().to_vec::<f32>().unwrap(), [expected; 5], "[{i}, {j}]");
    }
}

/// L26: both conditions at once, an index of 32 bits and a layout that is not contiguous.
#[test]
fn l26_an_index_of_32_bits_in_a_transposed_tensor() {
    let mut sim = simulator();
    let x = sim.zeros(Dtype::U8, &[65535, 65535]).unwrap();
    let at = cell(&x, [65534, 65534]);
    assert_eq!(at.layout().offset(), 4_294_836_224);
    at.copy_from(&HostTensor::scalar(200u8)).unwrap();
    cell(&x, [65534, 1]).copy_from(&HostTensor::scalar(100u8)).unwrap();
    let turned = x.transpose(0, 1).unwrap();
    for (x, [i, j], expected) in [
        (&x, [65534i64, 65534], 200),
        (&turned, [65534, 65534], 200),
        (&x, [65534, 1], 100),
        (&turned, [1, 65534], 100),
    ] {
        let report = sim.launch(op!(five_ways), &args![x, i, j]).unwrap();
        report.assert_clean();
        assert_eq!(
            report.output().to_host().to_vec::<u8>().unwrap(),
            [expected; 5],
            "{:?} [{i}, {j}]",
            x.layout()
        );
    }
}

/// L26 written: of an output as large, plain, transposed or with gaps, one element is written, and the others are counted.
#[test]
fn l26_what_is_missing_from_a_giant_is_counted() {
    let mut sim = simulator();
    let storage = sim.zeros(Dtype::U8, &[2, 65535, 65535]).unwrap();
    let plain = storage.select(0, 0).unwrap();
    let gaps = storage.as_strided(&[65535, 65535], &[2, 131_070], 0).unwrap();
    for out in [&plain, &plain.transpose(0, 1).unwrap(), &gaps] {
        let like = sim.zeros(Dtype::U8, &[1]).unwrap().as_strided(&[65535, 65535], &[0, 0], 0).unwrap();
        let report = sim.launch_into(op!(last_only), &args![&like, 7], out).unwrap();
        assert_eq!(found(&report), [(Verdict::NeverWritten, "out", 4_294_836_224)], "{:?}", out.layout());
        assert_eq!(the(&report, Verdict::NeverWritten).first, "[0, 0]");
        assert_eq!(cell(out, [65534, 65534]).to_host().to_vec::<u8>().unwrap(), [7]);
        assert_eq!(cell(out, [65534, 65533]).to_host().to_vec::<u8>().unwrap(), [0]);
    }
}

/// L26: a new output of that size is sparse too.
#[test]
fn l26_a_new_giant_is_read_where_it_was_written() {
    let mut sim = simulator();
    let like = sim.zeros(Dtype::U8, &[65535, 65535]).unwrap();
    let report = sim.launch(op!(last_only), &args![&like, 9]).unwrap();
    assert_eq!(found(&report), [(Verdict::NeverWritten, "out", 4_294_836_224)]);
    assert_eq!(cell(report.output(), [65534, 65534]).to_host().to_vec::<u8>().unwrap(), [9]);
}

/// Strides and an offset beyond 4 GiB, in a storage of three times as many elements as 32 bits count.
#[test]
fn strides_beyond_4_gib() {
    let mut sim = simulator();
    let storage = sim.zeros(Dtype::U8, &[3, u32::MAX]).unwrap();
    let view = |offset| storage.as_strided(&[2, 5], &[(1 << 33) + 3, 1], offset).unwrap();
    let (x, out) = (view((1 << 32) - 100), view((1 << 32) - 120));
    let values: Vec<u8> = (1..=10).collect();
    x.copy_from(&HostTensor::from_slice(&[2, 5], &values).unwrap()).unwrap();
    // The two reach over each other, though no element is another's.
    let error = sim.launch_into(op!(copy), &args![&x], &out).unwrap_err();
    assert!(matches!(error, LaunchError::OutputAliases { argument: "x", .. }), "{error}");
    let report = sim.launch(op!(copy), &args![&x]).unwrap();
    report.assert_clean();
    assert_eq!(report.output().to_host().to_vec::<u8>().unwrap(), values);
    let dense = HostTensor::from_slice(&[2, 5], &values).unwrap();
    sim.launch_into(op!(copy), &args![&dense], &out).unwrap().assert_clean();
    for row in 0..2 {
        let row = |x: &HbmTensor| x.select(0, row).unwrap().to_host().to_vec::<u8>().unwrap();
        assert_eq!(row(&out), row(&x));
    }
}

/// The same within a tensor that its sizes alone make so wide, by elements of 8 bytes.
#[test]
fn rows_of_more_than_4_gib() {
    let mut sim = simulator();
    let all = sim.zeros(Dtype::I64, &[2, (1 << 29) + 1]).unwrap();
    let ends = all.select(1, 1 << 29).unwrap();
    assert_eq!(ends.layout().strides(), [(1 << 29) + 1]);
    ends.copy_from(&HostTensor::from_slice(&[2], &[-5i64, 1 << 40]).unwrap()).unwrap();
    for (i, expected) in [(0i64, -5), (1, 1 << 40)] {
        let report = sim.launch(op!(five_ways), &args![&all, i, 1i64 << 29]).unwrap();
        report.assert_clean();
        assert_eq!(report.output().to_host().to_vec::<i64>().unwrap(), [expected; 5]);
    }
}

/// L27: what a record counts is the limit, of arguments and of outputs: 2^32 - 1 elements pass, one more does not.
#[test]
fn l27_the_most_elements_there_can_be() {
    let mut sim = simulator();
    let largest = sim.zeros(Dtype::U8, &[65537, 65535]).unwrap();
    assert_eq!(largest.numel(), u64::from(u32::MAX));
    cell(&largest, [65536, 65534]).copy_from(&HostTensor::scalar(3u8)).unwrap();
    let report = sim.launch(op!(five_ways), &args![&largest, 65536i64, 65534i64]).unwrap();
    report.assert_clean();
    assert_eq!(report.output().to_host().to_vec::<u8>().unwrap(), [3; 5]);

    let more = sim.zeros(Dtype::U8, &[65536, 65536]).unwrap();
    let error = sim.launch(op!(five_ways), &args![&more, 0i64, 0i64]).unwrap_err();
    let why = "cannot be passed: 4294967296 elements do not fit: a record counts elements in 32 bits, up to 4294967295";
    assert_eq!(error.to_string(), format!("`x` of op `five_ways` {why}"));
    // Its parts can be: what is too large is the view, not the storage.
    let half = more.narrow(0, 32768, 32768).unwrap();
    sim.launch(op!(five_ways), &args![&half, 32767i64, 65535i64]).unwrap().assert_clean();

    let error = sim.launch(op!(too_many), &args![&HostTensor::scalar(1u8)]).unwrap_err();
    assert_eq!(error.to_string(), format!("`out` of op `too_many` {why}"));
}

/// Asks for an output of 2^32 elements.
#[custom_op(shape = too_many_shape)]
fn too_many(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    copy(q7, x, out)
}

fn too_many_shape(_: &[TensorSpec]) -> Result<TensorSpec> {
    TensorSpec::new(Dtype::U8, &[65536, 65536])
}
