//! Public fault cases of staging (`docs/cases.md`), each by its id, on 1 and 8 cores, with copies made at once and at the
//! wait. Those with a fault of one line each are seeds (`tests/seeded`), and only looked at more closely here.

use neuron_device::prelude::*;
use neuron_device::{CopyMethod, Counters, NxAddr, Q7Ptr, TcmBuf, WINDOW_BYTES};
use neuron_host_sim::{DmaTiming, FaultKind, HostTensor, Outcome, Report, Simulator, Verdict, args};

use crate::by_hand::{begin, copy, free, load, store};
use crate::{ramp, the};

/// What is wrong with the report, on 1 and 8 cores, in both timings.
fn everywhere(mut each: impl FnMut(&mut Simulator, DmaTiming)) {
    for cores in [1, 8] {
        for timing in [DmaTiming::AtOnce, DmaTiming::AtWait] {
            each(&mut Simulator::builder().cores(cores).dma_timing(timing).build().unwrap(), timing);
        }
    }
}

const METHODS: [CopyMethod; 3] = [CopyMethod::CMemcpy, CopyMethod::VecMemcpy, CopyMethod::Dma];

fn values(report: &Report) -> Vec<f32> {
    report.output().to_host().to_vec().unwrap()
}

/// Every length up to 67 from and to places that are aligned to nothing.
#[custom_op]
fn odd_copies(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let block = q7.neuron_dataram_allocate(256, 64)?;
    let at = |offset: u32| NxAddr::new(block.get() + offset);
    for method in METHODS {
        q7.set_memcpy_method(method);
        for from in [0u32, 1, 2, 4, 16, 33, 63] {
            for to in [0u32, 1, 2, 4, 16, 33, 63] {
                let source = x.q7_data_ptr::<u8>()?.add(from.into()).unwrap();
                (0..132).for_each(|byte| store(q7, at(byte), 0xEE_u8));
                for bytes in 1..=67 {
                    copy(q7, at(to), source, bytes)?;
                    // What is behind was not touched by the shorter ones before either.
                    let found: [u8; 2] = [load(q7, at(to + bytes - 1)), load(q7, at(to + bytes))];
                    assert_eq!(found, [(from + bytes - 1) as u8, 0xEE], "{bytes} bytes, {from} to {to}");
                }
                for byte in 0..132 {
                    let copied = (to..to + 67).contains(&byte);
                    let wanted = if copied { (byte - to + from) as u8 } else { 0xEE };
                    assert_eq!(load::<u8>(q7, at(byte)), wanted, "byte {byte}, {from} to {to}");
                }
            }
        }
    }
    free(q7, block);
    let share = q7.partition_flat(out.numel());
    out.write_stream_accessor::<u8>(q7, share)?.write_from(share.into_iter().map(|_| 1));
    Ok(())
}

/// D01: never a quiet shift.
#[test]
fn d01_copies_from_any_byte_are_exact() {
    let x = HostTensor::from_slice(&[256], &(0..=255).collect::<Vec<u8>>()).unwrap();
    // The core's own copies do not depend on when the engine moves bytes.
    everywhere(|sim, timing| {
        if sim.cores() == 1 || timing == DmaTiming::AtWait {
            sim.launch(op!(odd_copies), &args![&x]).unwrap().assert_clean();
        }
    });
}

/// A tile for each core begun, and none waited for.
#[custom_op]
fn leaves_early(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let tile = q7.partition_flat(x.numel());
    let mut buffer = q7.tcm_malloc::<f32>(64)?.filled_with(0.0);
    buffer.iter_mut().zip(tile).for_each(|(value, i)| *value = i as f32);
    drop(out.tcm_to_tensor_async(q7, 64 * u64::from(q7.get_cpu_id()), buffer)?);
    Ok(())
}

/// D07: which copy, from which line, how many bytes; it lands all the same, as the op is over only then.
#[test]
fn d07_the_copy_that_is_left_is_named() {
    everywhere(|sim, _| {
        let x = ramp(&[64 * sim.cores()]);
        let report = sim.launch(op!(leaves_early), &args![&x]).unwrap();
        let fault = the(&report, Verdict::NeverAwaited);
        assert_eq!((fault.argument, fault.first.as_str()), ("out", "[0], 256 bytes"), "{report}");
        assert_eq!(fault.count, u64::from(sim.cores()));
        let text = report.to_string();
        assert!(text.contains("the op ended with") && text.contains("copy begun at"), "{text}");
        // The host waits until every queue is drained.
        assert_eq!(values(&report), x.to_vec::<f32>().unwrap());
        let moods = sim.moods().launch(op!(leaves_early), &args![&x]).unwrap();
        the(&moods, Verdict::NeverAwaited);
        assert_eq!(moods.faults().len(), 1, "{moods}");
    });
}

/// Ten of its elements, and the stream goes out of scope, or is leaked.
#[custom_op]
fn ten_of_many(q7: &Q7, x: &Tensor, leak: i32, out: &mut Tensor) -> Result<()> {
    let share = q7.partition_flat(x.numel());
    let mut stream = out.write_stream_accessor::<f32>(q7, share)?;
    stream.write_from((1..=10).map(|i| i as f32));
    if leak != 0 {
        std::mem::forget(stream);
    }
    Ok(())
}

/// D08: what is buffered lands when the stream is dropped, and only then.
#[test]
fn d08_a_stream_that_is_dropped_lands() {
    everywhere(|sim, _| {
        for leak in [0, 1] {
            let cores = sim.cores();
            let report = sim.launch(op!(ten_of_many), &args![&ramp(&[1024 * cores]), leak]).unwrap();
            let landed = values(&report).iter().filter(|&&value| value != 0.0).count() as u32;
            assert_eq!(landed, if leak == 0 { 10 * cores } else { 0 });
            let closed = report.faults().iter().all(|fault| fault.verdict != Verdict::NeverClosed);
            assert_eq!(closed, leak == 0, "{report}");
            assert_eq!(the(&report, Verdict::NeverWritten).count, u64::from(cores * 1024 - landed));
        }
    });
}

/// Two slots, three tiles: the first slot is filled again before it was waited for.
#[custom_op]
fn three_tiles(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let slots = [q7.neuron_dataram_allocate(4, 64)?, q7.neuron_dataram_allocate(4, 64)?];
    let first = out.q7_data_ptr::<f32>()?.add(3 * u64::from(q7.get_cpu_id())).unwrap();
    let mut copies = Vec::new();
    for (tile, value) in (0..3).zip([1.0_f32, 2.0, 3.0]) {
        let slot = slots[tile % 2];
        store(q7, slot, value);
        copies.extend(begin(q7, first.add(tile as u64).unwrap(), slot, 4)?);
    }
    copies.into_iter().for_each(|copy| q7.neuron_memcpy_wait(copy));
    slots.into_iter().for_each(|slot| free(q7, slot));
    let _ = x;
    Ok(())
}

/// D09, D10, D11: found whether it goes wrong this time or not.
#[test]
fn d09_a_slot_refilled_too_early_is_found_where_luck_hides_it() {
    everywhere(|sim, timing| {
        let cores = sim.cores();
        let report = sim.launch(op!(three_tiles), &args![&ramp(&[3 * cores])]).unwrap();
        let fault = the(&report, Verdict::TouchedInFlight);
        assert_eq!(
            (fault.argument, fault.count, fault.lines.len()),
            ("tcm", u64::from(cores), 2),
            "{report}"
        );
        let first = if timing == DmaTiming::AtOnce { 1.0 } else { 3.0 };
        assert_eq!(values(&report), [first, 2.0, 3.0].repeat(cores as usize));
    });
}

/// What the kernel opens while a stream of the other kind is open on the same tensor, or on another view of its storage.
#[custom_op]
fn both_at_a_time(q7: &Q7, x: &Tensor, case: i32, out: &mut Tensor) -> Result<()> {
    let own = q7.partition_flat(out.numel());
    let same = out.narrow(0, 0, out.size(0))?;
    match case {
        0 => {
            let _reader = same.read_stream_accessor::<f32>(q7, own)?;
            out.write_stream_accessor::<f32>(q7, own)?;
        }
        1 => {
            let _writer = out.write_stream_accessor::<f32>(q7, own)?;
            x.read_stream_accessor::<f32>(q7, own)?;
        }
        _ => {
            let _writer = out.write_stream_accessor::<f32>(q7, own)?;
            x.elements::<f32>(q7)?;
        }
    }
    Ok(())
}

/// D14: the rule is of storages, not of handles; whichever comes second is refused.
#[test]
fn d14_a_writer_and_a_reader_of_one_storage_are_refused() {
    everywhere(|sim, _| {
        let all = sim.zeros(Dtype::F32, &[32]).unwrap();
        let (x, out) = (all.narrow(0, 0, 16).unwrap(), all.narrow(0, 16, 16).unwrap());
        let cases = [
            "by a write stream while a read stream is open on the same storage",
            "by a read stream while a write stream is open on the same storage",
            "by an accessor while a write stream is open on the same storage",
        ];
        for (case, text) in (0..).zip(cases) {
            let report = sim.launch_into(op!(both_at_a_time), &args![&x, case], &out).unwrap();
            let Outcome::Failed(error) = &report.cores()[0].outcome else { panic!("{report}") };
            assert!(error.to_string().contains(text), "{error}");
        }
    });
}

/// The two elements at the edge of a window, by every way.
#[custom_op(shape = two)]
fn over_the_edge(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    if q7.get_cpu_id() > 0 {
        return Ok(());
    }
    let edge = (WINDOW_BYTES - x.storage().get() % WINDOW_BYTES) / 4;
    let span = Span { offset: edge - 1, len: 2 };
    let mut buffer = q7.tcm_malloc::<f32>(2)?;
    let block = q7.neuron_dataram_allocate(8, 64)?;
    let pointer = x.q7_data_ptr::<f32>()?.add(edge - 1).unwrap();
    let cells: [f32; 2] = {
        let cells = x.elements::<f32>(q7)?;
        [cells.get(edge - 1), cells.get(edge)]
    };
    for method in METHODS {
        q7.set_memcpy_method(method);
        assert_eq!(x.tensor_to_tcm(q7, span, &mut buffer)?, cells);
        assert_eq!(x.strided_to_tcm(q7, span, &mut buffer)?, cells);
        assert!(x.read_stream_accessor::<f32>(q7, edge - 1..=edge)?.eq(cells));
        copy(q7, block, pointer, 8)?;
        let there: [f32; 2] = [load(q7, block), load(q7, NxAddr::new(block.get() + 4))];
        assert_eq!(there, cells);
    }
    free(q7, block);
    // An i64 that lies across the edge is aligned to nothing: a fault, and no half of it.
    let across = Q7Ptr::<i64>::new(neuron_device::HbmAddr::new(x.storage().get() + 4 * (edge - 1)));
    // SAFETY: a fault here and nothing worse.
    assert_eq!(unsafe { across.load(q7) }, i64::POISON);
    out.tcm_to_tensor(q7, 0, buffer.write_from(cells))
}

fn two(_: &[TensorSpec]) -> Result<TensorSpec> {
    TensorSpec::new(Dtype::F32, &[2])
}

#[test]
fn d18_copies_across_the_edge_of_a_window_are_whole() {
    let ramp = ramp(&[2 * (WINDOW_BYTES / 4) as u32]);
    everywhere(|sim, _| {
        let report = sim.launch(op!(over_the_edge), &args![&ramp]).unwrap();
        assert_eq!(the(&report, Verdict::Misaligned).count, 1, "{report}");
        assert_eq!(report.faults().len(), 1, "{report}");
        let [before, after] = values(&report)[..] else { unreachable!() };
        assert!(before > 0.0 && after == before + 1.0, "{before} {after}");
    });
}

/// An element of each region in turn, copied 64 times by this method.
#[custom_op(shape = two)]
fn regions_copied(q7: &Q7, x: &Tensor, regions: i32, by_core: i32, out: &mut Tensor) -> Result<()> {
    if by_core != 0 {
        q7.set_memcpy_method(CopyMethod::VecMemcpy);
    }
    let mut buffer = q7.tcm_malloc::<f32>(1)?;
    for turn in 0..64 {
        let offset = turn % regions as u64 * (WINDOW_BYTES / 4);
        x.tensor_to_tcm(q7, Span { offset, len: 1 }, &mut buffer)?;
    }
    q7.set_memcpy_method(CopyMethod::Dma);
    let mut both = q7.tcm_malloc::<f32>(2)?;
    if q7.get_cpu_id() == 0 { out.tcm_to_tensor(q7, 0, both.fill(1.0)) } else { Ok(()) }
}

/// D20: the core's own copies go through the windows as elements do; the engine's do not.
#[test]
fn d20_copies_thrash_windows_only_if_the_core_makes_them() {
    everywhere(|sim, _| {
        let x = sim.zeros(Dtype::F32, &[16 << 20]).unwrap();
        let counters = |sim: &mut Simulator, regions: i32, by_core: i32| -> Counters {
            let report = sim.launch(op!(regions_copied), &args![&x, regions, by_core]).unwrap();
            report.assert_clean();
            report.cores()[0].counters
        };
        let before = counters(sim, 1, 0).misses();
        assert_eq!(counters(sim, 4, 0).misses(), before, "the engine translates nothing");
        assert_eq!(counters(sim, 4, 1).misses(), 64, "four regions, three windows");
        assert_eq!(counters(sim, 3, 1).misses(), 3);
    });
}

/// A pool in pieces, or full.
#[custom_op]
fn no_room(q7: &Q7, x: &Tensor, fragmented: i32, out: &mut Tensor) -> Result<()> {
    let pieces: Vec<TcmBuf<'_, u8>> = (0..16).map(|_| q7.tcm_malloc::<u8>(1024)).collect::<Result<_>>()?;
    let _kept: Vec<_> =
        pieces.into_iter().enumerate().filter(|(at, _)| fragmented == 0 || at % 2 == 0).collect();
    let _ = (x, out);
    q7.tcm_malloc::<f32>(1024).map(drop)
}

/// D22, N10: what was asked, what is free, the largest hole, the line that has the rest, and which of the two it is.
#[test]
fn d22_exhaustion_says_what_holds_the_pool() {
    everywhere(|sim, _| {
        for (fragmented, words) in [
            (0, ["4096 bytes", "exhausted", "0 of 16384", "16 blocks"]),
            (1, ["4096 bytes", "fragmented", "8192 of 16384", "8 blocks"]),
        ] {
            let report = sim.launch(op!(no_room), &args![&ramp(&[8]), fragmented]).unwrap();
            let Outcome::Failed(error) = &report.cores()[0].outcome else { panic!("{report}") };
            let error = error.to_string();
            for word in words {
                assert!(error.contains(word), "no `{word}` in {error}");
            }
            assert!(error.contains(file!()), "{error}");
        }
    });
}

/// The vendor's sample: no room, so no work, and success all the same.
#[custom_op]
fn skips_its_work(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let Ok(mut buffer) = q7.tcm_malloc::<f32>(1 << 20) else { return Ok(()) };
    for tile in q7.partition_flat(x.numel()).tiles(8) {
        let values = x.tensor_to_tcm(q7, tile, &mut buffer)?;
        out.tcm_to_tensor(q7, tile.offset, values)?;
    }
    Ok(())
}

/// D24: what was skipped shows as what was never written.
#[test]
fn d24_work_that_is_skipped_shows() {
    everywhere(|sim, _| {
        let report = sim.launch(op!(skips_its_work), &args![&ramp(&[40])]).unwrap();
        let fault = the(&report, Verdict::NeverWritten);
        assert_eq!((fault.count, report.faults().len()), (40, 1), "{report}");
        assert!(report.to_string().contains("no core opened `out` for writing"), "{report}");
    });
}

/// D28: five reads of four elements, and one after close, each on its own.
#[custom_op]
fn reads_too_often(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut stream = x.read_stream_accessor::<f32>(q7, ..4)?;
    let fifth = (0..5).map(|_| stream.read()).last().unwrap();
    stream.close();
    let closed = stream.read();
    let own = q7.partition_flat(out.numel());
    let poison = [fifth, closed].iter().all(|value| value.to_bits() == f32::POISON.to_bits());
    out.write_stream_accessor::<f32>(q7, own)?.write_from(own.into_iter().map(|_| f32::from(poison)));
    Ok(())
}

#[test]
fn d28_past_the_end_and_after_close_are_two_things() {
    everywhere(|sim, _| {
        let report = sim.launch(op!(reads_too_often), &args![&ramp(&[8])]).unwrap();
        let (past, after) = (the(&report, Verdict::PastTheStream), the(&report, Verdict::AfterClose));
        assert!(past.kind() == FaultKind::Stream && after.kind() == FaultKind::Stream);
        assert_eq!((past.count, past.first.as_str()), (u64::from(sim.cores()), "element 4"), "{report}");
        assert_eq!(values(&report), [1.0; 8], "each gives poison");
    });
}

/// D29: the table has three methods.
#[test]
fn d29_there_is_no_fourth_method() {
    let methods: Vec<_> = (0..3).map(|number| CopyMethod::try_from(number).unwrap()).collect();
    assert_eq!(methods.len(), 3);
    let error = CopyMethod::try_from(3).unwrap_err();
    assert!(error.to_string().contains('3'), "{error}");
}

/// A stage of indices, which change in HBM afterwards.
#[custom_op]
fn stale_stage(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut indices = q7.empty(Dtype::I32, &[3])?;
    let mut stage = q7.tcm_malloc::<i32>(3)?;
    indices.tcm_to_tensor(q7, 0, stage.write_from([0, 1, 2]))?;
    let all = Span { offset: 0, len: 3 };
    let staged = indices.tensor_to_tcm(q7, all, &mut stage)?;
    indices.elements_mut::<i32>(q7)?.set(1, 7);
    assert_eq!(staged, [0, 1, 2]);
    let again = indices.tensor_to_tcm(q7, all, &mut stage)?;
    assert_eq!(again, [0, 7, 2]);
    // A stream would show the old value too, so nothing can be written beside it.
    let view = indices.narrow(0, 0, 3)?;
    let stream = view.read_stream_accessor::<i32>(q7, ..)?;
    assert!(indices.elements_mut::<i32>(q7).is_err());
    drop(stream);
    let own = q7.partition_flat(x.numel());
    out.write_stream_accessor::<f32>(q7, own)?.write_from(own.into_iter().map(|_| 1.0));
    Ok(())
}

#[test]
fn s13_a_stage_keeps_the_old_value_until_it_is_staged_again() {
    everywhere(|sim, _| sim.launch(op!(stale_stage), &args![&ramp(&[16])]).unwrap().assert_clean());
}
