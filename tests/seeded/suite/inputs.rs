//! Arguments that are written, and are not the output.

use neuron_device::prelude::*;

use super::launch::{Given, Launch, launch, ramp};
use super::raw::{address, fill, load, share, store, store_nx};

pub(super) fn launches() -> Vec<Launch> {
    vec![
        launch(op!(l19_pointer_writes_its_input), |_| ramp(&[8])),
        launch(op!(local_writes_its_input), |_| ramp(&[8])),
        launch(op!(writes_the_second_of_two), |_| Given::from([ramp(&[8]).into(), ramp(&[8]).into()])),
        launch(op!(all_write_one_input), |_| ramp(&[8])),
        launch(op!(writes_what_others_read), |_| ramp(&[8])),
    ]
}

/// L19: doubles its input and copies that.
#[custom_op]
fn l19_pointer_writes_its_input(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (first, dst) = (x.q7_data_ptr::<f32>()?, out.elements_mut::<f32>(q7)?);
    for i in share(q7, x) {
        let own = first.add(i).unwrap();
        store(q7, own, 2.0 * load(q7, own)); //~ input_written x written 8
        dst.set(i, load(q7, own));
    }
    Ok(())
}

/// The same by local address.
#[custom_op]
fn local_writes_its_input(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    for i in share(q7, x) {
        let own = q7.translate(address::<f32>(x, i));
        store_nx(q7, own, 2.0_f32); //~ input_written x written 8
    }
    fill(q7, out, 0.0_f32)
}

/// The results are put into the wrong tensor.
#[custom_op]
fn writes_the_second_of_two(q7: &Q7, x: &Tensor, y: &Tensor, out: &mut Tensor) -> Result<()> {
    //~ never_written out nowhere 8
    let (src, to) = (x.elements::<f32>(q7)?, y.q7_data_ptr::<f32>()?);
    let _ = out;
    for i in share(q7, x) {
        store(q7, to.add(i).unwrap(), src.get(i)); //~ input_written y written 8
    }
    Ok(())
}

/// A counter in the input that every core sets.
#[custom_op]
fn all_write_one_input(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let count = q7.get_cpu_id() as f32;
    store(q7, x.q7_data_ptr()?, count); //~ input_written x written 8; written_by_several_cores x written 1
    fill(q7, out, count)
}

/// Core 0 sets what the others read.
#[custom_op]
fn writes_what_others_read(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let first = x.q7_data_ptr::<f32>()?;
    if q7.get_cpu_id() == 0 {
        store(q7, first, 5.0); //~ input_written x written 1; written_and_read x written 1
    }
    let value = load(q7, first); //~ written_and_read x read 1
    fill(q7, out, value)
}
