//! `.npy` files, good and bad.

use neuron_device::Dtype;
use neuron_host_sim::{HostTensor, NpyError};
use proptest::prelude::*;

fn written(tensor: &HostTensor) -> Vec<u8> {
    let mut bytes = Vec::new();
    tensor.to_npy(&mut bytes).unwrap();
    bytes
}

#[test]
fn every_dtype_and_rank_comes_back() {
    for dtype in [Dtype::F32, Dtype::I32, Dtype::I64, Dtype::I16, Dtype::I8, Dtype::U8] {
        for sizes in [&[][..], &[0], &[3], &[2, 0, 3], &[1, 2, 3, 1, 2, 1, 2, 1]] {
            let numel: u32 = sizes.iter().product();
            let bytes: Vec<u8> = (0..u64::from(numel) * dtype.size()).map(|i| i as u8).collect();
            let tensor = HostTensor::from_bytes(dtype, sizes, &bytes).unwrap();
            let back = HostTensor::from_npy(written(&tensor).as_slice()).unwrap();
            assert_eq!((back.dtype(), back.sizes(), back.to_bytes()), (dtype, sizes, bytes));
        }
    }
    let half = HostTensor::scalar(neuron_device::f16::ONE);
    assert!(matches!(half.to_npy(Vec::new()), Err(NpyError::Dtype(_))));
}

#[test]
fn a_view_is_written_as_it_reads() {
    let x = HostTensor::from_slice(&[2, 2], &[1i32, 2, 3, 4]).unwrap().transpose(0, 1).unwrap();
    assert_eq!(HostTensor::from_npy(written(&x).as_slice()).unwrap().to_vec::<i32>().unwrap(), [1, 3, 2, 4]);
}

/// A version 1.0 file with this header.
fn with_header(header: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    let header = format!("{header}\n");
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

#[test]
fn malformed_files_are_refused() {
    let good = written(&HostTensor::scalar(1.0f32));
    for len in 0..good.len() {
        assert!(HostTensor::from_npy(&good[..len]).is_err(), "{len} bytes of {}", good.len());
    }
    let refused = |bytes: &[u8]| HostTensor::from_npy(bytes).unwrap_err();
    assert!(matches!(refused(b"PK\x03\x04 something else"), NpyError::Malformed(_)));
    let wide = with_header("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }", &[0; 8]);
    assert!(refused(&wide).to_string().starts_with("dtype '<f8' is not one of f32"), "{}", refused(&wide));
    let short = with_header("{'descr': '<f4', 'fortran_order': False, 'shape': (9,), }", &[0; 8]);
    assert!(matches!(refused(&short), NpyError::Malformed(_)));
    let nine =
        with_header("{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1), }", &[0; 4]);
    assert!(refused(&nine).to_string().contains("9 dimensions"), "{}", refused(&nine));
    let absurd = "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4), }";
    assert!(matches!(refused(&with_header(absurd, &[])), NpyError::Tensor(_)));
    let empty =
        "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 4294967295, 4294967295, 4294967295), }";
    assert!(matches!(refused(&with_header(empty, &[])), NpyError::Tensor(_)));
    let device = HostTensor::from_npy_file("/dev/zero").unwrap_err();
    assert_eq!(device.to_string(), "/dev/zero: not a regular file");
    let missing = HostTensor::from_npy_file("no/such/file.npy").unwrap_err();
    assert!(missing.to_string().starts_with("no/such/file.npy: "), "{missing}");
}

#[test]
fn column_order_is_understood() {
    let data: Vec<u8> = [1i32, 2, 3, 4, 5, 6].iter().flat_map(|v| v.to_le_bytes()).collect();
    let file = with_header("{'descr': '<i4', 'fortran_order': True, 'shape': (2, 3), }", &data);
    assert_eq!(HostTensor::from_npy(file.as_slice()).unwrap().to_vec::<i32>().unwrap(), [1, 3, 5, 2, 4, 6]);
}

proptest! {
    #[test]
    fn damaged_bytes_never_panic(at in 0usize..200, value in any::<u8>(), cut in 0usize..200) {
        let mut bytes = written(&HostTensor::from_slice(&[2, 3], &[1.0f32; 6]).unwrap());
        let at = at % bytes.len();
        bytes[at] = value;
        bytes.truncate(bytes.len().saturating_sub(cut % 40));
        let _ = HostTensor::from_npy(bytes.as_slice());
    }
}

/// Headers that would take all memory, or the whole stack, to read.
#[test]
fn a_header_is_as_long_as_the_file_and_not_deep() {
    let file =
        |length: u32, header: &[u8]| [b"\x93NUMPY\x02\x00", &length.to_le_bytes()[..], header].concat();
    let long = HostTensor::from_npy(&file(u32::MAX, b"{}\n")[..]).unwrap_err();
    assert!(matches!(long, NpyError::Malformed(_)), "{long}");
    let deep = [b"{'shape': ".as_slice(), &[b'('; 1_000_000], b"\n"].concat();
    let error = HostTensor::from_npy(&file(deep.len() as u32, &deep)[..]).unwrap_err();
    assert!(error.to_string().contains("brackets in more than 32 brackets"), "{error}");
    for shape in ["(8589934592,)", "(0x200000000,)", "(65536, 131072)"] {
        for key in ["'shape'", "\"shape\"", "'sha' 'pe'", "'sh\\x61pe'"] {
            let header = format!("{{'descr': '<f4', 'fortran_order': False, {key}: {shape}}}\n");
            let error = HostTensor::from_npy(&file(header.len() as u32, header.as_bytes())[..]).unwrap_err();
            assert!(matches!(error, NpyError::Malformed(_)), "{error}");
        }
    }
}
