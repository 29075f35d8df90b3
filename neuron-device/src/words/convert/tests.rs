use half::{bf16, f16};
use proptest::prelude::*;

use super::super::element::Element;
use super::super::scalar::Scalar;

/// Every 16-bit pattern, as a value.
fn every<T: Element>() -> impl Iterator<Item = T> {
    (0..=u16::MAX).map(|bits| bytemuck::cast(bits))
}

fn bits<T: Element>(value: T) -> u16 {
    bytemuck::cast(value)
}

fn is_nan<T: Element>(value: T) -> bool {
    value.cast::<f32>().is_nan()
}

#[test]
fn f09_f32_to_bf16_rounds_to_nearest_even() {
    let table = [
        (0.269_140_88_f32, 0x3E8A),
        // 3.14
        (f32::from_bits(0x4048_F5C3), 0x4049),
        (1.0 + 1.0 / 256.0, 0x3F80),
        (1.0 + 3.0 / 256.0, 0x3F82),
        (f32::MAX, 0x7F80),
        (-f32::MAX, 0xFF80),
        // The last that stays finite, and the tie above it.
        (f32::from_bits(0x7F7F_7FFF), 0x7F7F),
        (f32::from_bits(0x7F7F_8000), 0x7F80),
        (-0.0, 0x8000),
        (f32::from_bits(1), 0),
    ];
    for (value, expected) in table {
        assert_eq!(bits(value.cast::<bf16>()), expected, "{value:e}");
        assert_eq!(bits(Scalar::from(value).to::<bf16>()), expected, "{value:e}");
    }
}

#[test]
fn f09_f32_to_f16_rounds_to_nearest_even() {
    let table = [
        (1.0 + 1.0 / 2048.0_f32, 0x3C00),
        (1.0 + 3.0 / 2048.0, 0x3C02),
        (65504.0, 0x7BFF),
        (65519.996, 0x7BFF),
        (65520.0, 0x7C00),
        (-1e6, 0xFC00),
        // Half the smallest subnormal is a tie to 0; a little more is not.
        (2.0_f32.powi(-25), 0),
        (2.0_f32.powi(-25) * 1.001, 1),
        (2.0_f32.powi(-14) - 2.0_f32.powi(-26), 0x0400),
    ];
    for (value, expected) in table {
        assert_eq!(bits(value.cast::<f16>()), expected, "{value:e}");
    }
}

#[test]
fn f10_a_nan_of_any_payload_stays_one() {
    for payload in [1_u32, 2, 0x1000, 0x1FFF, 0x2000, 0xFFFF, 0x1_0000, 0x40_0000, 0x7F_FFFF] {
        for sign in [0, 1 << 31] {
            let nan = f32::from_bits(sign | 0x7F80_0000 | payload);
            assert!(is_nan(nan.cast::<bf16>()) && is_nan(nan.cast::<f16>()), "{:#x}", nan.to_bits());
            assert_eq!(nan.cast::<f32>().to_bits(), nan.to_bits());
        }
    }
    every::<bf16>().filter(|value| value.is_nan()).for_each(|nan| assert!(is_nan(nan.cast::<f16>())));
    every::<f16>().filter(|value| value.is_nan()).for_each(|nan| assert!(is_nan(nan.cast::<bf16>())));
}

fn to_f32_and_back<T: Element>() {
    for value in every::<T>() {
        let back = value.cast::<f32>().cast::<T>();
        assert!(if is_nan(value) { is_nan(back) } else { bits(back) == bits(value) }, "{:#x}", bits(value));
        // To its own type without a change, NaNs too.
        assert_eq!(bits(value.cast::<T>()), bits(value));
    }
}

#[test]
fn s03_every_bf16_and_f16_survives_f32() {
    to_f32_and_back::<bf16>();
    to_f32_and_back::<f16>();
    assert_eq!(Scalar::from(bf16::from_f32(-2.5)).to::<f32>(), -2.5);
}

#[test]
fn f22_float_to_integer_is_towards_zero_and_saturates_where_torch_says_nothing() {
    let inside: [(f32, i32); 6] = [
        (-2.75, -2),
        (-0.99, 0),
        (-0.0, 0),
        (0.99, 0),
        (16_777_216.0, 16_777_216),
        (-2_147_483_648.0, i32::MIN),
    ];
    for (value, expected) in inside {
        assert_eq!(value.cast::<i32>(), expected, "{value}");
    }
    assert_eq!(((-0.5_f32).cast::<u8>(), 255.9_f32.cast::<u8>(), (-128.9_f32).cast::<i8>()), (0, 255, -128));
    // Rust's answers; torch's are undefined, so nothing else may be compared with them.
    let outside = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 300.0, -1.0];
    assert_eq!(outside.map(Element::cast::<u8>), [0, 255, 0, 255, 0]);
    assert_eq!(outside.map(Element::cast::<i8>), [0, 127, -128, 127, -1]);
    assert_eq!(outside.map(Element::cast::<i32>), [0, i32::MAX, i32::MIN, 300, -1]);
    assert_eq!(outside.map(Element::cast::<i64>), [0, i64::MAX, i64::MIN, 300, -1]);
    assert_eq!(outside.map(|value| value.cast::<f16>().cast::<i16>()), [0, i16::MAX, i16::MIN, 300, -1]);
    assert_eq!(Scalar::from(f32::NAN).to::<i64>(), 0);
}

#[test]
fn integers_wrap_into_narrower_ones() {
    let table: [(i64, i8, u8, i16, i32); 5] = [
        (300, 44, 44, 300, 300),
        (-1, -1, 255, -1, -1),
        (128, -128, 128, 128, 128),
        (0x1_8000_0001, 1, 1, 1, i32::MIN + 1),
        (i64::MIN, 0, 0, 0, 0),
    ];
    for (value, i8, u8, i16, i32) in table {
        assert_eq!((value.cast::<i8>(), value.cast::<u8>()), (i8, u8), "{value}");
        assert_eq!((value.cast::<i16>(), value.cast::<i32>()), (i16, i32), "{value}");
    }
    assert_eq!(((-1_i8).cast::<u8>(), 200_u8.cast::<i8>(), 200_u8.cast::<i64>()), (255, -56, 200));
}

#[test]
fn integers_round_to_the_nearest_even_float() {
    assert_eq!((16_777_217_i32.cast::<f32>(), 16_777_219_i32.cast::<f32>()), (16_777_216.0, 16_777_220.0));
    assert_eq!((i64::MAX.cast::<f32>(), i32::MIN.cast::<f32>()), (2.0_f32.powi(63), -(2.0_f32.powi(31))));
    assert_eq!((2049_i16.cast::<f16>().to_f32(), 2051_i16.cast::<f16>().to_f32()), (2048.0, 2052.0));
    assert_eq!((257_i16.cast::<bf16>().to_f32(), 255_u8.cast::<bf16>().to_f32()), (256.0, 255.0));
    assert_eq!((65519_i32.cast::<f16>().to_f32(), 65520_i32.cast::<f16>()), (65504.0, f16::INFINITY));
    // By way of f32, where what is beside the tie becomes the tie, which goes to the even neighbour.
    let beside: [(i32, f32); 2] = [(257 << 17 | 1, 256.0), ((259 << 17) - 1, 260.0)];
    for (value, even) in beside {
        assert_eq!(value.cast::<bf16>().to_f32(), even * 2.0_f32.powi(17));
        assert_eq!(i64::from(value).cast::<bf16>().to_f32(), even * 2.0_f32.powi(17));
    }
}

/// To both 16-bit types, as by arithmetic on what the value is in f32.
fn to_halves<T: Element>(value: T) {
    let wide = f64::from(value.cast::<f32>());
    let (half, brain) = (value.cast::<f16>().to_f64(), value.cast::<bf16>().to_f64());
    assert_eq!((half, brain), (nearest_f16(wide), nearest_bf16(wide)), "{value:?} of {}", T::DTYPE);
}

#[test]
fn every_small_number_goes_to_the_nearest_half() {
    (i8::MIN..=i8::MAX).for_each(to_halves);
    (u8::MIN..=u8::MAX).for_each(to_halves);
    every::<i16>().for_each(to_halves);
    every::<f16>().filter(|value| !value.is_nan()).for_each(to_halves);
    every::<bf16>().filter(|value| !value.is_nan()).for_each(to_halves);
}

/// What a format with a fraction of `fraction` bits and a least exponent of `least` has nearest to `value`, by
/// arithmetic in f64, which is exact here; beyond the range it gives a number the format lacks.
fn nearest(value: f64, fraction: i32, least: i32) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let exponent = ((value.to_bits() >> 52 & 0x7FF) as i32 - 1023).max(least);
    let step = 2.0_f64.powi(exponent - fraction);
    (value / step).round_ties_even() * step
}

/// `value` where the format's largest is `largest`.
fn within(value: f64, largest: f64) -> f64 {
    if value.abs() > largest { f64::INFINITY.copysign(value) } else { value }
}

/// The f16 nearest to `value`, as f64. (`f16::from_f64` drops the low bits of an f64 before it rounds.)
pub(crate) fn nearest_f16(value: f64) -> f64 {
    within(nearest(value, 10, -14), 65504.0)
}

/// The bf16 nearest to `value`, as f64.
pub(crate) fn nearest_bf16(value: f64) -> f64 {
    within(nearest(value, 7, -126), bf16::MAX.to_f64())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn floats_go_to_the_nearest_narrower_one(pattern: u32) {
        let value = f32::from_bits(pattern);
        prop_assume!(!value.is_nan());
        prop_assert_eq!(value.cast::<f16>().to_f64().to_bits(), nearest_f16(value.into()).to_bits());
        prop_assert_eq!(value.cast::<bf16>().to_f64().to_bits(), nearest_bf16(value.into()).to_bits());
    }

    #[test]
    fn integers_go_to_the_nearest_half(value: i64, bits in 0..64_u32) {
        to_halves(value >> bits);
        to_halves((value >> bits) as i32);
    }

    #[test]
    fn a_scalar_converts_as_its_value_does(pattern: u32) {
        let value = f32::from_bits(pattern);
        prop_assert_eq!(Scalar::from(value).to::<i16>(), value.cast::<i16>());
        let integer = pattern as i32;
        prop_assert_eq!(Scalar::from(integer).to::<u8>(), integer.cast::<u8>());
        prop_assert_eq!(Scalar::from(integer).to::<f32>(), integer.cast::<f32>());
    }
}
