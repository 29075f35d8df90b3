//! What machines that this one is not do to bytes: cases of `docs/cases.md`, each by its id, on 1 and 8 cores, with copies
//! made at once and at the wait, with checks and without. What is found is seeded (`tests/seeded`).

use neuron_device::prelude::*;
use neuron_device::{CopyMethod, NxAddr, Op};
use neuron_examples::STAGED;
use neuron_host_sim::replay::Replay;
use neuron_host_sim::{Arg, DmaTiming, HostTensor, Report, Simulator, Verdict, WhatIf, args};

use crate::by_hand::{copy, free, load, store};
use crate::{ramp, the};

const GRANULE: WhatIf = WhatIf { dma_granule: Some(64), ..NOTHING };
const LATE: WhatIf = WhatIf { done_before_visible: true, ..NOTHING };
const CACHE: WhatIf = WhatIf { tcm_write_back: Some(64), ..NOTHING };
const NOTHING: WhatIf =
    WhatIf { dma_granule: None, done_before_visible: false, tcm_write_back: None, line_write_back: None };

/// Launches of an op on such a machine: with every number of cores, timing, and with checks or without.
fn everywhere(what_if: WhatIf, op: &'static Op, arguments: &[Arg<'_>], mut each: impl FnMut(&Report, bool)) {
    for cores in [1, 8] {
        for timing in [DmaTiming::AtOnce, DmaTiming::AtWait] {
            let machine = || Simulator::builder().cores(cores).dma_timing(timing).what_if(what_if);
            each(&machine().build().unwrap().launch(op, arguments).unwrap(), true);
            each(&machine().unchecked().build().unwrap().launch(op, arguments).unwrap(), false);
        }
    }
}

fn verdicts_of(report: &Report) -> Vec<Verdict> {
    report.faults().iter().map(|fault| fault.verdict).collect()
}

fn floats(report: &Report) -> Vec<f32> {
    report.output().to_host().to_vec().unwrap()
}

/// Every launch there gives these values, and where there are checks, what is wrong is of this verdict, and nothing else.
#[track_caller]
fn gives(what_if: WhatIf, op: &'static Op, x: &HostTensor, wanted: &[f32], verdict: Option<Verdict>) {
    everywhere(what_if, op, &args![x], |report, checked| {
        assert_eq!(floats(report), wanted, "{report}");
        let verdict: Vec<Verdict> = verdict.into_iter().filter(|_| checked).collect();
        assert_eq!(verdicts_of(report), verdict, "{report}");
    });
}

/// Two blocks of six bytes, one right behind the other: the first is copied to, and the second is the result.
#[custom_op]
fn neighbours(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let first = q7.neuron_dataram_allocate(6, 64)?;
    let second = q7.neuron_dataram_allocate(6, 2)?;
    assert_eq!(second.get(), first.get() + 6);
    let at = |element: u32| NxAddr::new(second.get() + 2 * element);
    (0..3).for_each(|element| store(q7, at(element), -1_i16));
    copy(q7, first, x.q7_data_ptr::<i16>()?, 6)?;
    let kept: [i16; 3] = [0, 1, 2].map(|element| load(q7, at(element)));
    free(q7, second);
    free(q7, first);
    let share = q7.partition_flat(out.numel());
    let dst = out.elements_mut::<i16>(q7)?;
    share.into_iter().for_each(|i| dst.set(i, kept[i as usize % 3]));
    Ok(())
}

/// D04: a copy of six bytes overwrites the six of the block behind, and is reported.
#[test]
fn d04_a_row_spills_into_the_next_block() {
    let x = HostTensor::from_slice(&[24], &(0..24).collect::<Vec<i16>>()).unwrap();
    for (what_if, kept, verdicts) in
        [(NOTHING, [-1; 3], &[][..]), (GRANULE, [3, 4, 5], &[Verdict::TcmOverrun])]
    {
        everywhere(what_if, op!(neighbours), &args![&x], |report, checked| {
            assert_eq!(report.output().to_host().to_vec::<i16>().unwrap(), kept.repeat(8), "{report}");
            assert_eq!(verdicts_of(report), if checked { verdicts } else { &[] }, "{report}");
        });
    }
}

/// A share of sixteen elements: all are set to 1, and then three of them are copied.
#[custom_op]
fn three_of_sixteen(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let block = q7.neuron_dataram_allocate(64, 64)?;
    let at = |element: u32| NxAddr::new(block.get() + 4 * element);
    (0..16).for_each(|element| store(q7, at(element), 9.0_f32));
    let share = q7.partition_flat(x.numel());
    let dst = out.elements_mut::<f32>(q7)?;
    share.into_iter().for_each(|i| dst.set(i, 1.0));
    for start in share.into_iter().step_by(16) {
        copy(q7, out.q7_data_ptr::<f32>()?.add(start).unwrap(), block, 12)?;
    }
    free(q7, block);
    Ok(())
}

/// The same on the side of HBM.
#[test]
fn d04_a_row_spills_over_the_elements_behind() {
    let (x, nines) = (ramp(&[128]), [9.0; 128]);
    let kept: Vec<f32> = (0..128).map(|i| if i % 16 < 3 { 9.0 } else { 1.0 }).collect();
    gives(NOTHING, op!(three_of_sixteen), &x, &kept, None);
    gives(GRANULE, op!(three_of_sixteen), &x, &nines, Some(Verdict::TransferSpilled));
    let mut sim = Simulator::builder().what_if(GRANULE).build().unwrap();
    let report = sim.launch(op!(three_of_sixteen), &args![&x]).unwrap();
    assert_eq!(the(&report, Verdict::TransferSpilled).first, "52 bytes behind [2]");
}

/// D02: whole granules are legal on both sides, and so are ends at the same place of one; nothing else moves.
#[test]
fn d02_whole_granules_are_legal_both_ways() {
    let x = ramp(&[8 * 32]);
    for bytes in [1, 4, 16, 64] {
        let granule = WhatIf { dma_granule: Some(bytes), ..NOTHING };
        let op = STAGED.ops().iter().find(|op| op.name() == "relu_staged").unwrap();
        gives(granule, op, &x, &x.to_vec::<f32>().unwrap(), None);
    }
}

/// Copies tiles of sixteen, each element one more, and multiplies the first of each by ten there, after a fence or at once.
#[custom_op]
fn first_by_ten(q7: &Q7, x: &Tensor, fenced: i32, out: &mut Tensor) -> Result<()> {
    for tile in q7.partition_flat(x.numel()).tiles(16) {
        let first = tile.offset;
        let mut values = x.tensor_to_tcm_async(q7, tile, q7.tcm_malloc::<f32>(16)?)?.wait();
        values.iter_mut().for_each(|value| *value += 1.0);
        // The window is mapped then.
        out.elements_mut::<f32>(q7)?.set(first, -1.0);
        out.tcm_to_tensor_async(q7, first, values)?.wait();
        if fenced != 0 {
            q7.fence();
        }
        let elements = out.elements_mut::<f32>(q7)?;
        let value = elements.get(first);
        elements.set(first, 10.0 * value);
    }
    Ok(())
}

/// D12: the old value is read, and what is written there is written over by what arrives; after a fence neither is.
#[test]
fn d12_done_is_not_visible_before_a_fence() {
    let x = ramp(&[128]);
    let more: Vec<f32> = (1..=128).map(|i| i as f32).collect();
    let by_ten: Vec<f32> = (0..128).map(|i| more[i] * if i % 16 == 0 { 10.0 } else { 1.0 }).collect();
    for (what_if, fenced, wanted, verdicts) in [
        (NOTHING, 0, &by_ten, &[][..]),
        (LATE, 1, &by_ten, &[]),
        (LATE, 0, &more, &[Verdict::NotYetVisible, Verdict::NotYetVisible]),
    ] {
        everywhere(what_if, op!(first_by_ten), &args![&x, fenced], |report, checked| {
            assert_eq!(floats(report), *wanted, "{report}");
            assert_eq!(verdicts_of(report), if checked { verdicts } else { &[] }, "{report}");
        });
    }
}

/// Copies to a tensor of its own, and returns that.
#[custom_op]
fn returned(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    let mut result = q7.empty_like(x)?;
    let share = q7.partition_flat(x.numel());
    let mut dst = result.write_stream_accessor::<f32>(q7, share)?;
    x.read_stream_accessor::<f32>(q7, share)?.for_each(|value| dst.write(value));
    drop(dst);
    Ok(result)
}

/// What is copied back at the end was fenced before, and so was what the next copy by DMA reads.
#[test]
fn d12_a_right_kernel_needs_no_fence() {
    let x = ramp(&[5000]);
    let wanted = x.to_vec::<f32>().unwrap();
    gives(LATE, op!(returned), &x, &wanted, None);
    for op in STAGED.ops().iter().filter(|op| ["relu_staged", "relu_streamed"].contains(&op.name())) {
        gives(LATE, op, &x, &wanted, None);
    }
}

/// Copies sixteen elements to a line, writes element 10, copies eight others to the first eight: what are 0 and 10?
#[custom_op]
fn beside(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let block = q7.neuron_dataram_allocate(64, 64)?;
    let from = x.q7_data_ptr::<f32>()?;
    copy(q7, block, from, 64)?;
    store(q7, NxAddr::new(block.get() + 40), 99.0_f32);
    copy(q7, block, from.add(16).unwrap(), 32)?;
    let found: [f32; 2] = [load(q7, block), load(q7, NxAddr::new(block.get() + 40))];
    free(q7, block);
    let share = q7.partition_flat(out.numel());
    let dst = out.elements_mut::<f32>(q7)?;
    share.into_iter().for_each(|i| dst.set(i, found[i as usize % 2]));
    Ok(())
}

/// D15: what was copied is read, and what was written beside it in the line is kept, or lost with the line and reported.
#[test]
fn d15_a_line_is_dropped_whole() {
    let x = ramp(&[32]);
    gives(NOTHING, op!(beside), &x, &[16.0, 99.0].repeat(16), None);
    gives(CACHE, op!(beside), &x, &[16.0, 10.0].repeat(16), Some(Verdict::DroppedWithALine));
    let mut sim = Simulator::builder().what_if(CACHE).build().unwrap();
    let report = sim.launch(op!(beside), &args![&x]).unwrap();
    let first = the(&report, Verdict::DroppedWithALine).first;
    // The first byte in which 99 is not what was copied there.
    assert_eq!(first, "0x0008002a, in the line 0x00080000 to 0x0008003f");
    // Lines of 32 bytes have nothing else.
    let short = WhatIf { tcm_write_back: Some(32), ..NOTHING };
    gives(short, op!(beside), &x, &[16.0, 99.0].repeat(16), None);
}

/// Adds one in TCM. By DMA, or by the core.
#[custom_op]
fn one_more(q7: &Q7, x: &Tensor, by_core: i32, out: &mut Tensor) -> Result<()> {
    let mut buffer = q7.tcm_malloc::<f32>(16)?;
    for tile in q7.partition_flat(x.numel()).tiles(16) {
        let values = x.tensor_to_tcm(q7, tile, &mut buffer)?;
        values.iter_mut().for_each(|value| *value += 1.0);
        if by_core != 0 {
            q7.set_memcpy_method(CopyMethod::VecMemcpy);
        }
        out.tcm_to_tensor(q7, tile.offset, values)?;
        q7.set_memcpy_method(CopyMethod::Dma);
    }
    Ok(())
}

/// What the core wrote is not what the engine copies; a copy by the core goes through the cache.
#[test]
fn d15_a_copy_does_not_see_the_cache() {
    let x = ramp(&[128]);
    let old = x.to_vec::<f32>().unwrap();
    let more: Vec<f32> = old.iter().map(|value| value + 1.0).collect();
    for (what_if, by_core, wanted, verdicts) in
        [(NOTHING, 0, &more, &[][..]), (CACHE, 1, &more, &[]), (CACHE, 0, &old, &[Verdict::BehindTheCache])]
    {
        everywhere(what_if, op!(one_more), &args![&x, by_core], |report, checked| {
            assert_eq!(floats(report), *wanted, "{report}");
            assert_eq!(verdicts_of(report), if checked { verdicts } else { &[] }, "{report}");
        });
    }
}

/// All at once: what a copy takes along is late too, and comes from beneath the cache.
#[test]
fn d04_d12_d15_together() {
    let all = WhatIf { dma_granule: Some(64), done_before_visible: true, ..CACHE };
    let x = ramp(&[128]);
    everywhere(all, op!(first_by_ten), &args![&x, 1], |report, checked| {
        assert_eq!(
            verdicts_of(report),
            if checked { &[Verdict::BehindTheCache][..] } else { &[] },
            "{report}"
        );
        let wanted: Vec<f32> = (0..128).map(|i| i as f32 * if i % 16 == 0 { 10.0 } else { 1.0 }).collect();
        assert_eq!(floats(report), wanted);
        assert_eq!(report.what_if(), all);
    });
}

neuron_library!(HERE: "elsewhere" = [neighbours, three_of_sixteen, first_by_ten, beside, one_more]);

/// A launch that is replayed is on the same machine, and comes to the same fault.
#[test]
fn a_replay_is_on_the_same_machine() {
    let (floats, halves) = (ramp(&[128]), HostTensor::zeros(Dtype::I16, &[24]).unwrap());
    for (what_if, op, arguments) in [
        (GRANULE, op!(neighbours), &args![&halves][..]),
        (GRANULE, op!(three_of_sixteen), &args![&floats]),
        (LATE, op!(first_by_ten), &args![&floats, 0]),
        (CACHE, op!(beside), &args![&floats]),
        (CACHE, op!(one_more), &args![&floats, 0]),
    ] {
        let mut sim = Simulator::builder().what_if(what_if).build().unwrap();
        let report = sim.launch((&HERE, op.name()), arguments).unwrap();
        let file = std::env::temp_dir().join(format!("neuron-elsewhere-{}.replay", std::process::id()));
        report.save(&file).unwrap();
        let replay = Replay::open(&file);
        std::fs::remove_file(&file).unwrap();
        let stop = replay.unwrap().run(&[&HERE], None, &"fault".parse().unwrap()).unwrap();
        let (there, here) = (stop.fault.as_ref().unwrap(), &report.faults()[0]);
        assert_eq!((&there.verdict, &there.first, &there.lines), (&here.verdict, &here.first, &here.lines));
    }
}
