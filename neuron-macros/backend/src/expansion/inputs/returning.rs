use neuron_device::prelude::*;

#[custom_op]
pub(crate) fn same(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    q7.empty_like(x)
}
