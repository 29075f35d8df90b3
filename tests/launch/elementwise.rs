//! The examples' ops that go element by element: public fault cases, by their ids, and what they refuse.

use neuron_device::{Dtype, Element, Op, match_dtype, op};
use neuron_examples::{add, bitwise, cast, clamp, compare, div, gelu, maximum, mul, relu, r#where};
use neuron_host_sim::{Arg, HostTensor, LaunchError, args};

use crate::simulator;

const FLOATS: [Dtype; 3] = [Dtype::F32, Dtype::F16, Dtype::BF16];
const NAN: f32 = f32::NAN;
const INF: f32 = f32::INFINITY;

/// These numbers as another dtype.
fn tensor<S: Element>(dtype: Dtype, values: &[S]) -> HostTensor {
    match_dtype!(dtype, f32 | f16 | bf16 | i8 | u8 | i16 | i32 | i64 as T => {
        let values: Vec<T> = values.iter().map(|value| value.cast()).collect();
        Ok::<_, neuron_device::Error>(HostTensor::from_slice(&[values.len() as u32], &values).unwrap())
    })
    .unwrap()
}

fn output(op: &'static Op, arguments: &[Arg<'_>]) -> HostTensor {
    let report = simulator().launch(op, arguments).unwrap();
    report.assert_clean();
    report.output().to_host()
}

/// The output of a launch without faults, as numbers of the type asked for.
fn answer<T: Element>(op: &'static Op, arguments: &[Arg<'_>]) -> Vec<T> {
    let output = output(op, arguments);
    match_dtype!(output.dtype(), f32 | f16 | bf16 | i8 | u8 | i16 | i32 | i64 as S => {
        Ok::<_, neuron_device::Error>(output.to_vec::<S>().unwrap().iter().map(|value| value.cast()).collect())
    })
    .unwrap()
}

/// Equal to the bit, but that a NaN is as good as another.
#[track_caller]
fn assert_same(found: &[f32], expected: &[f32], what: &dyn std::fmt::Display) {
    let same = |(a, b): (&f32, &f32)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
    let all = found.len() == expected.len() && found.iter().zip(expected).all(same);
    assert!(all, "{found:?} instead of {expected:?}: {what}");
}

/// F01, F02: NaN is not turned into a bound, in any float type.
#[test]
fn f01_f02_nan_is_kept() {
    for dtype in FLOATS {
        let x = tensor(dtype, &[NAN, -1.0, 0.0, INF, -INF]);
        assert_same(&answer(op!(relu::relu), &args![&x]), &[NAN, 0.0, 0.0, INF, 0.0], &dtype);
        let clamped: Vec<f32> = answer(op!(clamp::clamp), &args![&x, 0, 1]);
        assert_same(&clamped, &[NAN, 0.0, 0.0, 1.0, 0.0], &dtype);
        let y = tensor(dtype, &[1.0, NAN, NAN, NAN, 2.0]);
        for (x, y) in [(&x, &y), (&y, &x)] {
            let larger: Vec<f32> = answer(op!(maximum::maximum), &args![x, y]);
            assert_same(&larger, &[NAN, NAN, NAN, NAN, 2.0], &dtype);
            let smaller: Vec<f32> = answer(op!(maximum::minimum), &args![x, y]);
            assert_same(&smaller, &[NAN, NAN, NAN, NAN, -INF], &dtype);
        }
    }
}

/// F04: a NaN falls where each mask says, and not where the other comparison left it.
#[test]
fn f04_masks_at_nan() {
    for dtype in FLOATS {
        let (x, one) = (tensor(dtype, &[NAN, 1.0, 0.0, 2.0]), tensor(dtype, &[1.0; 4]));
        for (op, expected) in [
            (op!(compare::eq), [0, 1, 0, 0]),
            (op!(compare::ne), [1, 0, 1, 1]),
            (op!(compare::lt), [0, 0, 1, 0]),
            (op!(compare::le), [0, 1, 1, 0]),
            (op!(compare::gt), [0, 0, 0, 1]),
            (op!(compare::ge), [0, 1, 0, 1]),
        ] {
            assert_eq!(answer::<u8>(op, &args![&x, &one]), expected, "{} of {dtype}", op.name());
        }
        assert_eq!(answer::<u8>(op!(compare::ne), &args![&x, &x]), [1, 0, 0, 0]);

        // The gradient of relu6 passes strictly between its bounds, where NaN is not.
        let (zero, six) = (tensor(dtype, &[0.0; 4]), tensor(dtype, &[6.0; 4]));
        let above = output(op!(compare::gt), &args![&x, &zero]);
        let below = output(op!(compare::lt), &args![&x, &six]);
        let between = output(op!(bitwise::bitwise_and), &args![&above, &below]);
        let gradient: Vec<f32> = answer(op!(r#where::r#where), &args![&between, &one, &zero]);
        assert_same(&gradient, &[0.0, 1.0, 0.0, 1.0], &dtype);
    }
}

/// F17: quotients round down, or towards 0, of negative numbers too; true division gives a float.
#[test]
fn f17_division_of_negative_numbers() {
    for dtype in Dtype::ALL.into_iter().filter(|&dtype| dtype != Dtype::U8) {
        let (x, y) = (tensor(dtype, &[-7, 7, -1, -8]), tensor(dtype, &[2, -2, 2, 2]));
        let quotients: Vec<f32> = answer(op!(div::div), &args![&x, &y]);
        assert_eq!(quotients, [-3.5, -3.5, -0.5, -4.0], "{dtype}");
        let down: Vec<i32> = answer(op!(div::floor_divide), &args![&x, &y]);
        assert_eq!(down, [-4, -4, -1, -4], "{dtype}");
        let to_zero: Vec<i32> = answer(op!(div::trunc_divide), &args![&x, &y]);
        assert_eq!(to_zero, [-3, -3, 0, -4], "{dtype}");
    }
}

/// F18: the smallest integer by -1 is itself.
#[test]
fn f18_the_smallest_integer_by_minus_one() {
    for (dtype, smallest) in [
        (Dtype::I8, i64::from(i8::MIN)),
        (Dtype::I16, i64::from(i16::MIN)),
        (Dtype::I32, i64::from(i32::MIN)),
        (Dtype::I64, i64::MIN),
    ] {
        let (x, y) = (tensor(dtype, &[smallest]), tensor(dtype, &[-1]));
        for op in [op!(div::floor_divide), op!(div::trunc_divide)] {
            assert_eq!(answer::<i64>(op, &args![&x, &y]), [smallest], "{} of {dtype}", op.name());
        }
    }
}

/// F21: integers wrap in this build too; torch's numbers.
#[test]
fn f21_integers_wrap() {
    let of = |dtype, value: i32| tensor(dtype, &[value]);
    let sum = |dtype, x, y| answer::<i32>(op!(add::add), &args![&of(dtype, x), &of(dtype, y), 1])[0];
    let difference = |dtype, x, y| answer::<i32>(op!(add::sub), &args![&of(dtype, x), &of(dtype, y), 1])[0];
    let product = |dtype, x, y| answer::<i32>(op!(mul::mul), &args![&of(dtype, x), &of(dtype, y)])[0];
    assert_eq!((difference(Dtype::U8, 1, 2), sum(Dtype::I8, 127, 1)), (255, -128));
    assert_eq!((product(Dtype::I16, 300, 300), sum(Dtype::I32, i32::MAX, 1)), (24464, i32::MIN));
    let largest = tensor(Dtype::I64, &[i64::MAX]);
    assert_eq!(answer::<i64>(op!(add::add), &args![&largest, &largest, 3]), [i64::MAX.wrapping_mul(4)]);
}

/// F22: a float that the integer type does not reach becomes some number of it, which is compared with nothing, and its
/// neighbours are right.
#[test]
fn f22_out_of_range_is_an_answer_and_no_fault() {
    for (to, from) in
        [Dtype::U8, Dtype::I32, Dtype::I64].into_iter().flat_map(|to| FLOATS.map(|from| (to, from)))
    {
        let x = tensor(from, &[NAN, 2.75, INF, 0.0, -INF, 100.0]);
        let like = HostTensor::zeros(to, &[0]).unwrap();
        let found: Vec<i64> = answer(op!(cast::cast), &args![&x, &like]);
        assert_eq!([found[1], found[3], found[5]], [2, 0, 100], "{from} to {to}");
    }
}

/// F24: the sign of a zero is kept where the op does so; of two zeros either is the larger.
#[test]
fn f24_the_sign_of_zero() {
    for dtype in FLOATS {
        let (minus, plus) = (tensor(dtype, &[-0.0]), tensor(dtype, &[0.0]));
        assert_same(&answer(op!(relu::relu), &args![&minus]), &[-0.0], &dtype);
        assert_same(&answer(op!(clamp::clamp), &args![&minus, -1, 1]), &[-0.0], &dtype);
        assert_same(&answer(op!(mul::mul), &args![&plus, &tensor(dtype, &[-1.0])]), &[-0.0], &dtype);
        assert_same(
            &answer(op!(r#where::r#where), &args![&tensor(Dtype::U8, &[1]), &minus, &plus]),
            &[-0.0],
            &dtype,
        );
        for to in FLOATS {
            let like = HostTensor::zeros(to, &[0]).unwrap();
            assert_same(&answer(op!(cast::cast), &args![&minus, &like]), &[-0.0], &to);
        }
        for op in [op!(maximum::maximum), op!(maximum::minimum)] {
            assert_eq!(answer::<f32>(op, &args![&minus, &plus]), [0.0]);
        }
        assert_eq!(answer::<u8>(op!(compare::eq), &args![&minus, &plus]), [1]);
    }
}

/// F25: a NaN at each place, at lengths around those of vectors.
#[test]
fn f25_a_nan_at_every_place() {
    let mut sim = simulator();
    for dtype in FLOATS {
        for n in [1, 7, 8, 15, 16, 17] {
            let y = tensor(dtype, &vec![0.5; n]);
            for place in 0..n {
                let values: Vec<f32> =
                    (0..n).map(|at| if at == place { NAN } else { 1.0 + at as f32 }).collect();
                let x = tensor(dtype, &values);
                for (op, arguments, cut) in [
                    (op!(relu::relu), &args![&x][..], INF),
                    (op!(clamp::clamp), &args![&x, 1, 9], 9.0),
                    (op!(maximum::maximum), &args![&x, &y], INF),
                    (op!(maximum::maximum), &args![&y, &x], INF),
                    (op!(maximum::minimum), &args![&x, &y], 0.5),
                    (op!(maximum::minimum), &args![&y, &x], 0.5),
                ] {
                    let report = sim.launch(op, arguments).unwrap();
                    report.assert_clean();
                    let expected: Vec<f32> = values.iter().map(|&v| if v > cut { cut } else { v }).collect();
                    let expected = tensor(dtype, &expected).to_bytes();
                    let found = report.output().to_host().to_bytes();
                    let size = dtype.size() as usize;
                    let nan = place * size..(place + 1) * size;
                    assert_eq!(
                        (&found[..nan.start], &found[nan.end..]),
                        (&expected[..nan.start], &expected[nan.end..])
                    );
                    assert!(is_nan(dtype, &found[nan]), "{} of {dtype}, {place} of {n}", op.name());
                }
            }
        }
    }
}

fn is_nan(dtype: Dtype, bytes: &[u8]) -> bool {
    let tensor = HostTensor::from_bytes(dtype, &[1], bytes).unwrap();
    answer::<u8>(op!(compare::ne), &args![&tensor, &tensor]) == [1]
}

/// A bound that an integer dtype does not reach is its end; a minimum above the maximum gives the maximum.
#[test]
fn bounds_beyond_the_dtype() {
    let x = tensor(Dtype::U8, &[0, 5, 200, 255]);
    for (min, max, expected) in [(-1, 300, [0, 5, 200, 255]), (-1, 100, [0, 5, 100, 100]), (7, 6, [6; 4])] {
        assert_eq!(answer::<i32>(op!(clamp::clamp), &args![&x, min, max]), expected, "{min} to {max}");
    }
    let x = tensor(Dtype::I32, &[i32::MIN, 0, i32::MAX]);
    let (low, high) = (i64::from(i32::MIN) - 1, i64::from(i32::MAX) + 1);
    assert_eq!(answer::<i32>(op!(clamp::clamp), &args![&x, low, high]), [i32::MIN, 0, i32::MAX]);
    let (low, high) = (i32::MIN + 1, i32::MAX - 1);
    assert_eq!(answer::<i32>(op!(clamp::clamp), &args![&x, low, high]), [low, 0, high]);
}

/// torch does not define these: all bits leave.
#[test]
fn shifts_by_negative_numbers_or_too_far() {
    for dtype in [Dtype::I8, Dtype::I16, Dtype::I32, Dtype::I64] {
        let bits = 8 * dtype.size() as i32;
        let (x, by) = (tensor(dtype, &[5, -5, 5, -5]), tensor(dtype, &[bits, bits, -1, -1]));
        assert_eq!(answer::<i32>(op!(bitwise::bitwise_left_shift), &args![&x, &by]), [0; 4], "{dtype}");
        assert_eq!(
            answer::<i32>(op!(bitwise::bitwise_right_shift), &args![&x, &by]),
            [0, -1, 0, -1],
            "{dtype}"
        );
    }
}

/// A shape function's answer is the output's, and an output that is not so is refused with both.
#[test]
fn outputs_of_another_dtype() {
    let mut sim = simulator();
    let x = HostTensor::from_slice(&[2, 3], &[1_i16; 6]).unwrap();
    let like = HostTensor::zeros(Dtype::BF16, &[7]).unwrap();
    for (op, arguments, dtype) in [
        (op!(compare::eq), args![&x, &x], Dtype::U8),
        (op!(cast::cast), args![&x, &like], Dtype::BF16),
        (op!(div::div), args![&x, &x], Dtype::F32),
        (op!(div::floor_divide), args![&x, &x], Dtype::I16),
    ] {
        let output = output(op, &arguments);
        assert_eq!((output.dtype(), output.sizes()), (dtype, &[2, 3][..]), "{}", op.name());
        let wrong = sim.zeros(Dtype::I64, &[2, 3]).unwrap();
        let error = sim.launch_into(op, &arguments, &wrong).unwrap_err();
        assert!(matches!(error, LaunchError::Output { .. }));
        let text = format!("the output of op `{}` must be [2, 3] of {dtype}, not [2, 3] of i64", op.name());
        assert_eq!(error.to_string(), text);
    }
}

/// Each names the argument, what it is, and what it must be.
#[test]
fn refusals() {
    let of = |dtype| HostTensor::zeros(dtype, &[3]).unwrap();
    let (f32s, i32s, u8s) = (of(Dtype::F32), of(Dtype::I32), of(Dtype::U8));
    let narrow = HostTensor::zeros(Dtype::F32, &[2]).unwrap();
    for (op, arguments, text) in [
        (op!(gelu::gelu), &args![&i32s][..], "`x` has dtype i32, but the kernel serves f32, f16 and bf16"),
        (
            op!(bitwise::bitwise_not),
            &args![&f32s],
            "`x` has dtype f32, but the kernel serves i8, u8, i16, i32 and i64",
        ),
        (op!(mul::mul), &args![&f32s, &i32s], "`y` has dtype i32, but must have f32"),
        (op!(mul::mul), &args![&f32s, &narrow], "`y` has sizes [2], but must have [3]"),
        (op!(add::add), &args![&i32s, &i32s, 0.5_f32], "`alpha`: is a float, and the tensor holds integers"),
        (op!(clamp::clamp), &args![&i32s, 1, 2.0_f32], "`max`: is a float, and the tensor holds integers"),
        (op!(clamp::clamp), &args![&i32s, 1.0_f32, 2], "`min`: is a float, and the tensor holds integers"),
        (op!(div::trunc_divide), &args![&i32s, &i32s], "`y`: holds 0, by which no integer is divided"),
        (op!(r#where::r#where), &args![&f32s, &f32s, &f32s], "`condition` has dtype f32, but must have u8"),
        (op!(r#where::r#where), &args![&u8s, &f32s, &i32s], "`y` has dtype i32, but must have f32"),
        (op!(r#where::r#where), &args![&u8s, &narrow, &narrow], "`x` has sizes [2], but must have [3]"),
    ] {
        let report = simulator().launch(op, arguments).unwrap();
        assert!(!report.is_clean() && report.to_string().contains(text), "{text}\nis not in\n{report}");
    }
}

/// One core meets the 0; the others' quotients are in the output.
#[test]
fn one_zero_ends_one_core() {
    let x = tensor(Dtype::I32, &[-7; 16]);
    let y = tensor(Dtype::I32, &[2, 2, 2, 2, 2, 0, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]);
    let report = simulator().launch(op!(div::floor_divide), &args![&x, &y]).unwrap();
    let failed: Vec<u32> = report
        .cores()
        .iter()
        .filter(|core| core.outcome != neuron_host_sim::Outcome::Returned)
        .map(|core| core.core)
        .collect();
    assert_eq!(failed, [2], "{report}");
    let found = report.output().to_host().to_vec::<i32>().unwrap();
    assert!(found.iter().enumerate().all(|(at, &v)| v == if at == 5 { 0 } else { -4 }), "{found:?}");
}
