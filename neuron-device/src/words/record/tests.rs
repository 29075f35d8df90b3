use std::string::ToString;
use std::vec::Vec;

use proptest::prelude::*;

use super::*;
use crate::words::dtype::NotCrossing;
use crate::words::error::Sizes;

fn golden() -> [u8; 48] {
    let mut bytes = [0; 48];
    bytes[0] = 2; // HBM
    bytes[1] = 0; // INLINE_8D
    bytes[2] = 10; // FP32
    bytes[8..12].copy_from_slice(&[2, 0, 3, 0]); // 2, 3
    bytes[24..32].copy_from_slice(&[0x40, 0, 0, 0, 0x10, 0, 0, 0]); // 0x10_0000_0040
    bytes[32..36].copy_from_slice(&[6, 0, 0, 0]); // elements
    bytes
}

#[test]
fn golden_bytes_of_a_small_tensor() {
    let layout = Layout::contiguous(&[2, 3]).unwrap();
    let record = ArgRecord::new(HbmAddr::new(0x10_0000_0040), Dtype::F32, &layout).unwrap();
    assert_eq!(record.as_bytes(), &golden());
    assert_eq!(ArgRecord::from_bytes(&golden()), record);
}

#[test]
fn golden_bytes_of_a_wide_tensor() {
    let layout = Layout::contiguous(&[65536, 3]).unwrap();
    let record = ArgRecord::new(HbmAddr::new(0x10_0000_0000), Dtype::U8, &layout).unwrap();
    assert_eq!(record.as_bytes()[..16], [2, 2, 3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 3, 0, 0, 0]);
    assert_eq!(record.as_bytes()[32..36], [0, 0, 3, 0]);
}

/// A tensor of 2 x 3 f32 in SBUF, over two partitions.
fn golden_sbuf() -> [u8; 48] {
    let mut bytes = golden();
    bytes[0] = 1; // SBUF
    bytes[24..28].copy_from_slice(&0x8000_0040u32.to_le_bytes());
    bytes[28..32].copy_from_slice(&[6, 0, 0, 0]); // elements
    bytes[32..36].copy_from_slice(&[2, 0, 0, 0]); // partitions
    bytes[36..40].copy_from_slice(&[3, 0, 0, 0]); // elements a partition
    bytes
}

#[test]
fn golden_bytes_of_a_tensor_in_sbuf() {
    let layout = Layout::contiguous(&[2, 3]).unwrap();
    let at = NxAddr::new(0x8000_0040);
    let record = ArgRecord::in_sbuf(at, SbufAddresses::Local, Dtype::F32, &layout, 2).unwrap();
    assert_eq!(record.as_bytes(), &golden_sbuf());
    let parsed = ParsedRecord { storage: Storage::Sbuf(at), storage_elems: 6, dtype: Dtype::F32, layout };
    assert_eq!(record.parse(), Ok(parsed));
    assert_eq!(record.parse_with(&ViewExtension::new(&layout, 6)), Ok(parsed));
    let in_sbuf = |at, addresses, partitions| {
        ArgRecord::in_sbuf(NxAddr::new(at), addresses, Dtype::F32, &layout, partitions)
    };
    let refused = |at, partitions| in_sbuf(at, SbufAddresses::Local, partitions).unwrap_err();
    assert_eq!(refused(0x8000_0040, 0), RecordError::NoPartitions);
    assert_eq!(refused(0x8000_0042, 1), RecordError::Misaligned { addr: 0x8000_0042, align: 4 });
    assert_eq!(refused(0x817F_FFF0, 1), not_sbuf(SbufAddresses::Local, 0x817F_FFF0));
    assert!(in_sbuf(0x817F_FFE8, SbufAddresses::Local, 1).is_ok(), "the last 24 bytes");

    // The same for a machine that takes offsets.
    let mut bytes = golden_sbuf();
    bytes[24..28].copy_from_slice(&0x40u32.to_le_bytes());
    let record = in_sbuf(0x8000_0040, SbufAddresses::Offsets, 2).unwrap();
    assert_eq!(record.as_bytes(), &bytes);
    assert_eq!(record.parse_as(SbufAddresses::Offsets, None), Ok(parsed));
    assert_eq!(record.parse_as(SbufAddresses::Offsets, Some(&ViewExtension::new(&layout, 6))), Ok(parsed));
    assert_eq!(record.parse(), Err(not_sbuf(SbufAddresses::Local, 0x40)), "no local address");
    let error = in_sbuf(0x817F_FFF0, SbufAddresses::Offsets, 1);
    assert_eq!(error, Err(not_sbuf(SbufAddresses::Offsets, 0x017F_FFF0)));
}

fn not_sbuf(addresses: SbufAddresses, word: u32) -> RecordError {
    RecordError::NotSbuf { addresses, word, bytes: 24 }
}

/// Each wrong field by itself, and the error that names it.
#[test]
fn each_wrong_field_has_its_error() {
    let dtype = |code| RecordError::Dtype(NotCrossing(code));
    let table: [(usize, u8, RecordError); 11] = [
        (0, 0, RecordError::Location(0)),
        (0, 3, RecordError::Location(3)),
        (0, 255, RecordError::Location(255)),
        (1, 1, RecordError::ShapeType(1)),
        (1, 7, RecordError::ShapeType(7)),
        (2, 11, dtype(11)),
        (2, 99, dtype(99)),
        (14, 5, RecordError::AfterTheLast { byte: 14, size: 5 }),
        (20, 5, RecordError::AfterTheLast { byte: 20, size: 5 }),
        (24, 0x42, RecordError::Misaligned { addr: 0x10_0000_0042, align: 4 }),
        (32, 7, RecordError::Count { byte: 32, stated: 7, product: 6 }),
    ];
    for (at, value, expected) in table {
        let mut bytes = golden();
        bytes[at] = value;
        assert_eq!(ArgRecord::from_bytes(&bytes).parse(), Err(expected), "byte {at} = {value}");
    }
    let mut bytes = golden();
    bytes[8..24].fill(0);
    assert_eq!(ArgRecord::from_bytes(&bytes).parse(), Err(RecordError::RankZero));
    (bytes[1], bytes[8], bytes[16]) = (2, 6, 9);
    assert_eq!(ArgRecord::from_bytes(&bytes).parse(), Err(RecordError::AfterTheLast { byte: 16, size: 9 }));
    // In both forms: eight sizes of 16 bits, or four of 32.
    for (shape_type, sizes) in [(0, [0xFFFF; 8].as_slice()), (2, &[u32::MAX; 4])] {
        let mut bytes = golden();
        bytes[1] = shape_type;
        bytes[8..24].fill(0xFF);
        let error = ArgRecord::from_bytes(&bytes).parse().unwrap_err();
        assert_eq!(error, RecordError::Product(Sizes::new(sizes)));
        assert!(
            std::format!("{error}").starts_with(&std::format!("sizes {sizes:?} from byte 8 on ")),
            "{error}"
        );
    }
    let mut bytes = golden();
    bytes[24..32].copy_from_slice(&(u64::MAX - 7).to_le_bytes());
    assert!(matches!(ArgRecord::from_bytes(&bytes).parse(), Err(RecordError::AddressSpace(_))));
}

#[test]
fn each_wrong_field_of_sbuf_has_its_error() {
    let not_sbuf = |word| not_sbuf(SbufAddresses::Local, word);
    let table: [(usize, u32, RecordError, &str); 10] = [
        (24, 0x8_0000, not_sbuf(0x8_0000), "in dataram, where tensors are staged (0x80000),"),
        (24, 0x8400_0000, not_sbuf(0x8400_0000), "in the window onto hbm_scratch (0x84000000)"),
        (24, 0x0200_0000, not_sbuf(0x0200_0000), "in the firmware's data (0x2000000), which no op reaches,"),
        (
            24,
            0x83FF_FFEC,
            not_sbuf(0x83FF_FFEC),
            "24 bytes at local address 0x83ffffec, byte 24, leave SBUF, the first 24 MiB of the window",
        ),
        (24, 0x817F_FFEC, not_sbuf(0x817F_FFEC), "0x817fffec, byte 24, leave SBUF"),
        (
            24,
            0x8000_0041,
            RecordError::Misaligned { addr: 0x8000_0041, align: 4 },
            "address 0x80000041 at byte 24",
        ),
        (28, 7, RecordError::Count { byte: 28, stated: 7, product: 6 }, "num_elem 7 at byte 28"),
        (32, 0, RecordError::NoPartitions, "num_partitions 0 at byte 32"),
        (36, 2, RecordError::Blocks { block: 2, partitions: 2, elems: 6 }, "num_elem_per_block 2 at byte 36"),
        (0, 0x000A_0003, RecordError::Location(3), "location 3 at byte 0"),
    ];
    for (at, value, expected, text) in table {
        let mut bytes = golden_sbuf();
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        assert_eq!(ArgRecord::from_bytes(&bytes).parse(), Err(expected), "byte {at} = {value:#x}");
        let said = expected.to_string();
        assert!(said.contains(text), "{said}");
    }
}

/// A number that is an address to one machine is one to be told apart to another.
#[test]
fn each_wrong_offset_into_sbuf_has_its_error() {
    let parsed = |word: u32| {
        let mut bytes = golden_sbuf();
        bytes[24..28].copy_from_slice(&word.to_le_bytes());
        ArgRecord::from_bytes(&bytes).parse_as(SbufAddresses::Offsets, None)
    };
    let stored = |word| parsed(word).unwrap().storage;
    assert_eq!(stored(0), Storage::Sbuf(NxAddr::new(0x8000_0000)));
    // The address of dataram is a good offset: 512 KiB.
    assert_eq!(stored(0x8_0000), Storage::Sbuf(NxAddr::new(0x8008_0000)));
    for (word, text) in [
        (0x017F_FFEC, "24 bytes at offset 0x017fffec, byte 24, leave SBUF, which has 24 MiB"),
        (
            0x0200_0000,
            "in the firmware's data (0x2000000), which no op reaches, but what is asked for is the offset",
        ),
        (0x8000_0000, "in the window onto SBUF (0x80000000, 64 MiB), but what is asked for is the offset"),
        (0x8400_0000, "in the window onto hbm_scratch (0x84000000), where the code is, but what"),
        (0xFFFF_FFFC, "offset 0xfffffffc, byte 24, leave SBUF, which has 24 MiB"),
    ] {
        let error = parsed(word).unwrap_err();
        assert_eq!(error, not_sbuf(SbufAddresses::Offsets, word));
        assert!(error.to_string().contains(text), "{error}");
    }
    assert_eq!(parsed(0x42), Err(RecordError::Misaligned { addr: 0x42, align: 4 }));
}

/// Every code at the gate, in the record of each tensor.
#[test]
fn the_gate_is_the_same_for_every_code() {
    for code in 0..=u8::MAX {
        let mut bytes = golden();
        bytes[2] = code;
        bytes[24] = 0;
        let parsed = ArgRecord::from_bytes(&bytes).parse().map(|parsed| parsed.dtype);
        assert_eq!(parsed, WireDtype::gate(code).map_err(RecordError::Dtype), "code {code}");
        if let Ok(dtype) = parsed {
            let layout = Layout::contiguous(&[2, 3]).unwrap();
            let record = ArgRecord::new(HbmAddr::new(0), dtype, &layout).unwrap();
            assert_eq!(record.as_bytes()[2], code);
        }
    }
}

#[test]
fn an_extension_that_differs_is_named_by_its_dimension() {
    let layout = Layout::contiguous(&[2, 3]).unwrap();
    let record = ArgRecord::from_bytes(&golden());
    let mut view = ViewExtension::new(&layout, 6);
    view.sizes[1] = 4;
    let differs = |rank, extension| RecordError::Extension { dim: 1, rank, record: 3, extension };
    assert_eq!(record.parse_with(&view), Err(differs(2, 4)));
    let view = ViewExtension { rank: 1, ..ViewExtension::new(&layout, 6) };
    assert_eq!(record.parse_with(&view), Err(differs(1, 3)));
}

#[test]
fn limits_of_the_two_shape_forms() {
    let at = HbmAddr::new(0);
    let fits = |sizes: &[u32]| ArgRecord::new(at, Dtype::U8, &Layout::contiguous(sizes).unwrap());
    assert!(fits(&[65535, 1, 1, 1, 1, 1, 1, 1]).is_ok());
    assert!(fits(&[65536, 1, 1, 1]).is_ok());
    assert!(fits(&[u32::MAX]).is_ok());
    let five = [65536, 1, 1, 1, 1];
    assert_eq!(fits(&five), Err(RecordError::Dims(Sizes::new(&five))));
    assert_eq!(fits(&[65536, 65536]), Err(RecordError::TooManyElements(1 << 32)));
}

fn any_record() -> impl Strategy<Value = [u8; 48]> {
    (prop::array::uniform32(any::<u8>()), prop::array::uniform16(any::<u8>())).prop_map(|(head, tail)| {
        let mut bytes = [0; 48];
        bytes[..32].copy_from_slice(&head);
        bytes[32..].copy_from_slice(&tail);
        bytes
    })
}

proptest! {
    #[test]
    fn layouts_round_trip_through_record_and_extension(
        dims in prop::collection::vec((0u32..70_000, 0u64..9), 0..=8),
        offset in 0u64..9,
    ) {
        let (sizes, strides): (Vec<_>, Vec<_>) = dims.into_iter().unzip();
        let Ok(layout) = Layout::strided(&sizes, &strides, offset) else { return Ok(()) };
        let storage_elems = layout.extent() + 3;
        let Ok(record) = ArgRecord::new(HbmAddr::new(64), Dtype::I16, &layout) else { return Ok(()) };
        let parsed = record.parse_with(&ViewExtension::new(&layout, storage_elems)).unwrap();
        prop_assert_eq!(parsed.layout, layout);
        prop_assert_eq!(parsed.dtype, Dtype::I16);
        prop_assert_eq!(parsed.storage_elems, storage_elems);
    }

    #[test]
    fn hostile_bytes_are_parsed_or_refused(
        mut bytes in any_record(),
        tame in any::<bool>(),
        rank in any::<u8>(),
        strides in prop::array::uniform8(any::<u64>()),
        offset in any::<u64>(),
        storage_elems in any::<u64>(),
    ) {
        if tame {
            (bytes[0], bytes[1], bytes[2]) = (1 + bytes[0] % 2, bytes[1] & 2, bytes[2] & 15);
        }
        let record = ArgRecord::from_bytes(&bytes);
        if let Ok(parsed) = record.parse() {
            prop_assert!(parsed.layout.is_contiguous() && parsed.layout.numel() > 0);
        }
        let sizes = record.parse_head().map_or([0; 8], |head| head.0);
        let view = ViewExtension { rank, sizes, strides, offset, storage_elems };
        if let Ok(parsed) = record.parse_with(&view) {
            prop_assert!(parsed.layout.extent() <= storage_elems);
        }
    }
}
