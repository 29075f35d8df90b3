//! `match_dtype!` with no prelude, among names that mean something else, and by other paths.

#![no_implicit_prelude]
#![allow(dead_code, non_camel_case_types, non_snake_case, unused_macros)]

use ::neuron_device::match_dtype as serve;

use crate::reexported::vendor::device;

mod core {}
mod std {}
mod neuron_device {}
mod __private {}

struct Result;
struct Dtype;
struct Subject;
struct f32;
struct f16;
struct i8;
fn Err() {}
fn Ok() {}
macro_rules! match_dtype {
    () => {};
}
macro_rules! concat {
    () => {};
}

type Outcome<T> = ::core::result::Result<T, ::neuron_device::Error>;

/// `T` is the author's name for it, and so are `subject` and what the block takes from around it.
fn bytes(subject: ::neuron_device::Dtype) -> Outcome<::core::primitive::usize> {
    serve!(subject, f32 | f16 | i8 as subject => Outcome::Ok(::core::mem::size_of::<subject>()))
}

fn by_another_path(scalar: ::neuron_device::Scalar) -> Outcome<::core::primitive::i64> {
    device::match_dtype!(scalar, i8 | u8 | i16 | i32 | i64 | f16 | bf16 | f32 as Element => {
        let value: Element = scalar.to::<Element>();
        Outcome::Ok(::neuron_device::Element::cast(value))
    })
}

/// Inside a function whose own type parameter has the name.
fn nested<T: ::neuron_device::Element>(dtype: &::neuron_device::Dtype) -> Outcome<::core::primitive::bool> {
    let outer = T::DTYPE;
    ::neuron_device::prelude::match_dtype!(dtype, i32 | bf16 as T => {
        Outcome::Ok(outer == <T as ::neuron_device::Element>::DTYPE)
    })
}

#[test]
fn works() {
    use ::core::{assert, assert_eq};
    use ::neuron_device::Dtype as D;

    assert_eq!([D::F32, D::F16, D::I8].map(|dtype| bytes(dtype).unwrap()), [4, 2, 1]);
    assert_eq!(by_another_path(::neuron_device::Scalar::F32(2.75)).unwrap(), 2);
    assert!(nested::<::neuron_device::bf16>(&D::BF16).unwrap());
    assert!(!nested::<::neuron_device::bf16>(&D::I32).unwrap());
    assert!(nested::<::neuron_device::bf16>(&D::F16).is_err());
}

/// `Err` of the whole has the line of the macro's call, and `?` and `return` leave the function around it.
#[test]
fn lines() {
    const ABOVE: ::core::primitive::u32 = ::core::line!();
    fn refuses(dtype: ::neuron_device::Dtype) -> Outcome<::core::primitive::bool> {
        let mut counted = 0;
        let result = serve!(dtype, i16 | i32 as T => {
            counted += 1;
            if <T as ::neuron_device::Element>::DTYPE == ::neuron_device::Dtype::I16 {
                return Outcome::Ok(false);
            }
            Outcome::Ok(counted == 1)
        });
        Outcome::Ok(result? && counted == 1)
    }
    let error = refuses(::neuron_device::Dtype::U8).unwrap_err();
    ::core::assert_eq!(error.site().line(), ABOVE + 3);
    ::core::assert_eq!(
        [::neuron_device::Dtype::I16, ::neuron_device::Dtype::I32].map(|dtype| refuses(dtype).unwrap()),
        [false, true]
    );
}
