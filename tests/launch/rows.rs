//! The examples that go row by row, at the values people got wrong (`docs/cases.md`), and where torch leaves it open.

use neuron_device::{Element, Op, bf16, f16, op};
use neuron_examples::{
    argmax, cumsum, gather, layer_norm, row_sum, softmax, softmax_staged, top_k, transpose,
};
use neuron_host_sim::{HostTensor, LaunchError, Outcome, Simulator, args};

use crate::{ramp, simulator};

fn tensor<T: Element>(sizes: [u32; 2], values: &[T]) -> HostTensor {
    HostTensor::from_slice(&sizes, values).unwrap()
}

/// Equal values.
fn all<T: Element>(sizes: [u32; 2], value: T) -> HostTensor {
    HostTensor::scalar(value).expand(&sizes).unwrap()
}

/// What a clean launch on eight cores makes of `x`.
#[track_caller]
fn of<T: Element>(op: &'static Op, x: &HostTensor) -> Vec<T> {
    let report = simulator().launch(op, &args![x]).unwrap();
    report.assert_clean();
    report.output().to_host().to_vec().unwrap()
}

/// S02: a NaN is not lost in a sum of bf16.
#[test]
fn s02_a_sum_of_bf16_keeps_nan() {
    let x = [2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, f32::NAN].map(bf16::from_f32);
    assert_eq!(of::<bf16>(op!(row_sum::row_sum), &tensor([1, 7], &x[..7])), [bf16::from_f32(35.0)]);
    assert!(of::<bf16>(op!(row_sum::row_sum), &tensor([1, 8], &x))[0].is_nan());
}

/// S04: the first NaN of a row is its largest, and of equals the first.
#[test]
fn s04_argmax_of_nan_and_of_equals() {
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    for (x, expected) in [
        (&[nan, 6.0, 8.0][..], 0),
        (&[1.0, nan, 3.0, nan], 1),
        (&[inf, nan], 1),
        (&[nan; 3], 0),
        (&[3.0, 1.0, 3.0], 0),
    ] {
        let x = tensor([1, x.len() as u32], x);
        assert_eq!(of::<i64>(op!(argmax::argmax), &x), [expected], "{x:?}");
    }
}

/// By accessor and through TCM.
const SOFTMAX: [&Op; 2] = [op!(softmax::softmax), op!(softmax_staged::softmax_staged)];

/// F05: a NaN anywhere in a row makes all of it NaN, and no other row.
#[test]
fn f05_the_largest_of_a_softmax_keeps_nan() {
    for nan in 0..3 {
        let mut x = [1.0_f32, 2.0, 3.0, 1.0, 1.0, 1.0];
        x[nan] = f32::NAN;
        for softmax in SOFTMAX {
            let out = of::<f32>(softmax, &tensor([2, 3], &x));
            assert!(out[..3].iter().all(|v| v.is_nan()), "{out:?}");
            assert_eq!(out[3..], [1.0 / 3.0; 3]);
        }
    }
}

/// F06: rows with infinities.
#[test]
fn f06_softmax_of_infinities() {
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    for (x, expected) in [
        (&[-inf; 3][..], &[nan; 3][..]),
        (&[inf, 1.0], &[nan; 2]),
        (&[-inf, 0.0, 0.0], &[0.0, 0.5, 0.5]),
        (&[1000.0, 1000.0], &[0.5, 0.5]),
    ] {
        for softmax in SOFTMAX {
            let out = of::<f32>(softmax, &tensor([1, x.len() as u32], x));
            let same = |(a, b): (&f32, &f32)| a == b || (a.is_nan() && b.is_nan());
            assert!(out.iter().zip(expected).all(same), "{x:?} gives {out:?}");
        }
    }
}

/// F07: a row on eight cores, seven of which have nothing to do, and three rows on as many.
#[test]
fn f07_idle_cores_do_not_poison_a_short_row() {
    for sizes in [[1, 3], [3, 1]] {
        let out = of::<f32>(op!(softmax::softmax), &all(sizes, 0.5_f32));
        assert_eq!(out, [1.0 / sizes[1] as f32; 3]);
        let out = of::<f32>(op!(softmax::softmax), &all(sizes, f32::NEG_INFINITY));
        assert!(out.iter().all(|v| v.is_nan()), "{out:?}");
    }
}

/// F13: sums that would stop growing in their own dtype, in the last element of a scan as well.
#[test]
fn f13_halves_are_summed_in_f32() {
    let bf16s = |n, value| all([1, n], bf16::from_f32(value));
    for (x, expected) in
        [(bf16s(512, 1.0), 512.0), (bf16s(70_000, 1.0), 70_144.0), (bf16s(20_000, 0.5), 9984.0)]
    {
        assert_eq!(of::<bf16>(op!(row_sum::row_sum), &x), [bf16::from_f32(expected)]);
        assert_eq!(of::<bf16>(op!(cumsum::cumsum), &x).last(), Some(&bf16::from_f32(expected)));
    }
    let ones = all([1, 4096], f16::ONE);
    assert_eq!(of::<f16>(op!(row_sum::row_sum), &ones), [f16::from_f32(4096.0)]);
    assert_eq!(of::<f16>(op!(cumsum::cumsum), &ones).last(), Some(&f16::from_f32(4096.0)));
}

/// F14: the sum of the powers is kept in f32 too.
#[test]
fn f14_a_long_uniform_softmax() {
    let out = of::<bf16>(op!(softmax::softmax), &all([1, 512], bf16::ZERO));
    assert_eq!(out, [bf16::from_f32(0.001_953_125); 512]);
}

/// F20: sums of integers are i64.
#[test]
fn f20_sums_of_integers_do_not_wrap() {
    for sum in [op!(row_sum::row_sum), op!(cumsum::cumsum)] {
        assert_eq!(of::<i64>(sum, &all([1, 3], i32::MAX)).last(), Some(&6_442_450_941));
        assert_eq!(of::<i64>(sum, &all([1, 300], 1_i8)).last(), Some(&300));
    }
}

/// L20: rows without columns, columns without rows.
#[test]
fn l20_rows_of_nothing() {
    assert_eq!(of::<f32>(op!(row_sum::row_sum), &ramp(&[3, 0])), [0.0; 3]);
    assert!(of::<f32>(op!(row_sum::row_sum), &ramp(&[0, 3])).is_empty());
    for op in [op!(softmax::softmax), op!(cumsum::cumsum), op!(transpose::transpose)] {
        for sizes in [[0, 4], [4, 0], [0, 0]] {
            assert!(of::<f32>(op, &ramp(&sizes)).is_empty(), "{op:?}");
        }
    }
    assert!(of::<i64>(op!(argmax::argmax), &ramp(&[0, 4])).is_empty());
    for sizes in [[4, 0], [0, 0]] {
        let error = simulator().launch(op!(argmax::argmax), &args![&ramp(&sizes)]).unwrap_err();
        let words =
            "the shape function of op `argmax` refused: `x`: must have columns: nothing is the largest";
        assert!(error.to_string().starts_with(words), "{error}");
    }
}

/// L04: a permuted input is read in its own order, never in that of its storage.
#[test]
fn l04_rows_of_a_permuted_tensor() {
    let x = ramp(&[2, 3, 4]).permute(&[2, 0, 1]).unwrap();
    let rows = x.select(0, 1).unwrap();
    assert_eq!(rows.layout().strides(), [12, 4]);
    assert_eq!(of::<f32>(op!(row_sum::row_sum), &rows), [1.0 + 5.0 + 9.0, 13.0 + 17.0 + 21.0]);
    assert_eq!(of::<f32>(op!(cumsum::cumsum), &rows), [1.0, 6.0, 15.0, 13.0, 30.0, 51.0]);
    assert_eq!(of::<i64>(op!(argmax::argmax), &rows), [2, 2]);
    assert_eq!(of::<f32>(op!(transpose::transpose), &rows), [1.0, 13.0, 5.0, 17.0, 9.0, 21.0]);
}

/// L17: a sum over its own rows would read what it wrote.
#[test]
fn l17_a_scan_over_its_own_input_is_refused() {
    let mut sim = simulator();
    let x = sim.upload(&ramp(&[3, 3])).unwrap();
    let error = sim.launch_into(op!(cumsum::cumsum), &args![&x], &x).unwrap_err();
    assert!(matches!(error, LaunchError::OutputAliases { argument: "x", .. }), "{error}");
    let column = x.select(1, 0).unwrap();
    let error = sim.launch_into(op!(row_sum::row_sum), &args![&x], &column).unwrap_err();
    assert!(matches!(error, LaunchError::OutputAliases { argument: "x", .. }), "{error}");
}

/// N08: an index out of range, or negative, is named with its place, and nothing outside `x` is read.
#[test]
fn n08_an_index_out_of_range_is_named() {
    let x = HostTensor::from_slice(&[8], &[0, 1, 2, 3, 4, 5, 6, 7]).unwrap().expand(&[5, 8]).unwrap();
    let index = tensor([5, 1], &[0_i64, 3, 7, 8, -1]);
    let report = simulator().launch(op!(gather::gather), &args![&x, &index]).unwrap();
    for words in [
        "core 3 returned an error: `index` holds 8 at [3, 0]",
        "core 4 returned an error: `index` holds -1 at [4, 0]",
    ] {
        assert!(report.to_string().contains(words), "{report}");
    }
    assert!(report.faults().is_empty(), "{report}");
    let returned = report.cores().iter().filter(|core| core.outcome == Outcome::Returned);
    assert_eq!(returned.count(), 6, "{report}");
    // What the other cores wrote stays.
    assert_eq!(report.output().to_host().to_vec::<i32>().unwrap()[..3], [0, 3, 7]);

    // Beyond 32 bits, where an index that is cut off would be one.
    for far in [1_i64 << 32, i64::MIN, i64::MAX] {
        let report = simulator().launch(op!(gather::gather), &args![&x, &all([5, 1], far)]).unwrap();
        assert!(report.to_string().contains(&format!("`index` holds {far} at [0, 0]")), "{report}");
    }
}

#[test]
fn no_column_of_nothing_can_be_gathered() {
    let report = simulator().launch(op!(gather::gather), &args![&ramp(&[1, 0]), &all([1, 1], 0)]).unwrap();
    let words = "`index` holds 0 at [0, 0], but an index into 0 elements is at least 0 and less than 0";
    assert!(report.to_string().contains(words), "{report}");
}

/// torch leaves the order of equals open; here the first comes first, NaNs too.
#[test]
fn the_first_of_equals_comes_first() {
    let nan = f32::NAN;
    for (x, expected) in [
        ([1.0, 3.0, 3.0, 2.0, 3.0, 1.0], [1, 2, 4, 3]),
        ([nan, 1.0, nan, 2.0, nan, nan], [0, 2, 4, 5]),
        ([0.0, -0.0, 0.0, -0.0, -1.0, 0.0], [0, 1, 2, 3]),
        ([-f32::INFINITY, nan, -nan, f32::INFINITY, 0.0, 0.0], [1, 2, 3, 4]),
        ([5.0; 6], [0, 1, 2, 3]),
    ] {
        let x = tensor([1, 6], &x);
        assert_eq!(of::<i64>(op!(top_k::top_4), &x), expected);
        assert_eq!(of::<i64>(op!(top_k::top_1), &x), expected[..1]);
        assert_eq!(of::<i64>(op!(argmax::argmax), &x), expected[..1]);
    }
    assert_eq!(of::<i64>(op!(top_k::top_8), &all([1, 9], -7_i8)), [0, 1, 2, 3, 4, 5, 6, 7]);
}

/// Weight and bias of other sizes than a row are told from each other.
#[test]
fn layer_norm_names_what_does_not_fit() {
    let (x, three, four) = (ramp(&[2, 3]), ramp(&[3]), ramp(&[4]));
    for (weight, bias, words) in [
        (&four, &three, "`weight` has sizes [4], but must have [3]"),
        (&three, &four, "`bias` has sizes [4], but must have [3]"),
    ] {
        let arguments = args![&x, weight, bias, 1e-5_f32];
        let report = simulator().launch(op!(layer_norm::layer_norm), &arguments).unwrap();
        assert!(report.to_string().contains(words), "{report}");
    }
}

#[test]
fn a_row_sum_reads_every_element_once() {
    for cores in [1, 8] {
        let mut sim = Simulator::builder().cores(cores).build().unwrap();
        let total = sim.launch(op!(row_sum::row_sum), &args![&ramp(&[9, 33])]).unwrap().total();
        assert_eq!((total.loads, total.stores), (9 * 33, 9), "{cores} cores");
    }
}
