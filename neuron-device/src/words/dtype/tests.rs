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
