//! Elements of the output that nobody writes.

use neuron_device::prelude::*;

use super::launch::{Given, Launch, launch, ramp, ramp_of};
use super::raw::{load, share, store};

pub(super) fn launches() -> Vec<Launch> {
    vec![
        launch(op!(n02_remainder_left_out), |_| ramp(&[9])),
        launch(op!(m10_integers_left_out), |_| ramp_of::<i32>(&[9])),
        launch(op!(opens_nothing), |_| ramp(&[5])),
        launch(op!(core_0_alone), |_| ramp(&[16])),
        launch(op!(columns_left_out), |_| ramp(&[5, 6])),
        launch(op!(pointers_leave_out_the_last), |_| ramp(&[8])),
        launch(op!(one_of_two_halves), |_| ramp(&[16])),
        launch(op!(gaps_of_a_view_left_out), |sim| {
            let out = sim.zeros(Dtype::F32, &[4, 12]).unwrap().slice(1, 0, 12, 3).unwrap();
            Given::from(ramp(&[4, 4])).into_output(out)
        }),
        launch(op!(result_left_out), |_| ramp(&[9])),
        launch(op!(result_never_written), |_| ramp(&[4])),
    ]
}

/// N02: floor division; the remainder belongs to nobody.
#[custom_op]
fn n02_remainder_left_out(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let src = x.elements::<f32>(q7)?;
    let dst = out.elements_mut::<f32>(q7)?; //~ never_written out opened 1
    let len = x.numel() / u64::from(q7.get_cpu_count());
    let start = len * u64::from(q7.get_cpu_id());
    (start..start + len).for_each(|i| dst.set(i, src.get(i)));
    Ok(())
}

/// M10: an integer nobody wrote looks like any other.
#[custom_op]
fn m10_integers_left_out(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let src = x.elements::<i32>(q7)?;
    let dst = out.elements_mut::<i32>(q7)?; //~ never_written out opened 2
    share(q7, x).filter(|i| i % 5 != 4 && i % 7 != 6).for_each(|i| dst.set(i, src.get(i)));
    Ok(())
}

/// Does nothing at all.
#[custom_op]
fn opens_nothing(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    //~ never_written out nowhere 5
    let _ = (q7, x, out);
    Ok(())
}

/// The other cores' shares are left.
#[custom_op]
fn core_0_alone(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    if q7.get_cpu_id() == 0 {
        let dst = out.elements_mut::<f32>(q7)?; //~ never_written out opened 14
        share(q7, x).for_each(|i| dst.set(i, 1.0));
    }
    Ok(())
}

/// The second half of every row.
#[custom_op]
fn columns_left_out(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let src = x.accessor::<f32, 2>(q7)?;
    let dst = out.accessor_mut::<f32, 2>(q7)?; //~ never_written out opened 15
    for i in q7.partition(src.size(0)) {
        (0..src.size(1) / 2).for_each(|j| dst.set([i, j], src.get([i, j])));
    }
    Ok(())
}

/// By pointer.
#[custom_op]
fn pointers_leave_out_the_last(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    //~ never_written out nowhere 1
    let (from, to) = (x.q7_data_ptr::<f32>()?, out.q7_data_ptr::<f32>()?);
    for i in q7.partition_flat(x.numel() - 1) {
        store(q7, to.add(i).unwrap(), load(q7, from.add(i).unwrap()));
    }
    Ok(())
}

/// The first half by one accessor; the second, opened too, is forgotten.
#[custom_op]
fn one_of_two_halves(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (mut low, mut high) = (out.slice(0, 0, 8, 1)?, out.slice(0, 8, 16, 1)?);
    let first = low.elements_mut::<f32>(q7)?; //~ never_written out opened 8
    let second = high.elements_mut::<f32>(q7)?; //~ never_written out opened 8
    let _ = (x, second);
    q7.partition_flat(first.numel()).into_iter().for_each(|i| first.set(i, 1.0));
    Ok(())
}

/// Row 2 of an output whose elements do not lie side by side.
#[custom_op]
fn gaps_of_a_view_left_out(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let dst = out.accessor_mut::<f32, 2>(q7)?; //~ never_written out opened 4
    for i in q7.partition(x.size(0)) {
        (0..4).filter(|_| i != 2).for_each(|j| dst.set([i, j], 1.0));
    }
    Ok(())
}

/// What is returned lacks the remainder.
#[custom_op]
fn result_left_out(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    let mut result = q7.empty_like(x)?;
    let src = x.elements::<f32>(q7)?;
    let dst = result.elements_mut::<f32>(q7)?; //~ never_written result opened 1
    let len = x.numel() / 8;
    let start = len * u64::from(q7.get_cpu_id());
    (start..start + len).for_each(|i| dst.set(i, src.get(i)));
    Ok(result)
}

/// What is returned was never written.
#[custom_op]
fn result_never_written(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    q7.empty_like(x) //~ never_written result opened 4
}
