//! The heap of a core's scratch: what an author is told when there is no room, and what is left when an op fails.

use neuron_device::prelude::*;
use neuron_device::{ErrorKind, HeapName};
use neuron_host_sim::{FaultKind, HostTensor, Outcome, Severity, Simulator, args};

/// Takes the scratch, of 64 KiB, in eight blocks, gives every second one back, and wants one larger than each.
#[custom_op]
fn fragments(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = (x, out);
    let small = q7.empty(Dtype::F32, &[32])?;
    let blocks: [_; 7] = std::array::from_fn(|_| {
        // SAFETY: not used.
        unsafe { q7.neuron_hbm_allocate(8 << 10, 64) }
    });
    for block in blocks.into_iter().step_by(2) {
        // SAFETY: not used.
        unsafe { q7.neuron_hbm_free(block?) };
    }
    let large = q7.empty(Dtype::F32, &[4 << 10])?;
    assert_eq!(small.numel(), large.numel());
    Ok(())
}

/// D22: asked, free, the largest hole, the lines that hold the rest, and whether it is in pieces.
#[test]
fn d22_who_has_no_room_is_told_who_has_it() {
    for cores in [1, 8] {
        let mut sim = Simulator::builder().cores(cores).scratch(64 << 10).build().unwrap();
        let x = HostTensor::zeros(Dtype::F32, &[8]).unwrap();
        let report = sim.launch(op!(fragments), &args![&x]).unwrap();
        for core in report.cores() {
            let Outcome::Failed(error) = &core.outcome else { panic!("{report}") };
            let ErrorKind::HeapExhausted { heap, state } = error.kind() else { panic!("{error}") };
            assert_eq!((*heap, error.argument()), (HeapName::HbmScratch, Some("scratch")));
            assert_eq!((state.asked(), state.align(), state.pool()), (16 << 10, 64, 64 << 10));
            assert_eq!((state.free(), state.largest()), ((64 << 10) - (3 * 8192 + 128), 16256));
            assert!(state.is_fragmented());
            let held: Vec<_> = state.holders().map(|line| (line.blocks, line.bytes)).collect();
            assert_eq!(held, [(3, 3 * 8192), (1, 128)]);
            let file = file!();
            let words = format!(
                "`scratch` needs 16384 bytes at a multiple of 64 in the core's HBM scratch, which is fragmented: 40832 of \
                 65536 bytes are free, the largest hole has room for 16256; in use are 24576 bytes in 3 blocks from \
                 {file}:14:21, 128 bytes in 1 block from {file}:11:20: give back what is not needed any more, or work in \
                 smaller pieces (at {file}:20:20)"
            );
            assert_eq!(error.to_string(), words);
        }
        // What was not given back when the op failed is told too.
        let leaks: Vec<_> = report.faults().iter().filter(|fault| fault.kind() == FaultKind::Leak).collect();
        let [leak] = leaks[..] else { panic!("{report}") };
        assert_eq!((leak.severity, leak.count), (Severity::Warning, 3 * u64::from(cores)));
        assert_eq!(leak.lines[0].site.line(), 14);
    }
}

/// One tensor larger than the scratch: nothing is in use, and nothing is in pieces.
#[custom_op]
fn too_large(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = (x, out);
    q7.empty(Dtype::F32, &[1 << 20]).map(|_| ())
}

#[test]
fn what_is_larger_than_all_is_exhausted() {
    let mut sim = Simulator::builder().cores(1).scratch(4096).build().unwrap();
    let x = HostTensor::zeros(Dtype::F32, &[8]).unwrap();
    let report = sim.launch(op!(too_large), &args![&x]).unwrap();
    let text = report.to_string();
    assert!(
        text.contains("exhausted: 4096 of 4096 bytes are free, the largest hole has room for 4096: "),
        "{text}"
    );
}

/// More tensors than a heap has descriptors: the last one that fits takes all that is left.
#[custom_op]
fn one_too_many(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = (x, out);
    for _ in 0..33 {
        q7.empty(Dtype::I8, &[1])?;
    }
    Ok(())
}

#[test]
fn the_thirty_third_tensor_has_no_descriptor() {
    let mut sim = Simulator::builder().cores(1).build().unwrap();
    let x = HostTensor::zeros(Dtype::F32, &[8]).unwrap();
    let text = sim.launch(op!(one_too_many), &args![&x]).unwrap().to_string();
    let words = "exhausted: 0 of 67108864 bytes are free, the largest hole has room for 0, and all 32 block descriptors \
                 are in use; in use are 67108864 bytes in 32 blocks from ";
    assert!(text.contains(words), "{text}");
}

/// Alignments and sizes that are none.
#[custom_op]
fn bad_requests(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = (x, out);
    // SAFETY: refused.
    let nothing = unsafe { q7.neuron_hbm_allocate(0, 64) }.unwrap_err();
    assert_eq!(nothing.kind(), &ErrorKind::EmptyBlock { heap: HeapName::HbmScratch });
    // SAFETY: refused.
    let crooked = unsafe { q7.neuron_hbm_allocate(64, 48) }.unwrap_err();
    assert_eq!(crooked.kind(), &ErrorKind::BadAlignment { align: 48 });
    Err(crooked)
}

#[test]
fn what_no_heap_can_give_is_refused() {
    let mut sim = Simulator::builder().cores(1).build().unwrap();
    let x = HostTensor::zeros(Dtype::F32, &[8]).unwrap();
    let report = sim.launch(op!(bad_requests), &args![&x]).unwrap();
    let Outcome::Failed(error) = &report.cores()[0].outcome else { panic!("{report}") };
    let words = "`neuron_hbm_allocate` asks for a multiple of 48 bytes, but an alignment is a power of two, such as 64 (at ";
    assert!(error.to_string().starts_with(words), "{error}");
}
