//! `.npy` files: read, and what was read is written and read again.

use std::format;
use std::vec;
use std::vec::Vec;

use neuron_device::Dtype;
use neuron_host_sim::{HostTensor, NpyError};

/// Every way reading ends.
pub(super) const ARMS: &[&str] = &[
    "f32",
    "i32",
    "i64",
    "i16",
    "i8",
    "u8",
    "dtype",
    "tensor",
    "Io",
    "ParseHeader(MagicString",
    "ParseHeader(Version",
    "ParseHeader(NonAscii",
    "ParseHeader(Utf8Parse",
    "ParseHeader(UnknownKey",
    "ParseHeader(MissingKey",
    "ParseHeader(IllegalValue",
    "ParseHeader(DictParse",
    "ParseHeader(MetaNotDict",
    "ParseHeader(MissingNewline",
    "MissingData",
    "ExtraBytes",
    "ParseData",
];

/// What headers are made of.
pub(super) const WORDS: &[&str] = &[
    "'<f4'",
    "'>f4'",
    "'<i4'",
    "'|u1'",
    "'|i1'",
    "'<f8'",
    "'|O'",
    "True",
    "False",
    "'shape': ",
    "'descr': ",
    "(",
    ")",
    "(3,)",
    "(2, 3)",
    "(4294967296,)",
    "()",
    "-1",
    "\n",
    "{",
    "}",
    "\"",
    "\\x00",
    "[",
    "None",
    ", ",
];

/// Reading ends so, and what was read is the same when it was written.
pub(super) fn feed(bytes: &[u8]) -> Vec<&'static str> {
    let arm = match HostTensor::from_npy(bytes) {
        Ok(tensor) => {
            let mut written = Vec::new();
            tensor.to_npy(&mut written).expect("what was read can be written");
            let again = HostTensor::from_npy(&written[..]).expect("what was written can be read");
            assert_eq!((again.sizes(), again.dtype()), (tensor.sizes(), tensor.dtype()));
            assert_eq!(again.to_bytes(), tensor.to_bytes());
            match tensor.dtype() {
                Dtype::F32 => "f32",
                Dtype::I32 => "i32",
                Dtype::I64 => "i64",
                Dtype::I16 => "i16",
                Dtype::I8 => "i8",
                Dtype::U8 => "u8",
                other => panic!("a .npy file of {other}"),
            }
        }
        Err(NpyError::Dtype(_)) => "dtype",
        Err(NpyError::Tensor(_)) => "tensor",
        Err(NpyError::Malformed(error)) => {
            let said = format!("{error:?}");
            let named = ARMS.iter().find(|arm| said.starts_with(**arm));
            named.copied().unwrap_or_else(|| panic!("an arm without a name: {said}"))
        }
        Err(other) => panic!("{other:?}"),
    };
    vec![arm]
}
