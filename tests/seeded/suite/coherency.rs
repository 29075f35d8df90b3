//! Streams, and other ways to the same storage that do not see what the streams keep.

use neuron_device::CoherencyPolicy;
use neuron_device::prelude::*;
use neuron_host_sim::Simulator;

use super::launch::{Given, Launch, launch, ramp};
use super::raw::{fill, load, share};

pub(super) fn launches() -> Vec<Launch> {
    let in_place = |sim: &mut Simulator| {
        let x = sim.upload(&ramp(&[16])).unwrap();
        Given::from(x.clone()).into_output(x)
    };
    let halves = |sim: &mut Simulator| {
        let all = sim.zeros(Dtype::F32, &[16]).unwrap();
        Given::from(all.narrow(0, 0, 8).unwrap()).into_output(all.narrow(0, 8, 8).unwrap())
    };
    vec![
        launch(op!(reads_beside_a_writer), |_| ramp(&[8])),
        launch(op!(writes_beside_a_reader), in_place),
        launch(op!(reads_beside_a_reader), |_| ramp(&[8])),
        launch(op!(pointer_beside_a_write_stream), |_| ramp(&[8])),
        launch(op!(copy_beside_a_read_stream), in_place),
        launch(op!(d14_view_beside_a_write_stream), halves),
        launch(op!(verbose_beside_a_writer), |_| ramp(&[8])),
        launch(op!(verbose_side_by_side), |_| ramp(&[8])),
        launch(op!(policy_comes_back), |_| ramp(&[8])),
    ]
}

/// What the stream keeps is not seen.
#[custom_op]
fn reads_beside_a_writer(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    fill(q7, out, 0.0_f32)?;
    let own = u64::from(q7.get_cpu_id());
    let view = out.narrow(0, 0, 8)?;
    let cells = view.elements::<f32>(q7)?;
    let mut stream = out.write_stream_accessor::<f32>(q7, own..=own)?; //~ incoherent out stream 8
    stream.write(1.0);
    let before = cells.get(own); //~ incoherent out read 8
    stream.close();
    assert!(before < 2.0 && x.dim() == 1);
    Ok(())
}

/// What the stream keeps is the old value.
#[custom_op(in_place)]
fn writes_beside_a_reader(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let cells = out.elements_mut::<f32>(q7)?;
    let own = q7.partition_flat(x.numel());
    let mut stream = x.read_stream_accessor::<f32>(q7, own)?; //~ incoherent out stream 16
    for i in own {
        let value = stream.read();
        cells.set(i, value + 1.0); //~ incoherent out written 16
    }
    Ok(())
}

/// No harm is done, and it is not allowed all the same.
#[custom_op]
fn reads_beside_a_reader(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let cells = x.elements::<f32>(q7)?;
    let stream = x.read_stream_accessor::<f32>(q7, ..)?; //~ warning incoherent x stream 8
    let first = cells.get(0); //~ warning incoherent x read 8
    let sum: f32 = stream.sum();
    fill(q7, out, sum + first)
}

/// A pointer is no handle that anybody could refuse.
#[custom_op]
fn pointer_beside_a_write_stream(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    fill(q7, out, 0.0_f32)?;
    let own = share(q7, x).next().unwrap();
    let pointer = out.q7_data_ptr::<f32>()?.add(own).unwrap();
    let mut stream = out.write_stream_accessor::<f32>(q7, own..=own)?; //~ incoherent out stream 8
    let before = load(q7, pointer); //~ incoherent out read 8
    stream.write(before);
    Ok(())
}

/// A copy goes by the stream's buffer.
#[custom_op(in_place)]
fn copy_beside_a_read_stream(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let own = q7.partition_flat(x.numel());
    let mut stream = x.read_stream_accessor::<f32>(q7, own)?; //~ incoherent out stream 16
    let mut buffer = q7.tcm_malloc::<f32>(2)?;
    out.tcm_to_tensor(q7, own.start(), buffer.fill(1.0))?; //~ incoherent out written 16
    assert_eq!(stream.read(), own.start() as f32);
    Ok(())
}

/// D14: two views of one storage. The rule is of storages.
#[custom_op]
fn d14_view_beside_a_write_stream(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let cells = x.elements::<f32>(q7)?;
    let own = u64::from(q7.get_cpu_id());
    let mut stream = out.write_stream_accessor::<f32>(q7, own..=own)?; //~ warning incoherent x stream 8
    stream.write(cells.get(own)); //~ warning incoherent x read 8
    Ok(())
}

/// The kernel asked to be warned.
#[custom_op]
fn verbose_beside_a_writer(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    fill(q7, out, 0.0_f32)?;
    q7.set_coherency_policy(CoherencyPolicy::IncoherentVerbose);
    let own = share(q7, x).next().unwrap();
    let view = out.narrow(0, 0, 8)?;
    let mut stream = out.write_stream_accessor::<f32>(q7, own..=own)?; //~ warning opened_beside out stream 8; warning incoherent out stream 8
    let cells = view.elements::<f32>(q7)?; //~ warning opened_beside out accessor 8
    let before = cells.get(own); //~ warning incoherent out read 8
    stream.write(before);
    Ok(())
}

/// A reader beside a writer.
#[custom_op]
fn verbose_side_by_side(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    fill(q7, out, 0.0_f32)?;
    q7.set_coherency_policy(CoherencyPolicy::IncoherentVerbose);
    let own = share(q7, x).next().unwrap();
    let view = out.narrow(0, 0, 8)?;
    let mut reader = view.read_stream_accessor::<f32>(q7, own..=own)?; //~ warning opened_beside out stream 8
    let mut writer = out.write_stream_accessor::<f32>(q7, own..=own)?; //~ warning opened_beside out stream 8
    writer.write(reader.read() + 1.0);
    Ok(())
}

/// The policy is the one of the moment.
#[custom_op]
fn policy_comes_back(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let cells = x.elements::<f32>(q7)?;
    q7.set_coherency_policy(CoherencyPolicy::IncoherentQuiet);
    let stream = x.read_stream_accessor::<f32>(q7, ..)?; //~ warning incoherent x stream 8
    let quietly = cells.get(0);
    q7.set_coherency_policy(CoherencyPolicy::Coherent);
    let loudly = cells.get(1); //~ warning incoherent x read 8
    drop(stream);
    fill(q7, out, quietly + loudly)
}
