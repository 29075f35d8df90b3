//! Ops that a `macro_rules!` writes, in whatever fragments.

use neuron_device::prelude::*;

macro_rules! define {
    (
        $(#[$attribute:meta])*
        $visibility:vis $function:ident = $name:literal, $shape:path, $root:path;
        ($argument:ident: $tensor:ty, $scalar:ident: $number:ty, $out:ident: $destination:ty) -> $result:ty $body:block
    ) => {
        $(#[$attribute])*
        #[custom_op(name = $name, shape = $shape, crate = $root)]
        $visibility fn $function(_q7: &Q7, $argument: $tensor, $scalar: $number, $out: $destination) -> $result $body
    };
}

fn shape(inputs: &[TensorSpec]) -> Result<TensorSpec> {
    Ok(inputs[0])
}

define! {
    /// In place.
    #[allow(unused_variables)]
    pub(crate) scaled = "scaled_by", self::shape, ::neuron_device;
    (x: &Tensor, factor: f32, out: &mut Tensor) -> Result<()> { Ok(()) }
}

/// Two ops of one macro, with the same names inside.
macro_rules! casts {
    ($($name:ident: $number:ty),*) => {
        $(
            #[custom_op]
            fn $name(q7: &Q7, x: &Tensor, value: $number) -> Result<Tensor> {
                let _ = (q7, value);
                Ok(x.clone())
            }
        )*
        neuron_library!(CASTS: "casts" = [$($name),*]);
    };
}
casts!(of_i32: i32, of_i64: i64, of_scalar: Scalar);

macro_rules! whole {
    ($item:item) => {
        #[custom_op]
        $item
    };
}
whole! {
    fn whole(_q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
        let _ = (x, out);
        Ok(())
    }
}

/// As an author's crate would offer it to others: `$crate` is where they find `neuron_device`.
macro_rules! exported {
    ($name:ident) => {
        #[custom_op(crate = $crate::reexported::vendor::device)]
        fn $name(_q7: &Q7, x: &Tensor) -> Result<Tensor> {
            Ok(x.clone())
        }
    };
}
exported!(by_dollar_crate);

#[test]
fn works() {
    assert_eq!((op!(scaled).name(), op!(scaled).parameters().len()), ("scaled_by", 2));
    assert!(op!(scaled).shape().is_some());
    assert_eq!(CASTS.ops().len(), 3);
    assert_eq!(op!(whole).parameters()[0].name, "x");
    assert_eq!(op!(by_dollar_crate).name(), "by_dollar_crate");
}
