mod own {
    pub(crate) use neuron_device as device;
}
use own::device::prelude::*;

fn row_shape(inputs: &[TensorSpec]) -> Result<TensorSpec> {
    TensorSpec::new(inputs[0].dtype(), &inputs[0].sizes()[..1])
}

#[custom_op(name = "row_sum_f32", shape = row_shape, crate = crate::own::device, in_place, stack_size = 65_536)]
#[cfg(not(doctest))]
#[allow(unused_variables)]
fn row_sum(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    Ok(())
}
