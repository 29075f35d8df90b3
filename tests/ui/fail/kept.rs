//! Neither a core nor an accessor can be kept beyond the launch, nor made by hand.

use std::cell::Cell;

use neuron_device::{Elements, FlatPlatform, prelude::*};

fn returned(platform: &mut FlatPlatform<'_>) {
    let _core: &Q7 = Q7::enter(platform, |q7| q7);
}

fn stored(platform: &mut FlatPlatform<'_>) {
    let kept: Cell<Option<&Q7>> = Cell::new(None);
    Q7::enter(platform, |q7| kept.set(Some(q7)));
}

fn accessor_stored<'a>(platform: &mut FlatPlatform<'_>, x: &'a Tensor) {
    let mut kept: Option<Elements<'a, f32>> = None;
    Q7::enter(platform, |q7| kept = x.elements::<f32>(q7).ok());
}

fn accessor_beyond_its_tensor(platform: &mut FlatPlatform<'_>) {
    Q7::enter(platform, |q7| {
        let src = {
            let x = q7.empty(Dtype::F32, &[4])?;
            x.elements::<f32>(q7)?
        };
        Ok::<f32, Error>(src.get(0))
    });
}

fn main() {}
