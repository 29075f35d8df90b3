//! What several cores may do together, and one launch after another.

use neuron_device::prelude::*;
use neuron_host_sim::{FaultKind, Report, Simulator, args};

use super::super::launch::{Given, Launch, launch, ramp, ramp_of};
use super::super::raw::share;

/// Clean, but for what a profile does not define.
#[track_caller]
fn assert_right(report: &Report) {
    assert!(report.faults().iter().all(|fault| fault.kind() == FaultKind::Profile), "{report}");
}

pub(super) fn launches() -> Vec<Launch> {
    let mut launches = vec![
        launch(op!(means_of_all), |_| ramp(&[65])).labelled("of 65"),
        launch(op!(means_of_all), |_| ramp(&[1])).labelled("of 1"),
        launch(op!(means_of_all), |_| ramp(&[8]).narrow(0, 2, 1).unwrap().expand(&[20]).unwrap())
            .labelled("of one element many times"),
        launch(op!(core_0_alone), |_| ramp(&[100])),
        launch(op!(core_7_reads_what_it_wrote), |_| ramp(&[3])),
        launch(op!(writes_the_same_twice), |_| ramp(&[33])),
        launch(op!(copy), |_| ramp_of::<i64>(&[0])).labelled("of nothing"),
        launch(op!(copy), |_| ramp_of::<i64>(&[4, 0, 3])).labelled("of nothing of three dimensions"),
        launch(op!(copy), |_| ramp_of::<i64>(&[])).labelled("of one value"),
        // R07: the host joins the cores in between.
        launch(op!(copy), |sim| {
            let first = sim.launch(op!(copy), &args![&ramp_of::<i64>(&[40])]).unwrap();
            assert_right(&first);
            first.output().clone()
        })
        .labelled("of what the launch before wrote"),
        launch(op!(copy), |sim| {
            // The two halves of a tensor that held nothing, written by two launches.
            let all = sim.empty(Dtype::I64, &[40]).unwrap();
            for start in [0, 20] {
                let half = all.narrow(0, start, 20).unwrap();
                assert_right(&sim.launch_into(op!(copy), &args![&ramp_of::<i64>(&[20])], &half).unwrap());
            }
            all
        })
        .labelled("of what two launches wrote"),
        launch(op!(copy), |sim| {
            let x = sim.empty(Dtype::I64, &[40]).unwrap();
            x.copy_from(&ramp_of::<i64>(&[40])).unwrap();
            x
        })
        .labelled("of what the host wrote later"),
        launch(op!(copy), |sim| {
            let x = sim.empty(Dtype::I64, &[6, 6]).unwrap().narrow(1, 2, 3).unwrap();
            x.copy_from(&ramp_of::<i64>(&[6, 3])).unwrap();
            x
        })
        .labelled("of a view that the host wrote, the rest holding nothing"),
        launch(op!(adds), |sim| {
            // Over what is there already: the launch before wrote it, on other cores.
            let out = sim.empty(Dtype::I64, &[40]).unwrap();
            let backwards = ramp_of::<i64>(&[40]);
            assert_right(&sim.launch_into(op!(from_the_other_end), &args![&backwards], &out).unwrap());
            Given::from(backwards).into_output(out)
        })
        .labelled("to what the launch before wrote"),
        launch(op!(from_the_other_end), |_| ramp_of::<i64>(&[41])),
        launch(op!(r03_neighbours_apart), |_| ramp(&[16])).in_moods(),
    ];
    launches.extend((1..=8).map(|cores| launch(op!(copy), |_| ramp_of::<i64>(&[17])).on(cores)));
    launches.extend((1..=8).map(|cores| launch(op!(means_of_all), |_: &mut Simulator| ramp(&[5])).on(cores)));
    launches.push(launch(op!(copy), |_| ramp_of::<i64>(&[17])).labelled("in every mood").in_moods());
    launches
}

/// Every core reads all of `x`, several times.
#[custom_op]
fn means_of_all(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    for i in share(q7, x) {
        let sum: f32 = (0..x.numel()).map(|j| src.get(j)).sum();
        dst.set(i, sum / x.numel() as f32);
    }
    Ok(())
}

/// The other cores have nothing to do.
#[custom_op]
fn core_0_alone(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    if q7.get_cpu_id() == 0 {
        let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
        (0..x.numel()).rev().for_each(|i| dst.set(i, src.get(i)));
    }
    Ok(())
}

/// Running sums that are read back from the output.
#[custom_op]
fn core_7_reads_what_it_wrote(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    if q7.get_cpu_id() == 7 {
        let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
        dst.set(0, src.get(0));
        (1..x.numel()).for_each(|i| dst.set(i, dst.get(i - 1) + src.get(i)));
    }
    Ok(())
}

/// One core may write an element as often as it likes.
#[custom_op]
fn writes_the_same_twice(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    share(q7, x).for_each(|i| dst.set(i, -1.0));
    share(q7, x).for_each(|i| dst.set(i, src.get(i)));
    Ok(())
}

#[custom_op]
fn copy(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<i64>(q7)?, out.elements_mut::<i64>(q7)?);
    share(q7, x).for_each(|i| dst.set(i, src.get(i)));
    Ok(())
}

/// Adds to what the output holds.
#[custom_op]
fn adds(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<i64>(q7)?, out.elements_mut::<i64>(q7)?);
    share(q7, x).for_each(|i| dst.set(i, dst.get(i) + src.get(i)));
    Ok(())
}

/// Reads its share and writes where that belongs, which is another core's share, so that no element has two writers.
#[custom_op]
fn from_the_other_end(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<i64>(q7)?, out.elements_mut::<i64>(q7)?);
    share(q7, x).for_each(|i| dst.set(x.numel() - 1 - i, src.get(i)));
    Ok(())
}

/// R03, done right: neighbours' elements are read, and the sums go elsewhere.
#[custom_op]
fn r03_neighbours_apart(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    let n = x.numel();
    share(q7, x).for_each(|i| dst.set(i, src.get((i + n - 1) % n) + src.get((i + 1) % n)));
    Ok(())
}
