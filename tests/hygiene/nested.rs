//! Ops in modules, in functions, and under names that an expansion uses itself.

use neuron_device::prelude::*;

mod relu {
    use neuron_device::prelude::*;

    #[custom_op]
    pub(super) fn relu(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
        deeper::relu(q7, x, out)
    }

    pub(super) mod deeper {
        use neuron_device::prelude::*;

        #[custom_op(name = "deeper_relu")]
        pub(in crate::nested) fn relu(_q7: &Q7, _x: &Tensor, _out: &mut Tensor) -> Result<()> {
            Ok(())
        }
    }
}

macro_rules! ops {
    ($($name:ident),*) => {$(
        #[custom_op]
        fn $name(_q7: &Q7, q7: &Tensor, arguments: f32, result: i32, out: &mut Tensor) -> Result<()> {
            let _ = (q7, arguments, result, out);
            Ok(())
        }
    )*};
}
ops!(launch, __launch, q7, arguments, result, pull, lend, finish_in_place, core, line);

neuron_library!(NAMES: "names" =
    [launch, __launch, q7, arguments, result, pull, lend, finish_in_place, core, line]);
neuron_library!(MODULES: "modules" = [relu::relu, relu::deeper::relu]);

#[test]
fn modules() {
    assert_eq!(MODULES.ops().iter().map(|op| op.name()).collect::<Vec<_>>(), ["relu", "deeper_relu"]);
    assert_eq!(NAMES.ops().len(), 10);
}

#[test]
fn functions() {
    type Local = f32;

    fn shape(inputs: &[TensorSpec]) -> Result<TensorSpec> {
        Ok(inputs[0])
    }

    #[custom_op(shape = shape)]
    fn local(_q7: &Q7, x: &Tensor, _alpha: Local) -> Result<Tensor> {
        Ok(x.clone())
    }

    neuron_library!(LIBRARY: "local" = [local]);
    assert_eq!(LIBRARY.ops()[0].parameters(), op!(local).parameters());
}

/// A report names the function's line, not the attribute's, whatever stands between them.
#[test]
fn lines() {
    const ABOVE: u32 = line!();
    #[custom_op]
    /// Text.
    #[allow(unused)]
    fn local(_q7: &Q7, x: &Tensor) -> Result<Tensor> {
        Ok(x.clone())
    }
    assert_eq!((op!(local).source().file, op!(local).source().line), (file!(), ABOVE + 4));
}

/// An error of the set-up comes from the line of the argument it is about.
#[test]
fn lines_of_arguments() {
    const ABOVE: u32 = line!();
    #[custom_op]
    fn local(
        _q7: &Q7,
        // Nothing.
        x: &Tensor,
    ) -> Result<Tensor> {
        Ok(x.clone())
    }
    let mut platform = neuron_device::FlatPlatform::new(0, 1, &mut []);
    let error = Q7::enter(&mut platform, |q7| op!(local).launch(q7)).unwrap_err();
    assert_eq!((error.argument(), error.site().line()), (Some("x"), ABOVE + 5));
}
