use std::vec::Vec;

use super::*;

fn bytes<T: Element>() -> Vec<u8> {
    bytemuck::bytes_of(&T::POISON).to_vec()
}

/// Every byte of an integer is 0xA5; of a float the lowest is, and the rest make it a NaN that signals.
#[test]
fn poison_is_easy_to_recognise() {
    for poison in [bytes::<i8>(), bytes::<u8>(), bytes::<i16>(), bytes::<i32>(), bytes::<i64>()] {
        assert!(poison.iter().all(|&byte| byte == 0xA5), "{poison:x?}");
    }
    assert_eq!((f16::POISON.to_bits(), bf16::POISON.to_bits()), (0x7DA5, 0x7FA5));
    assert_eq!(f32::POISON.to_bits(), 0x7FA5_A5A5);
    assert!(f16::POISON.is_nan() && bf16::POISON.is_nan() && f32::POISON.is_nan());
    // The highest bit of the fraction would make it quiet.
    assert_eq!((f16::POISON.to_bits() & 0x0200, bf16::POISON.to_bits() & 0x0040), (0, 0));
    assert_eq!(f32::POISON.to_bits() & 0x0040_0000, 0);
}

/// No two types read and write one dtype, and each takes the bytes its dtype says.
#[test]
fn types_and_dtypes_are_inverse() {
    let dtypes = [
        (i8::DTYPE, bytes::<i8>()),
        (u8::DTYPE, bytes::<u8>()),
        (i16::DTYPE, bytes::<i16>()),
        (bf16::DTYPE, bytes::<bf16>()),
        (f16::DTYPE, bytes::<f16>()),
        (i32::DTYPE, bytes::<i32>()),
        (f32::DTYPE, bytes::<f32>()),
        (i64::DTYPE, bytes::<i64>()),
    ];
    assert_eq!(dtypes.each_ref().map(|(dtype, _)| *dtype), Dtype::ALL);
    for (dtype, bytes) in dtypes {
        assert_eq!(dtype.size(), bytes.len() as u64, "{dtype}");
    }
}
