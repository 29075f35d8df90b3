//! Pointers and local addresses, used as they should be.

use neuron_device::prelude::*;
use neuron_device::{Q7Ptr, WINDOW_BYTES};

use super::super::launch::{Launch, launch, ramp, ramp_of};
use super::super::raw::{address, further, load, load_nx, share, store, store_nx};

pub(super) fn launches() -> Vec<Launch> {
    let every_third = |_: &mut neuron_host_sim::Simulator| ramp(&[30]).slice(0, 2, 30, 3).unwrap();
    vec![
        launch(op!(by_pointer), |_| ramp(&[17])),
        launch(op!(by_pointer), |_| ramp(&[0])).labelled("of nothing"),
        launch(op!(by_pointer), |_| ramp(&[17])).labelled("in every mood").in_moods(),
        launch(op!(by_pointer_with_stride), every_third),
        launch(op!(by_bare_pointer), |_| ramp_of::<u8>(&[17])),
        launch(op!(from_the_end), |_| ramp(&[17])),
        launch(op!(by_local_address), |_| ramp(&[17])),
        launch(op!(one_translation_for_a_share), |_| ramp(&[17])),
        launch(op!(reads_all_before_it_writes), |_| ramp(&[17])),
        launch(op!(translates_again_after_a_remap), |sim| sim.zeros(Dtype::F32, &[20 << 20]).unwrap()),
        launch(op!(translates_and_uses_nothing), |_| ramp(&[17])),
        launch(op!(reads_back_by_pointer), |_| ramp(&[17])),
        launch(op!(returned_by_pointer), |_| ramp(&[17])),
        launch(op!(returned_by_local_address), |_| ramp(&[17])),
        launch(op!(mixed_with_accessors), |_| ramp(&[17])),
    ]
}

/// A pointer behind the last element is made and compared, as in C, and never used.
#[custom_op]
fn by_pointer(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (from, to) = (x.q7_data_ptr::<f32>()?, out.q7_data_ptr::<f32>()?);
    if from.is_null() {
        return Ok(());
    }
    let share = q7.partition_flat(x.numel());
    let (mut at, end) = (share.start(), from.add(share.end()).unwrap());
    while from.add(at).unwrap() != end {
        store(q7, to.add(at).unwrap(), load(q7, from.add(at).unwrap()));
        at += 1;
    }
    Ok(())
}

#[custom_op]
fn by_pointer_with_stride(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (from, to) = (x.q7_data_ptr::<f32>()?, out.q7_data_ptr::<f32>()?);
    for i in share(q7, x) {
        store(q7, to.add(i).unwrap(), load(q7, from.add(i * x.strides()[0]).unwrap()));
    }
    Ok(())
}

/// Made of addresses, as a port does.
#[custom_op]
fn by_bare_pointer(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    for i in share(q7, x) {
        let value = load(q7, Q7Ptr::<u8>::new(address::<u8>(x, i)));
        store(q7, Q7Ptr::new(address::<u8>(out, i)), value);
    }
    Ok(())
}

/// Down from the end.
#[custom_op]
fn from_the_end(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let n = x.numel();
    let (from, to) = (x.q7_data_ptr::<f32>()?.add(n).unwrap(), out.q7_data_ptr::<f32>()?);
    for i in share(q7, x) {
        store(q7, to.add(i).unwrap(), load(q7, from.sub(i + 1).unwrap()));
    }
    Ok(())
}

/// Translated right before each use.
#[custom_op]
fn by_local_address(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    for i in share(q7, x) {
        let from = q7.translate(address::<f32>(x, i));
        let value = load_nx::<f32>(q7, from);
        let to = q7.translate(address::<f32>(out, i));
        store_nx(q7, to, value);
    }
    Ok(())
}

/// One translation, then steps from it; the output by accessor, whose window is mapped already.
#[custom_op]
fn one_translation_for_a_share(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let dst = out.elements_mut::<f32>(q7)?;
    let start = q7.partition_flat(x.numel()).start();
    let first = q7.translate(address::<f32>(x, start));
    for i in share(q7, x) {
        dst.set(i, load_nx(q7, further(first, 4 * (i - start) as i32)));
    }
    Ok(())
}

/// All of the input by one translation, then all of the share by another.
#[custom_op]
fn reads_all_before_it_writes(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let from = q7.translate(x.storage());
    let sum: f32 = (0..x.numel()).map(|i| load_nx::<f32>(q7, further(from, 4 * i as i32))).sum();
    let to = q7.translate(out.storage());
    share(q7, x).for_each(|i| store_nx(q7, further(to, 4 * i as i32), sum));
    Ok(())
}

/// D19, done right: the old address is not kept.
#[custom_op(shape = eight)]
fn translates_again_after_a_remap(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let window = WINDOW_BYTES / 4;
    let mut sum = 0.0_f32;
    for nth in [0, 1, 2, 3, 0, 1] {
        let here = q7.translate(address::<f32>(x, nth * window));
        sum += load_nx::<f32>(q7, here);
    }
    let to = q7.translate(address::<f32>(out, q7.get_cpu_id().into()));
    store_nx(q7, to, sum);
    Ok(())
}

fn eight(inputs: &[TensorSpec]) -> Result<TensorSpec> {
    TensorSpec::new(inputs[0].dtype(), &[8])
}

/// An address that is old is no fault; using it would be.
#[custom_op]
fn translates_and_uses_nothing(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (old, _newer) = (q7.translate(x.storage()), q7.translate(out.storage()));
    assert_ne!(old, further(old, 4));
    super::super::raw::fill(q7, out, 0.0_f32)
}

/// What this core wrote to the output.
#[custom_op]
fn reads_back_by_pointer(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let to = out.q7_data_ptr::<f32>()?;
    for i in share(q7, x) {
        store(q7, to.add(i).unwrap(), i as f32);
        let value = load(q7, to.add(i).unwrap());
        store(q7, to.add(i).unwrap(), value + 1.0);
    }
    Ok(())
}

#[custom_op]
fn returned_by_pointer(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    let result = q7.empty_like(x)?;
    let (from, to) = (x.q7_data_ptr::<f32>()?, result.q7_data_ptr::<f32>()?);
    for i in share(q7, x) {
        store(q7, to.add(i).unwrap(), load(q7, from.add(i).unwrap()));
    }
    Ok(result)
}

#[custom_op]
fn returned_by_local_address(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    let result = q7.empty_like(x)?;
    for i in share(q7, x) {
        let to = q7.translate(address::<f32>(&result, i));
        store_nx(q7, to, i as f32);
    }
    Ok(result)
}

/// Each element by another way, and read back by yet another.
#[custom_op]
fn mixed_with_accessors(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let pointer = out.q7_data_ptr::<f32>()?;
    let storage = out.storage();
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    for i in share(q7, x) {
        match i % 3 {
            0 => dst.set(i, src.get(i)),
            1 => store(q7, pointer.add(i).unwrap(), src.get(i)),
            _ => {
                let local = further(q7.translate(storage), 4 * i as i32);
                store_nx(q7, local, src.get(i));
            }
        }
        let sum = dst.get(i) + load(q7, pointer.add(i).unwrap());
        dst.set(i, sum / 2.0);
    }
    Ok(())
}
