//! Values whose records say another type than the kernel takes.

use neuron_device::prelude::*;
use neuron_host_sim::{HostTensor, Simulator};

use super::launch::{Argument, Given, Launch, launch, ramp};
use super::raw::share;

pub(super) fn launches() -> Vec<Launch> {
    fn beside<T: Element>(value: T) -> impl Fn(&mut Simulator) -> Given {
        move |sim| {
            let value = sim.upload(&HostTensor::from_slice(&[1], &[value]).unwrap()).unwrap();
            Given::from([ramp(&[16]).into(), Argument::Record(value)])
        }
    }
    vec![
        launch(op!(takes_an_f32), beside(7i32)),
        launch(op!(takes_an_i32), beside(1.5f32)),
        launch(op!(takes_an_i64), beside(-1i64 as i16)),
    ]
}

/// It gets the bits of an i32.
#[custom_op]
fn takes_an_f32(
    q7: &Q7,
    x: &Tensor,
    factor: f32, //~ warning other_value factor read 8
    out: &mut Tensor,
) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    for i in share(q7, x) {
        dst.set(i, src.get(i) + f32::from_bits(factor.to_bits() << 23));
    }
    Ok(())
}

/// It gets the bits of an f32.
#[custom_op]
fn takes_an_i32(
    q7: &Q7,
    x: &Tensor,
    count: i32, //~ warning other_value count read 8
    out: &mut Tensor,
) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    for i in share(q7, x) {
        dst.set(i, src.get(i) + f32::from_bits(count as u32));
    }
    Ok(())
}

/// It gets an i16 and what is behind it.
#[custom_op]
fn takes_an_i64(
    q7: &Q7,
    x: &Tensor,
    count: i64, //~ warning other_value count read 8
    out: &mut Tensor,
) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    for i in share(q7, x) {
        dst.set(i, src.get(i) + count as f32);
    }
    Ok(())
}
