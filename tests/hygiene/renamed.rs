//! The author's types under other names, by full path, and behind aliases.

use neuron_device::{Q7 as Core, Result as Outcome, Scalar as Number, Tensor as Array};
use neuron_device::{custom_op as kernel, op as entry};

type Done = Outcome<()>;
type Input<'a> = &'a Array;
type Float = f32;

#[kernel]
fn renamed(core: &Core, x: &Array, factor: Number, out: &mut Array) -> Outcome<()> {
    let _ = (core, x, factor, out);
    Ok(())
}

#[neuron_device::custom_op]
fn full_paths(
    _q7: &neuron_device::Q7,
    x: &neuron_device::Tensor,
    _factor: neuron_device::Scalar,
) -> ::core::result::Result<neuron_device::Tensor, neuron_device::Error> {
    Ok(x.clone())
}

#[kernel]
fn aliased(_: &Core, _x: Input<'_>, _factor: Float, _out: &mut Array) -> Done {
    Ok(())
}

#[test]
fn works() {
    for op in [entry!(renamed), entry!(full_paths), entry!(aliased)] {
        assert_eq!(op.parameters().len(), 2);
    }
}
