//! The way from a returned tensor to the output, by what the platform is asked on it.

use std::vec::Vec;

use crate::policy::counters::CopyCounters;
use crate::port::engine::Doorbell;
use crate::port::observe::{Returned, Staged, Wants};
use crate::port::rig::{Call, Rig, Timing};
use crate::prelude::*;
use crate::words::addr::HbmAddr;
use crate::words::layout::Layout;
use crate::words::record::{ArgRecord, ViewExtension};
use crate::{ArgDescriptor, Form, Op, Source};

/// Where the output lies: in the window of the scratch, and beyond it.
const OUTPUT: u64 = Rig::EDGE - (128 << 10);

/// A tensor of 100 numbers, of which core 0 has written all.
#[custom_op]
fn counted(q7: &Q7) -> Result<Tensor> {
    let mut made = q7.empty(Dtype::I32, &[100])?;
    let cells = made.elements_mut::<i32>(q7)?;
    (0..100).for_each(|i| cells.set(i, i as i32 + 1));
    Ok(made)
}

/// The same, of which it has written three parts.
#[custom_op]
fn parts(q7: &Q7) -> Result<Tensor> {
    let mut made = q7.empty(Dtype::I32, &[100])?;
    let cells = made.elements_mut::<i32>(q7)?;
    (0..100).filter(|i| i % 40 < 20).for_each(|i| cells.set(i, i as i32 + 1));
    Ok(made)
}

/// The last 100 of 110, in a tensor that begins inside its storage.
#[custom_op]
fn tail(q7: &Q7) -> Result<Tensor> {
    let mut made = q7.empty(Dtype::I32, &[110])?;
    let cells = made.elements_mut::<i32>(q7)?;
    (0..110).for_each(|i| cells.set(i, i as i32 - 9));
    made.slice(0, 10, 110, 1)
}

/// Nothing is written.
#[custom_op]
fn untouched(q7: &Q7) -> Result<Tensor> {
    q7.empty(Dtype::I32, &[100])
}

#[custom_op]
fn in_place(q7: &Q7) -> Result<Tensor> {
    let mut dst = q7.get_dst_tensor()?;
    dst.elements_mut::<i32>(q7)?.set(7, 70);
    q7.get_dst_tensor()
}

#[custom_op]
fn prints(q7: &Q7) -> Result<Tensor> {
    neuron_println!(q7, "here");
    q7.get_dst_tensor()
}

#[custom_op]
fn fails(q7: &Q7) -> Result<Tensor> {
    neuron_println!(q7, "here");
    Err(Error::message("not today"))
}

/// N04: writes to the destination, and returns another tensor.
#[custom_op]
fn both(q7: &Q7) -> Result<Tensor> {
    let mut dst = q7.get_dst_tensor()?;
    dst.elements_mut::<i32>(q7)?.set(0, 1);
    let mut other = q7.empty(Dtype::I32, &[3])?;
    other.elements_mut::<i32>(q7)?.set(0, 7);
    Ok(other)
}

/// A table entry that no macro writes.
static NEITHER: Op =
    Op::new(c"neither", Source { file: file!(), line: line!() }, &[], Form::Returning, None, |_| Ok(()));

fn dense() -> ArgDescriptor {
    let record =
        ArgRecord::new(HbmAddr::new(OUTPUT), Dtype::I32, &Layout::contiguous(&[100]).unwrap()).unwrap();
    ArgDescriptor { record, view: None }
}

/// Every second element.
fn strided() -> ArgDescriptor {
    let layout = Layout::contiguous(&[200]).unwrap().slice(0, 0, 200, 2).unwrap();
    ArgDescriptor { view: Some(ViewExtension::new(&layout, 200)), ..dense() }
}

/// Runs the op on a core with this pool of TCM and this output.
fn run(op: &Op, pool: u32, output: ArgDescriptor) -> Rig {
    let mut rig = Rig::new(pool, Timing::AtOnce);
    rig.destination = Some(output);
    rig.wants = Wants::Runs;
    Q7::enter(&mut rig, |q7| op.launch(q7)).unwrap();
    assert_eq!(rig.faults(), []);
    rig
}

/// The output: `step` elements of storage from one to the next.
fn output(rig: &Rig, step: u64) -> Vec<i32> {
    let element = |index: u64| {
        let native = rig.native(OUTPUT + 4 * index * step, 4).unwrap().cast::<i32>();
        // SAFETY: four bytes of the rig's memory, at a multiple of four, that nothing else uses now.
        unsafe { native.read() }
    };
    (0..100).map(element).collect()
}

fn copies(rig: &Rig) -> CopyCounters {
    rig.counters.unwrap().copies
}

fn whole() -> Vec<i32> {
    (1..=100).collect()
}

fn names(rig: &Rig) -> Vec<&'static str> {
    rig.calls
        .iter()
        .map(|call| match call {
            Call::Map(_) => "map",
            Call::Fence => "fence",
            Call::Ring(Doorbell::M2s, _) => "M2S",
            Call::Ring(Doorbell::S2m, _) => "S2M",
            Call::Poll => "poll",
            Call::Drain => "drain",
            Call::Print(_) => "print",
            Call::FlushConsole => "flush",
            Call::Fault(_) => "fault",
        })
        .collect()
}

#[test]
fn kernel_then_bounce_then_fence() {
    let rig = run(op!(counted), 16 << 10, dense());
    assert_eq!(output(&rig, 1), whole());
    let kernel = ["fence", "map", "fence"];
    let copy = ["fence", "fence", "M2S", "S2M"];
    let expected = [&kernel[..], &copy, &copy, &["fence"]].concat();
    assert_eq!(names(&rig), expected);
}

#[test]
fn the_console_is_flushed_after_the_kernel_and_before_the_last_fence_whether_it_returned_or_failed() {
    let rig = |console| {
        let rig = Rig::new(16 << 10, Timing::AtOnce);
        let mut rig = if console { rig.with_console() } else { rig };
        rig.destination = Some(dense());
        rig
    };
    let end = ["print", "flush", "fence"];
    for op in [op!(prints), op!(fails)] {
        let mut core = rig(true);
        let _ = Q7::enter(&mut core, |q7| op.launch(q7));
        assert!(names(&core).ends_with(&end), "{op:?}: {:?}", names(&core));
        let mut core = rig(false);
        let _ = Q7::enter(&mut core, |q7| op.launch(q7));
        assert!(!names(&core).iter().any(|name| ["print", "flush"].contains(name)));
    }
}

#[test]
fn the_bounce_buffer_is_as_large_as_there_is_room_and_need() {
    for (pool, len, tiles) in [(16 << 10, 100, 1), (400, 100, 1), (256, 64, 2), (72, 18, 6), (4, 1, 100)] {
        let rig = run(op!(counted), pool, dense());
        assert_eq!(output(&rig, 1), whole(), "{pool}");
        let copies = copies(&rig);
        assert_eq!((copies.dma_calls, copies.bytes_in, copies.bytes_out), (2 * tiles, 400, 400), "{pool}");
        assert_eq!((copies.unstaged_returns, copies.tcm_peak), (0, 4 * len), "{pool}");
        let given_back = rig.events.iter().filter(|event| matches!(event, Staged::Freed { .. })).count();
        assert_eq!(given_back, 1);
    }
}

#[test]
fn exactly_the_parts_that_were_written_are_copied() {
    let rig = run(op!(parts), 16 << 10, dense());
    let expected: Vec<_> = (0..100).map(|i| if i % 40 < 20 { i + 1 } else { 0 }).collect();
    assert_eq!(output(&rig, 1), expected);
    assert_eq!((copies(&rig).dma_calls, copies(&rig).bytes_out, copies(&rig).tcm_peak), (6, 240, 80));
    assert_eq!(output(&run(op!(tail), 16 << 10, dense()), 1), whole());
    let nothing = run(op!(untouched), 16 << 10, dense());
    assert_eq!(copies(&nothing), CopyCounters::NONE);
    assert!(matches!(nothing.returned[..], [Returned::Copied { output, .. }] if output.get() == OUTPUT));
}

#[test]
fn where_nothing_can_be_staged_elements_are_copied_one_by_one_and_that_is_counted() {
    for (pool, descriptor, step) in [(0, dense(), 1), (3, dense(), 1), (16 << 10, strided(), 2)] {
        let rig = run(op!(counted), pool, descriptor);
        assert_eq!(output(&rig, step), whole());
        assert_eq!(copies(&rig), CopyCounters { unstaged_returns: 1, ..CopyCounters::NONE });
        assert_eq!(rig.calls.last(), Some(&Call::Fence));
    }
}

#[test]
fn whoever_took_the_destination_returns_nothing_else() {
    let rig = run(op!(in_place), 16 << 10, dense());
    assert_eq!((output(&rig, 1)[7], &rig.returned[..]), (70, &[][..]));
    assert_eq!(copies(&rig), CopyCounters::NONE);

    let rig = run(op!(both), 16 << 10, dense());
    assert_eq!(output(&rig, 1)[..2], [1, 0]);
    let [Returned::Ignored { argument: "scratch", storage: Rig::SCRATCH, taken }] = rig.returned[..] else {
        panic!("{:?}", rig.returned)
    };
    assert!(taken.file().ends_with("tests.rs"), "{taken}");
}

#[test]
fn an_entry_that_does_neither_is_told() {
    let rig = run(&NEITHER, 16 << 10, dense());
    assert_eq!(rig.returned, [Returned::Undefined]);
    assert_eq!(rig.calls, []);
}
