//! Libraries and paths of ops.

use neuron_device::prelude::*;

#[custom_op]
fn relu(_q7: &Q7, x: &Tensor) -> Result<Tensor> {
    Ok(x.clone())
}

neuron_library!(BUILTIN: "builtin" = [relu]);
neuron_library!(UNNAMED: "" = [relu]);
neuron_library!(EMPTY: "empty" = []);
neuron_library!(TWICE: "twice" = [relu, relu]);
neuron_library!(CALLS: "calls" = [relu(), &relu, "relu"]);
neuron_library!(MANY: "many" = [
    relu, a::relu, b::relu, c::relu, d::relu, e::relu, f::relu, g::relu, h::relu, i::relu, j::relu
]);
neuron_library!(pub FORM = [relu]);

fn main() {
    let _ = (op!(relu()), op!("relu"));
}
