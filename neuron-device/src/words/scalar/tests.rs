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
