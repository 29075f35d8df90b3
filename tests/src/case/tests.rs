//! Cases there and back, and bytes that are none.

use std::vec;
use std::vec::Vec;

use neuron_device::{ArgDescriptor, ArgRecord, Dtype, HbmAddr, Layout, ViewExtension};

use super::{Case, CaseError, Piece};

fn encoded() -> Vec<u8> {
    let layout = Layout::strided(&[3, 2], &[1, 3], 4).unwrap();
    let record = ArgRecord::new(HbmAddr::new(0x12_34F0_0040), Dtype::F32, &layout).unwrap();
    let with_view = ArgDescriptor { record, view: Some(ViewExtension::new(&layout, 10)) };
    let without = ArgDescriptor { record, view: None };
    let mut bytes = Vec::new();
    Case {
        library: "examples",
        op: "vector_add",
        cores: 8,
        stamp: 7,
        observed: true,
        first_image: 0x8400_0000,
        scratch_start: 64,
        scratch_each: 1 << 40,
        arguments: heapless::Vec::from_slice(&[with_view, without]).unwrap(),
        destination: with_view,
        pieces: heapless::Vec::from_slice(&[
            Piece { offset: 64, bytes: &[1, 2, 3] },
            Piece { offset: u64::MAX, bytes: &[] },
        ])
        .unwrap(),
        answer: 64..67,
    }
    .encode(&mut bytes);
    bytes
}

#[test]
fn a_case_comes_back_as_it_was() {
    let bytes = encoded();
    let case = Case::decode(&bytes).unwrap();
    assert_eq!((case.library, case.op, case.cores, case.stamp), ("examples", "vector_add", 8, 7));
    assert_eq!((case.observed, case.scratch_start, case.scratch_each), (true, 64, 1 << 40));
    let view = case.arguments[0].view.unwrap();
    assert_eq!((view.rank, &view.sizes[..2], &view.strides[..2]), (2, &[3, 2][..], &[1, 3][..]));
    assert_eq!((view.offset, view.storage_elems), (4, 10));
    assert!(case.arguments[1].view.is_none());
    assert_eq!(case.arguments[1].record, case.destination.record);
    assert_eq!((case.pieces[0].offset, case.pieces[0].bytes), (64, &[1, 2, 3][..]));
    assert_eq!(case.answer, 64..67);
    let mut again = Vec::new();
    case.encode(&mut again);
    assert_eq!(again, bytes);
}

#[test]
fn bytes_that_end_early_or_late_are_refused() {
    let bytes = encoded();
    for len in 0..bytes.len() {
        assert!(matches!(Case::decode(&bytes[..len]), Err(CaseError::Short(_))), "{len} bytes");
    }
    let longer = [bytes, vec![0]].concat();
    assert_eq!(Case::decode(&longer).unwrap_err(), CaseError::Long(1));
}

#[test]
fn no_bytes_make_decoding_panic() {
    let bytes = encoded();
    for at in 0..bytes.len() {
        for value in [0, 1, 2, 9, 0x7F, 0x80, 0xFF] {
            let mut bent = bytes.clone();
            bent[at] = value;
            // Some are cases all the same; none may panic.
            let _ = Case::decode(&bent);
        }
    }
}

#[test]
fn what_cannot_be_is_named() {
    let bytes = encoded();
    let refused = |at: usize, value: u8| {
        let mut bent = bytes.clone();
        bent[at] = value;
        Case::decode(&bent).unwrap_err()
    };
    let after_names = 4 + 2 + "examples".len() + 2 + "vector_add".len();
    assert!(matches!(refused(0, 0), CaseError::Magic(_)));
    assert_eq!(refused(6, 0xFF), CaseError::Value("library name"));
    assert_eq!(refused(after_names, 0), CaseError::Value("number of cores"));
    assert_eq!(refused(after_names, 9), CaseError::Value("number of cores"));
    assert_eq!(refused(after_names + 12, 2), CaseError::Value("observer flag"));
}
