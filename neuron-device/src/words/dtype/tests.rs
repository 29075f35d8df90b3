use std::format;

use super::*;

/// The table of `docs/machine.md`, section 9: code, what it crosses as, torch's number.
const CROSSING: [(u8, Dtype, i8); 8] = [
    (2, Dtype::I8, 1),
    (3, Dtype::U8, 0),
    (4, Dtype::I16, 2),
    (6, Dtype::BF16, 15),
    (7, Dtype::F16, 5),
    (8, Dtype::I32, 3),
    (10, Dtype::F32, 6),
    (12, Dtype::I64, 4),
];

#[test]
fn exactly_the_eight_of_the_table_cross() {
    for code in 0..=u8::MAX {
        let expected = CROSSING.iter().find(|row| row.0 == code).map(|row| row.1);
        assert_eq!(WireDtype::from_code(code).and_then(WireDtype::crosses), expected, "code {code}");
        assert_eq!(WireDtype::from_code(code).is_some(), code < 16, "code {code}");
    }
}

/// The names of `docs/machine.md`, section 9, in the order of the codes.
#[test]
fn the_codes_have_the_names_of_the_table() {
    let names = [
        "INVALID", "UINT64", "INT8", "UINT8", "INT16", "UINT16", "BFLOAT16", "FP16", "INT32", "UINT32",
        "FP32", "FP32R", "INT64", "FP8_EXP3", "FP8_EXP4", "FP8_EXP5",
    ];
    assert_eq!(WireDtype::ALL.map(WireDtype::name), names);
    assert_eq!(Dtype::ALL.map(Dtype::name), ["i8", "u8", "i16", "bf16", "f16", "i32", "f32", "i64"]);
}

#[test]
fn dtype_and_wire_code_are_inverse() {
    for (code, dtype, torch) in CROSSING {
        assert_eq!(dtype.wire() as u8, code);
        assert_eq!(dtype.torch_scalar_type(), torch);
        assert_eq!(dtype.is_float(), dtype.name().contains('f'));
    }
    for wire in WireDtype::ALL {
        assert_eq!(WireDtype::from_code(wire as u8), Some(wire));
    }
}

#[test]
fn each_of_the_sixteen_has_one_verdict() {
    for wire in WireDtype::ALL {
        assert_eq!(wire.crosses().is_none(), wire.refusal().is_some(), "{wire:?}");
        assert_eq!(WireDtype::gate(wire as u8).is_ok(), wire.crosses().is_some(), "{wire:?}");
        let Err(refused) = WireDtype::gate(wire as u8) else { continue };
        let text = format!("dtype {} ({}) does not cross to a core: ", wire.name(), wire as u8);
        assert_eq!(format!("{refused}"), format!("{text}{}", wire.refusal().unwrap()));
    }
    assert!((16..=u8::MAX).all(|code| WireDtype::gate(code) == Err(NotCrossing(code))));
}

/// torch's numbers, from -128 to 127, lead to the eight and to no other.
#[test]
fn torch_numbers_go_both_ways() {
    for number in i8::MIN..=i8::MAX {
        let expected = CROSSING.iter().find(|row| row.2 == number).map(|row| row.1);
        assert_eq!(Dtype::from_torch_scalar_type(number), expected, "{number}");
    }
    let names = ["Char", "Byte", "Short", "BFloat16", "Half", "Int", "Float", "Long"];
    assert_eq!(Dtype::ALL.map(Dtype::torch_name), names);
}
