//! Bytes of an element as a value.

use neuron_device::{Dtype, Element, Error, match_dtype};

/// The element, as Rust prints it; of no dtype, its bytes.
pub(crate) fn printed(dtype: Option<Dtype>, bytes: &[u8]) -> String {
    let printed = dtype.map(|dtype| {
        match_dtype!(dtype, f32 | f16 | bf16 | i8 | u8 | i16 | i32 | i64 as T => {
            Ok::<_, Error>(value::<T>(bytes))
        })
    });
    match printed {
        Some(Ok(Some(printed))) => printed,
        _ => format!("{bytes:02x?}"),
    }
}

fn value<T: Element>(bytes: &[u8]) -> Option<String> {
    let value: T = bytemuck::try_pod_read_unaligned(bytes).ok()?;
    Some(format!("{value:?}"))
}

#[test]
fn values_are_printed_as_rust_prints_them() {
    assert_eq!(printed(Some(Dtype::F32), &1.5f32.to_le_bytes()), "1.5");
    assert_eq!(printed(Some(Dtype::I64), &(-7i64).to_le_bytes()), "-7");
    assert_eq!(printed(Some(Dtype::BF16), &[0x80, 0x3F]), "1.0");
    assert_eq!(printed(None, &[0xA5, 1]), "[a5, 01]");
}
