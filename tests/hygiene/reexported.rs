//! `crate = path`, where `neuron_device` is known under another path.

pub(crate) mod vendor {
    pub(crate) use neuron_device as device;
}

mod inner {
    use super::vendor::device::{custom_op, prelude::*};

    #[custom_op(crate = crate::reexported::vendor::device)]
    pub(super) fn absolute(_q7: &Q7, x: &Tensor) -> Result<Tensor> {
        Ok(x.clone())
    }

    #[custom_op(name = "relative_path", crate = super::vendor::device)]
    pub(super) fn relative(_q7: &Q7, _x: &Tensor, _out: &mut Tensor) -> Result<()> {
        Ok(())
    }
}

vendor::device::neuron_library! {
    crate = vendor::device;
    OPS: "ops" = [inner::absolute, inner::relative]
}

#[test]
fn works() {
    let names: Vec<_> = OPS.ops().iter().map(|op| op.name()).collect();
    assert_eq!(names, ["absolute", "relative_path"]);
}
