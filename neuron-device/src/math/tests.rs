use half::{bf16, f16};

use super::float::Float;
use super::number::Number;
use super::*;
use crate::words::element::Element;

const INF: f32 = f32::INFINITY;
const NAN: f32 = f32::NAN;
const SMALLEST: f32 = f32::from_bits(1);

fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

/// Argument and result, to the bit.
type Row = (f32, f32);

/// What C's Annex F, and so torch, says of special values.
#[test]
fn special_values() {
    type Named = (&'static str, fn(f32) -> f32, &'static [Row]);
    let table: [Named; 16] = [
        ("exp", exp, &[(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (89.0, INF), (-104.0, 0.0)]),
        ("expm1", expm1, &[(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -1.0)]),
        ("log", log, &[(0.0, -INF), (-0.0, -INF), (1.0, 0.0), (-1.0, NAN), (INF, INF)]),
        ("log2", log2, &[(0.0, -INF), (8.0, 3.0), (SMALLEST, -149.0), (-1.0, NAN), (INF, INF)]),
        ("log10", log10, &[(0.0, -INF), (1.0, 0.0), (1e5, 5.0), (-1.0, NAN), (INF, INF)]),
        (
            "sqrt",
            sqrt,
            &[
                (0.0, 0.0),
                (-0.0, -0.0),
                (2.0, core::f32::consts::SQRT_2),
                (-1.0, NAN),
                (INF, INF),
                (-INF, NAN),
            ],
        ),
        ("rsqrt", rsqrt, &[(0.0, INF), (-0.0, -INF), (0.25, 2.0), (-1.0, NAN), (INF, 0.0)]),
        ("sin", sin, &[(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN), (1.0, 0.841_470_96)]),
        ("cos", cos, &[(0.0, 1.0), (-0.0, 1.0), (INF, NAN), (-INF, NAN), (1.0, 0.540_302_3)]),
        ("tan", tan, &[(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN), (1.0, 1.557_407_7)]),
        ("tanh", tanh, &[(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (1.0, 0.761_594_2)]),
        ("erf", erf, &[(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (1.0, 0.842_700_8)]),
        ("floor", floor, &[(-0.0, -0.0), (-0.5, -1.0), (0.5, 0.0), (INF, INF), (8_388_607.5, 8_388_607.0)]),
        ("ceil", ceil, &[(-0.0, -0.0), (-0.5, -0.0), (0.5, 1.0), (-INF, -INF), (8_388_607.5, 8_388_608.0)]),
        (
            "round",
            round,
            &[(-0.0, -0.0), (0.5, 0.0), (-0.5, -0.0), (1.5, 2.0), (2.5, 2.0), (0.499_999_97, 0.0)],
        ),
        ("itself", |x| x, &[(1.0, 1.0)]),
    ];
    for (name, function, rows) in table {
        assert!(function(NAN).is_nan(), "{name}(NaN)");
        for &(x, expected) in rows {
            let found = function(x);
            assert!(same(found, expected), "{name}({x}) is {found:?} instead of {expected:?}");
        }
    }
}

#[test]
fn special_powers() {
    let table = [
        (2.0, 10.0, 1024.0),
        (NAN, 0.0, 1.0),
        (1.0, NAN, 1.0),
        (-1.0, INF, 1.0),
        (0.0, -1.0, INF),
        (-0.0, -1.0, -INF),
        (-2.0, 3.0, -8.0),
        (-8.0, 1.0 / 3.0, NAN),
        (NAN, 1.0, NAN),
        (0.5, INF, 0.0),
    ];
    for (x, y, expected) in table {
        assert!(same(pow(x, y), expected), "pow({x}, {y}) is {}", pow(x, y));
    }
}

#[test]
fn f24_the_sign_of_zero_is_kept() {
    assert!(
        [ceil(-0.5_f32), round(-0.5), floor(-0.0), sqrt(-0.0), sin(-0.0)].map(f32::to_bits) == [1 << 31; 5]
    );
    assert!(same(0.0_f32.wrapping_mul(-1.0), -0.0) && same(0.0_f32.wrapping_neg(), -0.0));
    assert_eq!(ceil(bf16::from_f32(-0.5)).to_bits(), 0x8000);
}

fn f01<T: Float>() {
    let t = |x: f32| x.cast::<T>();
    let is = |found: T, expected: f32| {
        assert!(same(found.cast(), expected), "{found:?} instead of {expected} in {}", T::DTYPE);
    };
    let relu = |x| max(x, t(0.0));
    for (x, expected) in [(NAN, NAN), (-1.0, 0.0), (0.0, 0.0), (INF, INF), (-INF, 0.0)] {
        is(relu(t(x)), expected);
    }
    let clamp = |x| min(max(x, t(0.0)), t(1.0));
    is(clamp(t(NAN)), NAN);
    is(clamp(t(2.0)), 1.0);
    for (x, y) in [(NAN, 1.0), (1.0, NAN), (NAN, NAN), (NAN, INF), (-INF, NAN)] {
        is(max(t(x), t(y)), NAN);
        is(min(t(x), t(y)), NAN);
    }
    for function in [fmax, fmin] {
        is(function(t(NAN), t(1.0)), 1.0);
        is(function(t(1.0), t(NAN)), 1.0);
        is(function(t(NAN), t(NAN)), NAN);
    }
    is(fmax(t(1.0), t(2.0)), 2.0);
    is(fmin(t(1.0), t(2.0)), 1.0);
    for (x, y) in [(0.0, -0.0), (-0.0, 0.0)] {
        is(max(t(x), t(y)), 0.0);
        is(min(t(x), t(y)), -0.0);
    }
}

#[test]
fn f01_min_and_max_keep_nan_and_fmin_and_fmax_do_not() {
    f01::<f32>();
}

#[test]
fn f02_in_every_float_type() {
    f01::<f16>();
    f01::<bf16>();
}

fn of_integers<T: Number + Ord>(values: [T; 5]) {
    for (x, y) in values.into_iter().flat_map(|x| values.map(|y| (x, y))) {
        assert_eq!([max(x, y), fmax(x, y)], [x.max(y); 2], "{x:?} and {y:?}");
        assert_eq!([min(x, y), fmin(x, y)], [x.min(y); 2], "{x:?} and {y:?}");
    }
}

/// The largest of the large types are one number in f32.
#[test]
fn integers_are_compared_as_they_are() {
    of_integers([i8::MIN, -1, 0, 1, i8::MAX]);
    of_integers([0, 1, 127, 128, u8::MAX]);
    of_integers([i16::MIN, -1, 0, i16::MAX - 1, i16::MAX]);
    of_integers([i32::MIN, i32::MIN + 1, 0, i32::MAX - 1, i32::MAX]);
    of_integers([i64::MIN, i64::MIN + 1, 0, i64::MAX - 1, i64::MAX]);
}

#[test]
fn f25_a_nan_at_every_place_of_a_reduction_is_kept() {
    for n in [1, 7, 8, 15, 16, 17] {
        for place in 0..n {
            let value = |i: i32| if i == place { NAN } else { i as f32 };
            assert!((0..n).map(value).fold(-INF, max).is_nan(), "{place} of {n}");
            assert!((0..n).map(value).fold(INF, min).is_nan(), "{place} of {n}");
        }
    }
}

/// Units in the last place of f32 between a result and the truth, by the host's f64 functions.
fn error(found: f32, truth: f64) -> f64 {
    let nearest = truth as f32;
    if same(found, nearest) || (found.is_infinite() && truth.abs() > f64::from(f32::MAX)) {
        return 0.0;
    }
    let unit = f64::from(f32::from_bits(nearest.abs().to_bits() + 1)) - f64::from(nearest.abs());
    (f64::from(found) - truth).abs() / unit
}

#[test]
fn f32_results_are_within_their_error() {
    type Named = (&'static str, fn(f32) -> f32, fn(f64) -> f64, f64);
    let table: [Named; 15] = [
        ("exp", exp, f64::exp, 1.0),
        ("expm1", expm1, f64::exp_m1, 1.0),
        ("log", log, f64::ln, 1.0),
        ("log2", log2, f64::log2, 1.0),
        ("log10", log10, f64::log10, 1.0),
        ("sqrt", sqrt, f64::sqrt, 0.5),
        ("rsqrt", rsqrt, |x| 1.0 / x.sqrt(), 1.5),
        ("sin", sin, f64::sin, 1.0),
        ("cos", cos, f64::cos, 1.0),
        ("tan", tan, f64::tan, 1.0),
        ("tanh", tanh, f64::tanh, 2.5),
        ("erf", erf, libm::erf, 1.0),
        ("floor", floor, f64::floor, 0.0),
        ("ceil", ceil, f64::ceil, 0.0),
        ("round", round, f64::round_ties_even, 0.0),
    ];
    for (name, function, truth, limit) in table {
        // Every 65,537th pattern: all signs and exponents, and fractions of every kind.
        for x in (0..u32::MAX).step_by(65_537).map(f32::from_bits).filter(|x| x.is_finite()) {
            let found = error(function(x), truth(f64::from(x)));
            assert!(found <= limit, "{name}({x:e}) is {found} units off");
        }
    }
}

#[test]
fn fma_rounds_once() {
    let patterns = || (0..u32::MAX).step_by(16_777_259).map(f32::from_bits);
    for (x, y) in patterns().flat_map(|x| patterns().map(move |y| (x, y))) {
        for z in [1.0, -x * y, f32::MIN_POSITIVE, x] {
            assert!(same(fma(x, y, z), x.mul_add(y, z)), "{x:e} * {y:e} + {z:e}");
        }
    }
}

#[test]
fn f16_and_bf16_are_the_f32_result_rounded() {
    for bits in 0..=u16::MAX {
        let (half, brain) = (f16::from_bits(bits), bf16::from_bits(bits));
        let (wide, wider) = (f16::from_f32(exp(half.to_f32())), bf16::from_f32(exp(brain.to_f32())));
        assert!(exp(half) == wide || (exp(half).is_nan() && wide.is_nan()), "{half}");
        assert!(exp(brain) == wider || (exp(brain).is_nan() && wider.is_nan()), "{brain}");
        assert!(floor(half).to_f32() == half.to_f32().floor() || half.is_nan(), "{half}");
    }
}
