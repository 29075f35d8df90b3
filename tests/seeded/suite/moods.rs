//! Results that depend on what they must not.

use neuron_device::prelude::*;

use super::launch::{Given, Launch, launch, ramp};
use super::raw::share;

pub(super) fn launches() -> Vec<Launch> {
    let in_place = |sim: &mut neuron_host_sim::Simulator| {
        let x = sim.upload(&ramp(&[16])).unwrap();
        Given::from(x.clone()).into_output(x)
    };
    vec![
        launch(op!(r03_in_moods), in_place).in_moods(),
        launch(op!(last_core_wins), |_| ramp(&[1])).in_moods(),
        launch(op!(returns_what_memory_held), |_| ramp(&[8])).in_moods(),
        launch(op!(fails_by_what_memory_held), |_| ramp(&[8])).in_moods(),
    ]
}

/// R03: neighbours read while they are written over.
#[custom_op(in_place)]
fn r03_in_moods(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    //~ moods_differ out nowhere 14
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    for i in share(q7, x) {
        let before = src.get(i.saturating_sub(1)); //~ written_and_read out read 7
        dst.set(i, before); //~ written_and_read out written 7
    }
    Ok(())
}

/// Whoever comes last.
#[custom_op]
fn last_core_wins(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    //~ moods_differ out nowhere 1
    let _ = x;
    let dst = out.elements_mut::<f32>(q7)?;
    dst.set(0, q7.get_cpu_id() as f32); //~ written_by_several_cores out written 1
    Ok(())
}

/// Scratch nobody wrote.
#[custom_op]
fn returns_what_memory_held(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    //~ moods_differ out nowhere 8
    let scratch = q7.empty_like(x)?; //~ never_initialised scratch allocated 8
    let (src, dst) = (scratch.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    for i in share(q7, x) {
        dst.set(i, src.get(i)); //~ never_initialised scratch read 8
    }
    Ok(())
}

/// How it ends depends on scratch nobody wrote.
#[custom_op]
fn fails_by_what_memory_held(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    //~ moods_differ out nowhere 1
    let scratch = q7.empty_like(x)?; //~ never_initialised scratch allocated 8
    let held = scratch.elements::<f32>(q7)?.get(0); //~ never_initialised scratch read 8
    if held > 1.0 {
        return Err(Error::message("is large").about("x"));
    }
    super::raw::fill(q7, out, 0.0_f32)
}
