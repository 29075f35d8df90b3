use std::string::ToString;
use std::vec::Vec;

use crate::prelude::*;
use crate::{ErrorKind, FlatPlatform};

#[test]
fn each_dtype_meets_its_own_type() {
    let size = |dtype| match_dtype!(dtype, i8 | u8 | i16 | bf16 | f16 | i32 | f32 | i64 as T => Ok((T::DTYPE, size_of::<T>())));
    for dtype in Dtype::ALL {
        assert_eq!(size(dtype), Ok((dtype, dtype.size() as usize)));
    }
}

#[test]
fn what_is_not_served_is_told_with_what_is() {
    let texts: Vec<_> = [
        match_dtype!(Dtype::I64, f32 as T => Ok(T::POISON)).unwrap_err(),
        match_dtype!(Scalar::from(1_u8), f32 | f16 | bf16 as T => Ok(T::POISON.cast::<f32>())).unwrap_err(),
    ]
    .map(|error: Error| error.kind().to_string())
    .into();
    assert_eq!(
        texts,
        ["has dtype i64, but the kernel serves f32", "has dtype u8, but the kernel serves f32, f16 and bf16"]
    );
}

#[test]
fn a_tensor_is_named_and_may_be_written_in_the_block() {
    let mut memory = [0; 64];
    Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory), |q7| {
        let mut tensor = q7.empty(Dtype::I16, &[3])?;
        let out = &mut tensor;
        match_dtype!(out, i16 | i32 as T => {
            out.elements_mut::<T>(q7)?.set(1, 7.5_f32.cast());
            Ok(())
        })?;
        assert_eq!(out.elements::<i16>(q7)?.get(1), 7);
        let error = match_dtype!(out, f32 | bf16 as T => out.elements::<T>(q7).map(|_| ())).unwrap_err();
        let (served, found) = (&[Dtype::F32, Dtype::BF16][..], Dtype::I16);
        assert_eq!(error.kind(), &ErrorKind::NotServed { served, found });
        assert_eq!(error.argument(), Some("scratch"));
        Ok::<(), Error>(())
    })
    .unwrap();
}
