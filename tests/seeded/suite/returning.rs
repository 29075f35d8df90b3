//! What is wrong with a returned tensor, and with its copy to the output.

use neuron_device::prelude::*;
use neuron_device::{Form, Op, Parameter, ParameterKind, Source};

use super::launch::{Launch, launch, ramp};
use super::raw::{address, share, store, store_nx};

pub(super) fn launches() -> Vec<Launch> {
    vec![
        launch(op!(returns_nine_pieces), |_| ramp(&[65])),
        launch(op!(returns_nine_pieces_by_accessor), |_| ramp(&[17])).on(1),
        launch(op!(returns_nine_pieces_by_pointer), |_| ramp(&[17])).on(1),
        launch(op!(returned_shares_overlap), |_| ramp(&[17])),
        launch(op!(returned_by_pointer_overlap), |_| ramp(&[8])),
        launch(op!(returned_by_local_overlap), |_| ramp(&[8])),
        launch(op!(returned_is_read_past), |_| ramp(&[8])),
        launch(op!(returned_beside_the_destination), |_| ramp(&[8])),
        launch(&RETURNS_NOTHING, |_| ramp(&[8])),
    ]
}

/// An entry that no macro wrote: it does nothing at all.
#[rustfmt::skip]
static RETURNS_NOTHING: Op = Op::new(
    c"returns_nothing",
    Source { file: file!(), line: line!() },
    &[Parameter { name: "x", kind: ParameterKind::Tensor }],
    Form::Returning,
    None,
    |_| Ok(()), //~ output_undefined result nowhere 8; never_written result nowhere 8
);

/// Every eighth element: of core 0's nine the last is forgotten.
#[custom_op]
fn returns_nine_pieces(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    let mut result = q7.empty_like(x)?;
    let src = x.elements::<f32>(q7)?;
    let dst = result.elements_mut::<f32>(q7)?; //~ never_written result opened 1
    for i in (u64::from(q7.get_cpu_id())..x.numel()).step_by(8) {
        dst.set(i, src.get(i)); //~ too_many_runs result written 1
    }
    Ok(result)
}

/// Every second element, and the others are nobody's.
#[custom_op]
fn returns_nine_pieces_by_accessor(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    let mut result = q7.empty_like(x)?;
    let cells = result.accessor_mut::<f32, 1>(q7)?; //~ never_written result opened 9
    for i in (0..17).step_by(2) {
        cells.set([i], 1.0); //~ too_many_runs result written 1
    }
    Ok(result)
}

/// By pointer: no line opened what is returned, so the one that made it is named.
#[custom_op]
fn returns_nine_pieces_by_pointer(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    let result = q7.empty_like(x)?; //~ never_written result opened 9
    let first = result.q7_data_ptr::<f32>()?;
    for i in (0..17).step_by(2) {
        store(q7, first.add(i).unwrap(), 1.0); //~ too_many_runs result written 1
    }
    Ok(result)
}

/// Two cores return the same element.
#[custom_op]
fn returned_shares_overlap(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    let mut result = q7.empty_like(x)?;
    let dst = result.elements_mut::<f32>(q7)?; //~ written_by_several_cores result written 7
    let share = q7.partition_flat(x.numel());
    for i in share.start()..(share.end() + 1).min(x.numel()) {
        dst.set(i, q7.get_cpu_id() as f32);
    }
    Ok(result)
}

/// All cores return the first element.
#[custom_op]
fn returned_by_pointer_overlap(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    let result = q7.empty_like(x)?; //~ warning written_by_several_cores result written 1
    let first = result.q7_data_ptr::<f32>()?;
    share(q7, x).chain([0]).for_each(|i| store(q7, first.add(i).unwrap(), 7.0));
    Ok(result)
}

/// The same by local address.
#[custom_op]
fn returned_by_local_overlap(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    let result = q7.empty_like(x)?; //~ warning written_by_several_cores result written 1
    for i in share(q7, x).chain([0]) {
        let cell = q7.translate(address::<f32>(&result, i));
        store_nx(q7, cell, 7.0_f32);
    }
    Ok(result)
}

/// A fault before the copy: what was read too far is returned.
#[custom_op]
fn returned_is_read_past(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    let mut result = q7.empty_like(x)?;
    let dst = result.elements_mut::<f32>(q7)?;
    share(q7, x).for_each(|i| dst.set(i, 1.0));
    if q7.get_cpu_id() == 7 {
        dst.set(7, dst.get(8)); //~ past_the_end scratch read 1
    }
    Ok(result)
}

/// N04: the destination is written, and another tensor returned, which nobody gets.
#[custom_op]
fn returned_beside_the_destination(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    let mut out = q7.get_dst_tensor()?; //~ warning return_ignored scratch taken 8
    let mut other = q7.empty_like(x)?;
    let (cells, others) = (out.elements_mut::<f32>(q7)?, other.elements_mut::<f32>(q7)?);
    for i in q7.partition_flat(x.numel()) {
        cells.set(i, 1.0);
        others.set(i, 7.0);
    }
    Ok(other)
}
