//! There is no other way to a core than `Q7::enter`, and no second one from a first.

use neuron_device::prelude::*;

fn cloned(q7: &Q7) -> Q7 {
    q7.clone()
}

fn made() -> Q7 {
    Q7 {}
}

fn main() {}
