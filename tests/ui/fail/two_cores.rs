//! One platform is one core: a second `Q7` on it does not compile.

use neuron_device::{FlatPlatform, prelude::*};

fn nested(platform: &mut FlatPlatform<'_>) {
    Q7::enter(platform, |outer| {
        Q7::enter(platform, |inner| inner.get_cpu_id() + outer.get_cpu_id());
    });
}

fn main() {}
