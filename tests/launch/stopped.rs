//! Kernels that end in the middle of staging: by a panic, an error, or as the simulator stops them. Whatever is open then is
//! let go of while the core is unwound, and the simulator is as good as new.

use neuron_device::prelude::*;
use neuron_device::{NxAddr, Q7Ptr};
use neuron_host_sim::{DmaTiming, Outcome, Report, Simulator, Verdict, args};

use crate::ramp;

/// Checked ones of this patience, and an unchecked one.
fn simulators(patience: u64) -> impl Iterator<Item = Simulator> {
    let checked = [DmaTiming::AtOnce, DmaTiming::AtWait].into_iter().flat_map(move |timing| {
        let builder = move |cores| Simulator::builder().cores(cores).dma_timing(timing).patience(patience);
        [1, 8].map(|cores| builder(cores).build().unwrap())
    });
    checked.chain([Simulator::builder().unchecked().build().unwrap()])
}

/// The same simulator, used again, does what is right.
fn is_as_good_as_new(sim: &mut Simulator) {
    let op = (&neuron_examples::STAGED, "relu_streamed");
    let report = sim.launch(op, &args![&ramp(&[3000])]).unwrap();
    report.assert_clean();
    assert_eq!(report.output().to_host().to_bytes(), ramp(&[3000]).to_bytes());
}

/// How it ends.
fn end(q7: &Q7, how: i32, x: &Tensor) -> Result<()> {
    match how {
        0 => panic!("in the middle of it"),
        1 => Err(Error::message("in the middle of it")),
        2 => {
            // It waits for nothing.
            let cells = x.elements::<i32>(q7)?;
            while cells.get(0) == 0 {}
            Ok(())
        }
        _ => {
            // By a local address, each access of which can stop a core.
            let local = q7.translate(x.storage());
            // SAFETY: just translated.
            while unsafe { q7.load_nx::<i32>(local) } == 0 {}
            Ok(())
        }
    }
}

/// Everything there is, open and half done; the third of the streams has no buffer.
#[custom_op]
fn ends_in_the_middle(q7: &Q7, x: &Tensor, how: i32, out: &mut Tensor) -> Result<()> {
    let mut scratch = q7.empty_like(x)?;
    let mut more = q7.empty_like(x)?;
    let own = q7.partition_flat(out.numel());
    let _coming = x.tensor_to_tcm_async(q7, Span { offset: 0, len: 4 }, q7.tcm_malloc::<i32>(4)?)?;
    let tile = q7.tcm_malloc::<i32>(4)?.filled_with(7);
    let _going = scratch.tcm_to_tensor_async(q7, 4, tile)?;
    let block = q7.neuron_dataram_allocate(64, 64)?;
    // SAFETY: 16 bytes of `x`, to a block of 64.
    let _copy = unsafe { q7.neuron_memcpy_async(block, x.q7_data_ptr::<i32>()?, 16)? };
    let mut writer = out.write_stream_accessor::<i32>(q7, own)?;
    writer.write(5);
    let view = scratch.narrow(0, 0, 4)?;
    let mut reader = view.read_stream_accessor::<i32>(q7, ..)?;
    let _some = q7.tcm_malloc::<u8>(q7.tcm_largest_free())?;
    let mut unbuffered = more.write_stream_accessor::<i32>(q7, ..)?;
    unbuffered.write(1);
    let _one = reader.next();
    let result = end(q7, how, x);
    unbuffered.write(2);
    result
}

fn outcomes(report: &Report) -> Vec<&Outcome> {
    report.cores().iter().map(|core| &core.outcome).collect()
}

#[test]
fn what_is_open_is_let_go_of() {
    let zeros = neuron_host_sim::HostTensor::zeros(Dtype::I32, &[64]).unwrap();
    for mut sim in simulators(200) {
        for how in 0..4 {
            if how >= 2 && !sim.is_checked() {
                // Nothing stops it there.
                continue;
            }
            let report = sim.launch(op!(ends_in_the_middle), &args![&zeros, how]).unwrap();
            let ended = outcomes(&report).into_iter().all(|outcome| match how {
                0 => matches!(outcome, Outcome::Panicked(text) if text == "in the middle of it"),
                1 => matches!(outcome, Outcome::Failed(_)),
                _ => *outcome == Outcome::NoProgress,
            });
            assert!(ended, "{how}: {report}");
            // A stream that is dropped lands, whatever drops it.
            let first = report.output().to_host().to_vec::<i32>().unwrap()[0];
            assert_eq!(first, 5, "{how}: {report}");
            is_as_good_as_new(&mut sim);
        }
    }
}

/// Its patience is at an end as a stream is dropped, which writes what was there, beside others that are open.
#[custom_op]
fn stopped_by_a_drop(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut other = q7.empty_like(x)?;
    let cells = x.elements::<f32>(q7)?;
    let _pending = x.tensor_to_tcm_async(q7, Span { offset: 0, len: 1 }, q7.tcm_malloc::<f32>(1)?)?;
    for round in 0..2 {
        let mut outer = other.write_stream_accessor::<f32>(q7, ..2)?;
        outer.write(1.0);
        let mut inner = out.write_stream_accessor::<f32>(q7, ..3)?;
        inner.write(2.0);
        if round == 1 {
            let sum: f32 = (0..1000).map(|_| cells.get(0)).sum();
            assert!(sum < 1.0);
        }
    }
    panic!("it was not stopped")
}

#[test]
fn a_core_can_be_stopped_by_a_stream_that_is_dropped() {
    for mut sim in simulators(200).filter(Simulator::is_checked) {
        let report = sim.launch(op!(stopped_by_a_drop), &args![&ramp(&[4])]).unwrap();
        assert!(outcomes(&report).iter().all(|outcome| **outcome == Outcome::NoProgress), "{report}");
        assert_eq!(report.output().to_host().to_vec::<f32>().unwrap()[0], 2.0);
        is_as_good_as_new(&mut sim);
    }
}

/// A flag that another core would set, looked at by copies.
#[custom_op]
fn waits_by_copies(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut flag = q7.tcm_malloc::<f32>(1)?;
    let own = u64::from(q7.get_cpu_id());
    if own > 0 {
        out.tcm_to_tensor(q7, own, flag.fill(1.0))?;
        return Ok(());
    }
    while x.tensor_to_tcm(q7, Span { offset: 0, len: 1 }, &mut flag)?[0] == 0.0 {}
    Ok(())
}

#[test]
fn waiting_by_copies_is_no_progress_either() {
    for mut sim in simulators(200).filter(Simulator::is_checked) {
        let report = sim.launch(op!(waits_by_copies), &args![&ramp(&[8])]).unwrap();
        assert_eq!(report.cores()[0].outcome, Outcome::NoProgress, "{report}");
        let fault = report.faults().iter().find(|fault| fault.verdict == Verdict::NoProgress).unwrap();
        assert_eq!((fault.argument, &fault.cores[..]), ("x", &[0][..]), "{report}");
        is_as_good_as_new(&mut sim);
    }
}

/// Each block of another size, and each given back before its copy is over: where no call may unwind.
#[custom_op]
fn frees_too_early(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = (x, out);
    let tile = q7.tcm_malloc::<u8>(1)?.filled_with(1);
    for bytes in 1..2000 {
        // SAFETY: it is what the test is about: a fault here and nothing worse.
        unsafe {
            let block = q7.neuron_hbm_allocate(bytes, 64)?;
            let copy = q7.neuron_memcpy_async(Q7Ptr::<u8>::in_block(block), tile.addr(), 1)?;
            q7.neuron_hbm_free(block);
            copy.into_iter().for_each(|copy| q7.neuron_memcpy_wait(copy));
        }
    }
    Ok(())
}

#[test]
fn a_limit_that_is_reached_where_no_call_may_unwind_stops_the_core() {
    for mut sim in simulators(10_000).filter(Simulator::is_checked) {
        let report = sim.launch(op!(frees_too_early), &args![&ramp(&[8])]).unwrap();
        assert!(outcomes(&report).iter().all(|outcome| **outcome == Outcome::Stopped), "{report}");
        assert_eq!(report.faults().len(), 1000, "{}", report.faults().last().unwrap());
        is_as_good_as_new(&mut sim);
    }
}

/// A stream that is dropped while a panic of the drop's own making would abort.
#[custom_op]
fn panics_with_a_bad_stream(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    struct Late<'a>(&'a Q7);
    impl Drop for Late<'_> {
        fn drop(&mut self) {
            // SAFETY: faults, and nothing worse.
            unsafe {
                self.0.store_nx(NxAddr::new(0x0008_2000), 1_i64);
                self.0.neuron_memcpy_wait(99);
                self.0.neuron_dataram_free(NxAddr::new(0x0008_0004));
            }
        }
    }
    let _late = Late(q7);
    let mut stream = out.write_stream_accessor::<f32>(q7, ..1)?;
    stream.write(3.0);
    panic!("and nothing but this")
}

#[test]
fn faults_while_unwinding_are_faults_and_nothing_worse() {
    for mut sim in simulators(10_000) {
        let report = sim.launch(op!(panics_with_a_bad_stream), &args![&ramp(&[8])]).unwrap();
        let panicked =
            |outcome: &&Outcome| matches!(outcome, Outcome::Panicked(text) if text == "and nothing but this");
        assert!(outcomes(&report).iter().all(panicked), "{report}");
        assert!(report.faults().iter().any(|fault| fault.verdict == Verdict::NoSuchCopy), "{report}");
        is_as_good_as_new(&mut sim);
    }
}
