use std::format;

use super::*;

/// One value of each type, in the order of the dtypes, with its bytes in HBM.
const VALUES: [(Scalar, &[u8]); 8] = [
    (Scalar::I8(-2), &[0xFE]),
    (Scalar::U8(200), &[200]),
    (Scalar::I16(-2), &[0xFE, 0xFF]),
    (Scalar::BF16(bf16::ONE), &[0x80, 0x3F]),
    (Scalar::F16(f16::ONE), &[0x00, 0x3C]),
    (Scalar::I32(0x0102_0304), &[4, 3, 2, 1]),
    (Scalar::F32(1.0), &[0, 0, 0x80, 0x3F]),
    (Scalar::I64(-2), &[0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
];

/// The value comes out as the type it has, and as no other.
fn only_as<T: Element + Into<Scalar>>() {
    for (scalar, _) in VALUES {
        let found = scalar.get::<T>().map(Into::into);
        assert_eq!(found, (scalar.dtype() == T::DTYPE).then_some(scalar), "{scalar} as {}", T::DTYPE);
    }
}

#[test]
fn a_value_is_got_as_its_own_type_alone() {
    assert_eq!(VALUES.map(|(scalar, _)| scalar.dtype()), Dtype::ALL);
    only_as::<i8>();
    only_as::<u8>();
    only_as::<i16>();
    only_as::<bf16>();
    only_as::<f16>();
    only_as::<i32>();
    only_as::<f32>();
    only_as::<i64>();
}

#[test]
fn bytes_are_little_endian_then_zeros() {
    for (scalar, expected) in VALUES {
        let (bytes, len) = scalar.to_bytes();
        assert_eq!((&bytes[..len], len as u64), (expected, scalar.dtype().size()), "{scalar}");
        assert!(bytes[len..].iter().all(|&byte| byte == 0), "{scalar}: {bytes:?}");
    }
}

#[test]
fn a_scalar_shows_its_value() {
    assert_eq!(
        VALUES.map(|(scalar, _)| format!("{scalar}")),
        ["-2", "200", "-2", "1", "1", "16909060", "1", "-2"]
    );
}

/// Every value at the edges of every type, to every type: near or refused, by arithmetic wide enough for both.
#[test]
fn a_value_is_converted_if_another_is_near() {
    let integers =
        [i64::MIN, i32::MIN.into(), -32769, -32768, -129, -128, -1, 0, 1, 127, 128, 255, 256, 32767];
    let more = [32768, 65504, 65519, 65520, i32::MAX.into(), 1 << 31, i64::MAX];
    for value in integers.into_iter().chain(more) {
        let scalar = Scalar::from(value);
        assert_eq!(scalar.checked_to::<i8>().ok(), i8::try_from(value).ok(), "{value}");
        assert_eq!(scalar.checked_to::<u8>().ok(), u8::try_from(value).ok(), "{value}");
        assert_eq!(scalar.checked_to::<i16>().ok(), i16::try_from(value).ok(), "{value}");
        assert_eq!(scalar.checked_to::<i32>().ok(), i32::try_from(value).ok(), "{value}");
        assert_eq!(scalar.checked_to::<i64>().ok(), Some(value));
        assert_eq!(scalar.checked_to::<f16>().is_ok(), value.unsigned_abs() < 65520, "{value}");
        assert!(scalar.checked_to::<f32>().is_ok() && scalar.checked_to::<bf16>().is_ok());
    }
    let floats =
        [0.0f32, -0.5, 0.99, -128.9, -129.0, 255.5, 256.0, 32767.9, 2_147_483_600.0, 2_147_483_648.0, 1e30];
    for value in floats.into_iter().chain([f32::NAN, f32::INFINITY, f32::NEG_INFINITY]) {
        let (scalar, cut) = (Scalar::from(value), f64::from(value).trunc());
        let fits = |least: f64, most: f64| (least..=most).contains(&cut);
        assert_eq!(scalar.checked_to::<i8>().is_ok(), fits(-128.0, 127.0), "{value}");
        assert_eq!(scalar.checked_to::<u8>().is_ok(), fits(0.0, 255.0), "{value}");
        assert_eq!(scalar.checked_to::<i16>().is_ok(), fits(-32768.0, 32767.0), "{value}");
        assert_eq!(scalar.checked_to::<i32>().is_ok(), fits(-2_147_483_648.0, 2_147_483_647.0), "{value}");
        assert_eq!(scalar.checked_to::<i64>().is_ok(), fits(-9.3e18, 9.2e18), "{value}");
        assert_eq!(
            scalar.checked_to::<f16>().is_ok(),
            !value.is_finite() || value.abs() < 65520.0,
            "{value}"
        );
    }
}
