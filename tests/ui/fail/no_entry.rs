//! A path that leads to no op: the name that is not found is that of its table entry.

use neuron_device::prelude::*;

fn helper() {}

neuron_library!(OPS: "ops" = [helper]);

fn main() {
    let _ = (OPS.name(), op!(crate::helper), helper());
}
