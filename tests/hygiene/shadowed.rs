//! No prelude, and every name that an expansion could be tempted to use means something else.

#![no_implicit_prelude]
#![allow(dead_code, non_camel_case_types, non_snake_case, non_upper_case_globals)]

use ::neuron_device::{Library, Op as Entry, Q7, Scalar, Tensor, TensorSpec, custom_op, neuron_library, op};

mod core {}
mod std {}
mod alloc {}
mod neuron_device {}
mod __private {}

struct Option;
struct Result;
struct Op;
struct Form;
struct Source;
struct Parameter;
struct Arguments;
struct ShapeFn;
struct str;
struct u32;
trait KernelArgument {}
fn Ok() {}
fn Err() {}
const Some: () = ();
const None: () = ();
fn pull() {}
fn lend() {}
fn finish_in_place() {}
fn finish_returning() {}
macro_rules! file {
    () => {};
}
macro_rules! line {
    () => {};
}

type Done<T> = ::core::result::Result<T, ::neuron_device::Error>;

#[custom_op(shape = shape)]
fn in_place(q7: &Q7, x: &Tensor, a: Scalar, b: i32, c: i64, d: f32, out: &mut Tensor) -> Done<()> {
    let _ = (q7, x, a, b, c, d, out);
    Done::Ok(())
}

#[custom_op]
fn returning(_: &Q7, x: &Tensor) -> Done<Tensor> {
    Done::Ok(::core::clone::Clone::clone(x))
}

fn shape(inputs: &[TensorSpec]) -> Done<TensorSpec> {
    Done::Ok(inputs[0])
}

neuron_library!(OPS: "ops" = [in_place, returning]);

#[test]
fn works() {
    let library: &Library = &OPS;
    let entry: &'static Entry = op!(in_place);
    ::core::assert_eq!(library.ops().len(), 2);
    ::core::assert_eq!(entry.parameters().len(), 5);
    ::core::assert!(::core::option::Option::is_some(&entry.shape()));
    ::core::assert!(::core::option::Option::is_none(&op!(returning).shape()));
    file!();
    line!();
}
