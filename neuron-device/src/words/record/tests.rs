use std::vec::Vec;

use proptest::prelude::*;

use super::*;
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

/// Each wrong field by itself, and the error that names it.
#[test]
fn each_wrong_field_has_its_error() {
    let table: [(usize, u8, RecordError); 8] = [
        (0, 0, RecordError::Location(0)),
        (0, 1, RecordError::Location(1)),
        (1, 1, RecordError::ShapeType(1)),
        (1, 7, RecordError::ShapeType(7)),
        (2, 11, RecordError::Dtype(11)),
        (2, 99, RecordError::Dtype(99)),
        (24, 0x42, RecordError::Misaligned { addr: HbmAddr::new(0x10_0000_0042), align: 4 }),
        (32, 7, RecordError::Count { stated: 7, product: 6 }),
    ];
    for (at, value, expected) in table {
        let mut bytes = golden();
        bytes[at] = value;
        assert_eq!(ArgRecord::from_bytes(&bytes).parse(), Err(expected), "byte {at} = {value}");
    }
    let mut bytes = golden();
    bytes[8..24].fill(0);
    assert_eq!(ArgRecord::from_bytes(&bytes).parse(), Err(RecordError::RankZero));
    let mut bytes = golden();
    bytes[24..32].copy_from_slice(&(u64::MAX - 7).to_le_bytes());
    assert!(matches!(ArgRecord::from_bytes(&bytes).parse(), Err(RecordError::AddressSpace(_))));
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
            (bytes[0], bytes[1], bytes[2]) = (2, bytes[1] & 2, bytes[2] & 15);
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
