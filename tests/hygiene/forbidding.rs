//! A crate that forbids every warning: an expansion neither warns nor allows.

#![forbid(
    warnings,
    missing_docs,
    non_upper_case_globals,
    unreachable_pub,
    unused_mut,
    deprecated,
    clippy::all
)]

use neuron_device::prelude::*;

/// In place.
#[custom_op]
pub(crate) fn in_place(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = (q7, x, out);
    Ok(())
}

/// Without arguments.
#[custom_op]
pub(crate) fn nothing(q7: &Q7) -> Result<Tensor> {
    q7.empty(Dtype::F32, &[1])
}

neuron_library!(pub(crate) OPS: "ops" = [in_place, nothing]);

#[test]
fn works() {
    assert_eq!(OPS.ops().iter().map(|op| op.parameters().len()).collect::<Vec<_>>(), [1, 0]);
}
