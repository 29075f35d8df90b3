use half::{bf16, f16};
use proptest::prelude::*;

use super::Number;
use crate::words::convert::tests::{nearest_bf16, nearest_f16};
use crate::words::element::Element;

/// The columns of F17: dividend, divisor, and what torch gives for `//`, trunc, remainder, fmod.
const F17: [[i32; 6]; 9] = [
    [-7, 2, -4, -3, 1, -1],
    [7, -2, -4, -3, -1, 1],
    [-1, 2, -1, 0, 1, -1],
    [7, 2, 3, 3, 1, 1],
    [-7, -2, 3, 3, -1, -1],
    [-8, 2, -4, -4, 0, 0],
    [6, -3, -2, -2, 0, 0],
    [0, -5, 0, 0, 0, 0],
    [-1, -2, 0, 0, -1, -1],
];

fn f17<T: Number>() {
    for [a, b, floor, trunc, remainder, fmod] in F17 {
        let (x, y): (T, T) = (a.cast(), b.cast());
        let results = [x.floor_divide(y), x.trunc_divide(y), x.remainder(y), x.fmod(y)];
        assert_eq!(
            results.map(Element::cast::<i32>),
            [floor, trunc, remainder, fmod],
            "{a}, {b} {}",
            T::DTYPE
        );
    }
}

#[test]
fn f17_division_rounds_as_torch_does() {
    f17::<i8>();
    f17::<i16>();
    f17::<i32>();
    f17::<i64>();
    f17::<f32>();
    f17::<f16>();
    f17::<bf16>();
    assert_eq!((250_u8.floor_divide(7), 250_u8.remainder(7), 250_u8.fmod(7)), (35, 5, 5));
    // True division is that of f32.
    let quotients = [(-7_i32, 2_i32), (7, -2), (-1, 2)].map(|(a, b)| a.cast::<f32>() / b.cast::<f32>());
    assert_eq!(quotients, [-3.5, -3.5, -0.5]);
}

fn f18<T: Number>(least: T) {
    let minus_one = (-1_i32).cast::<T>();
    assert_eq!((least.floor_divide(minus_one), least.trunc_divide(minus_one)), (least, least));
    let zero = 0_i32.cast::<T>();
    assert_eq!((least.remainder(minus_one), least.fmod(minus_one)), (zero, zero));
}

#[test]
fn f18_the_smallest_integer_divides_by_minus_one() {
    f18(i8::MIN);
    f18(i16::MIN);
    f18(i32::MIN);
    f18(i64::MIN);
}

#[test]
fn f21_integers_wrap_in_every_build() {
    fn add<T: Number>(a: T, b: T) -> T {
        a.wrapping_add(b)
    }
    fn sub<T: Number>(a: T, b: T) -> T {
        a.wrapping_sub(b)
    }
    fn mul<T: Number>(a: T, b: T) -> T {
        a.wrapping_mul(b)
    }
    fn signs<T: Number>(a: T) -> (T, T) {
        (a.wrapping_neg(), a.wrapping_abs())
    }
    assert_eq!((sub(1_u8, 2), add(127_i8, 1), mul(300_i16, 300)), (255, -128, 24464));
    assert_eq!((add(i32::MAX, 1), sub(i64::MIN, 1), mul(i64::MAX, 2)), (i32::MIN, i64::MAX, -2));
    assert_eq!((signs(-128_i8), signs(5_i16), signs(-5_i32)), ((-128, -128), (-5, 5), (5, 5)));
    assert_eq!((signs(i64::MIN), signs(200_u8)), ((i64::MIN, i64::MIN), (56, 200)));
    assert_eq!((signs(-2.5_f32), signs(f32::INFINITY)), ((2.5, 2.5), (f32::NEG_INFINITY, f32::INFINITY)));
}

#[test]
#[should_panic(expected = "divisor of zero")]
fn an_integer_by_zero_panics() {
    let _ = 1_i32.floor_divide(0);
}

#[test]
fn floats_divide_as_python_does() {
    let inf = f32::INFINITY;
    // Rounded to f32, what is divided goes up 261968.98 and 8387318.5 times: the first is a whole number missed by one
    // step, the second a whole number exceeded.
    let (a, b) = (f32::from_bits(0x4880_6382), f32::from_bits(0x3F80_7967));
    let (c, d) = (f32::from_bits(0x4B00_02A8), f32::from_bits(0x3F80_07B2));
    let table: [(f32, f32, f32, f32); 11] = [
        (a, b, 261_969.0, a % b),
        (c, d, 8_387_318.0, c % d),
        // 1 / 0.1 rounds to 10, though the f32 nearest 0.1 is above it.
        (1.0, 0.1, 9.0, 0.099_999_99),
        (-1.0, inf, -1.0, inf),
        (1.0, inf, 0.0, 1.0),
        (1.0, 0.0, inf, f32::NAN),
        (-1.0, 0.0, -inf, f32::NAN),
        (inf, 2.0, f32::NAN, f32::NAN),
        (5.5, -2.0, -3.0, -0.5),
        (-0.0, 3.0, -0.0, -0.0),
        (f32::NAN, 1.0, f32::NAN, f32::NAN),
    ];
    let same = |a: f32, b: f32| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
    for (a, b, quotient, rest) in table {
        let found = (a.floor_divide(b), a.remainder(b));
        assert!(same(found.0, quotient) && same(found.1, rest), "{a} // {b}: {found:?}");
    }
}

#[test]
fn f11_signs_of_halves_change_without_arithmetic() {
    for bits in 0..=u16::MAX {
        let (half, brain) = (f16::from_bits(bits), bf16::from_bits(bits));
        assert_eq!(
            (half.wrapping_neg().to_bits(), brain.wrapping_neg().to_bits()),
            (bits ^ 0x8000, bits ^ 0x8000)
        );
        assert_eq!(
            (half.wrapping_abs().to_bits(), brain.wrapping_abs().to_bits()),
            (bits & 0x7FFF, bits & 0x7FFF)
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn integer_division_is_that_of_wider_numbers(a: i32, b: i32) {
        prop_assume!(b != 0);
        let (wide, by) = (i64::from(a), i64::from(b));
        let floor = (wide.div_euclid(by) - i64::from(by < 0 && wide.rem_euclid(by) != 0)) as i32;
        prop_assert_eq!(a.floor_divide(b), floor);
        prop_assert_eq!(a.remainder(b), (wide - i64::from(floor) * by) as i32);
    }

    #[test]
    fn what_f16_computes_is_rounded_once(a: u16, b: u16) {
        let (x, y) = (f16::from_bits(a), f16::from_bits(b));
        let (wide, other) = (x.to_f64(), y.to_f64());
        if wide.is_finite() && other.is_finite() {
            prop_assert_eq!(x.wrapping_mul(y).to_f64(), nearest_f16(wide * other));
            prop_assert_eq!(x.wrapping_add(y).to_f64(), nearest_f16(wide + other));
            prop_assert_eq!(x.wrapping_sub(y).to_f64(), nearest_f16(wide - other));
        }
    }

    /// A product of two fractions of 8 bits is exact in f32, unless it is subnormal there.
    #[test]
    fn what_bf16_multiplies_is_rounded_once(a: u16, b: u16) {
        let (x, y) = (bf16::from_bits(a), bf16::from_bits(b));
        let product = x.to_f64() * y.to_f64();
        if product.is_finite() && product.abs() >= f64::from(f32::MIN_POSITIVE) {
            prop_assert_eq!(x.wrapping_mul(y).to_f64(), nearest_bf16(product));
        }
    }
}
