//! A function listed twice by different paths, and two functions of one name: the table is the compiler's to check.

use neuron_device::prelude::*;

mod activations {
    use neuron_device::prelude::*;

    #[custom_op]
    pub fn relu(_q7: &Q7, x: &Tensor) -> Result<Tensor> {
        Ok(x.clone())
    }

    #[custom_op(name = "relu")]
    pub fn relu_by_parts(_q7: &Q7, x: &Tensor) -> Result<Tensor> {
        Ok(x.clone())
    }
}

use activations::*;

neuron_library!(PATHS: "paths" = [relu, activations::relu]);
neuron_library!(NAMES: "names" = [activations::relu, activations::relu_by_parts]);

fn main() {
    let _ = (PATHS.ops(), NAMES.ops());
}
