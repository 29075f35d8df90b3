//! Addresses at which there is nothing.

use neuron_device::prelude::*;
use neuron_device::{HbmAddr, NxAddr};

use super::launch::{Launch, launch, ramp};
use super::raw::{fill, load, load_nx, store, store_nx};

pub(super) fn launches() -> Vec<Launch> {
    vec![
        launch(op!(translates_nowhere), |_| ramp(&[8])),
        launch(op!(reads_where_no_memory_is), |_| ramp(&[8])),
        launch(op!(reads_through_null), |_| ramp(&[0])),
        launch(op!(writes_through_null), |_| ramp(&[0])),
        launch(op!(reads_instructions_as_hbm), |_| ramp(&[8])),
        launch(op!(writes_an_unmapped_window), |_| ramp(&[8])),
    ]
}

/// HBM does not begin at 0 here.
#[custom_op]
fn translates_nowhere(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    q7.translate(HbmAddr::new(0x40)); //~ no_memory - translated 8
    fill(q7, out, 0.0_f32)
}

/// The local address of no memory shows none.
#[custom_op]
fn reads_where_no_memory_is(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let nowhere = q7.translate(HbmAddr::new(0x40)); //~ no_memory - translated 8
    let nothing = load_nx(q7, nowhere); //~ no_window - read 8
    fill::<f32>(q7, out, nothing)
}

/// A tensor without elements has no first one to point to.
#[custom_op]
fn reads_through_null(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let nothing = load(q7, x.q7_data_ptr::<f32>()?); //~ null_pointer - read 8
    fill(q7, out, nothing)
}

/// The same of an output.
#[custom_op]
fn writes_through_null(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    store(q7, out.q7_data_ptr::<f32>()?, 1.0); //~ null_pointer - written 8
    Ok(())
}

/// The instruction RAM is no window.
#[custom_op]
fn reads_instructions_as_hbm(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let local = load_nx(q7, NxAddr::new(0x0000_1000)); //~ no_window - read 8
    fill::<f32>(q7, out, local)
}

/// Nothing was translated, so no window shows anything yet.
#[custom_op]
fn writes_an_unmapped_window(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    store_nx(q7, NxAddr::new(0x0700_0000), 1.0_f32); //~ no_window - written 8
    fill(q7, out, 0.0_f32)
}
