use std::panic::{AssertUnwindSafe, catch_unwind};
use std::vec::Vec;

use super::*;
use crate::port::fault::Fault;
use crate::port::observe::{Staged, Wants};
use crate::port::rig::{Rig, Timing, tensor};
use crate::words::layout::Layout;
use crate::{CopyMethod, prelude::*};

const POOL: u32 = 16 << 10;

/// Whatever goes wrong, blocks go back: on an error, on a panic, in any order.
#[test]
fn buffers_go_back() {
    let mut rig = Rig::new(POOL, Timing::AtOnce);
    Q7::enter(&mut rig, |q7| {
        let fails = |panics: bool| -> Result<()> {
            let first = q7.tcm_malloc::<f32>(1000)?;
            let tile = q7.tcm_malloc::<i8>(100)?.filled_with(3);
            let _third = q7.tcm_malloc::<i64>(1000)?;
            drop(first);
            assert!(!panics, "on purpose");
            assert_eq!(tile[99], 3);
            // 4032 and 4224 bytes are free: a hole before the tile, and what is behind the third.
            q7.tcm_malloc::<u8>(5000).map(drop)
        };
        let text = std::format!("{}", fails(false).unwrap_err());
        assert!(text.contains("5000 bytes") && text.contains("fragmented"), "{text}");
        assert!(catch_unwind(AssertUnwindSafe(|| fails(true))).is_err());
        assert_eq!(q7.tcm_largest_free(), POOL);
    });
    assert_eq!(rig.counters.unwrap().copies.tcm_peak, 4032 + 128 + 8000);
}

#[test]
fn lengths_that_cannot_be_had() {
    for pool in [0, 64, POOL] {
        let mut rig = Rig::new(pool, Timing::AtOnce);
        Q7::enter(&mut rig, |q7| {
            for len in [0, pool / 8 + 1, u32::MAX] {
                let error = q7.tcm_malloc::<i64>(len).unwrap_err();
                assert!(error.site().file().ends_with("tcm/tests.rs"), "{error}");
            }
            assert_eq!(q7.tcm_malloc::<i64>(pool / 8).is_ok(), pool > 0);
            assert_eq!(q7.tcm_largest_free(), pool);
        });
    }
}

/// A buffer of 31 others: blocks and holes share 32 descriptors, and the last block gets all that is left.
#[test]
fn there_are_as_many_blocks_as_descriptors() {
    let mut rig = Rig::new(POOL, Timing::AtOnce);
    Q7::enter(&mut rig, |q7| {
        let kept: Vec<_> = (0..32).map(|_| q7.tcm_malloc::<u8>(1).unwrap()).collect();
        assert!(q7.tcm_malloc::<u8>(1).is_err(), "the last one holds the rest");
        drop(kept);
        assert_eq!(q7.tcm_largest_free(), POOL);
    });
}

/// A tile is a slice of what was written, as often as one likes; what a short iterator did not write is not in it.
#[test]
fn slices_hold_what_was_written() {
    let mut rig = Rig::new(POOL, Timing::AtOnce);
    Q7::enter(&mut rig, |q7| -> Result<()> {
        let mut buffer = q7.tcm_malloc::<i16>(5)?;
        assert_eq!(buffer.write_from([1, 2, 3]), [1, 2, 3]);
        assert_eq!(buffer.write_from(10..), [10, 11, 12, 13, 14]);
        assert_eq!(buffer.write_from([]), []);
        assert_eq!(buffer.fill(7), [7; 5]);
        let mut tile = buffer.filled_with(9);
        tile[4] = 8;
        assert_eq!(*tile, [9, 9, 9, 9, 8]);
        let at = tile.addr();
        let buffer = tile.into_buf();
        assert_eq!((buffer.addr(), buffer.len()), (at, 5));
        Ok(())
    })
    .unwrap();
}

/// No elements, or none there: no copy, no doorbell, no translation, by any method.
#[test]
fn nothing_is_transferred_for_nothing() {
    for method in [CopyMethod::CMemcpy, CopyMethod::VecMemcpy, CopyMethod::Dma] {
        let mut rig = Rig::new(POOL, Timing::AtPoll);
        rig.wants = Wants::Runs;
        Q7::enter(&mut rig, |q7| -> Result<()> {
            q7.set_memcpy_method(method);
            let mut empty = tensor::<f32>(q7, Rig::SCRATCH, Layout::contiguous(&[3, 0]).unwrap());
            let mut x = tensor::<f32>(q7, Rig::SCRATCH, Layout::contiguous(&[4]).unwrap());
            let mut buffer = q7.tcm_malloc::<f32>(4)?;
            let none = |offset| Span { offset, len: 0 };
            assert_eq!(empty.tensor_to_tcm(q7, none(0), &mut buffer)?, []);
            assert_eq!(x.tensor_to_tcm(q7, none(2), &mut buffer)?, []);
            assert_eq!(x.strided_to_tcm(q7, none(4), &mut buffer)?, []);
            empty.tcm_to_tensor::<f32>(q7, 0, &[])?;
            x.tcm_to_tensor(q7, 4, buffer.write_from([]))?;
            x.tcm_to_strided(q7, 0, buffer.write_from([]))?;
            let read = x.tensor_to_tcm_async(q7, none(1), buffer)?.wait();
            assert!(read.is_empty());
            assert!(x.tcm_to_tensor_async(q7, 1, read)?.wait().is_empty());
            assert_eq!(empty.read_stream_accessor::<f32>(q7, ..)?.next(), None);
            empty.write_stream_accessor::<f32>(q7, ..)?.close();
            // SAFETY: no byte is copied.
            unsafe { q7.neuron_memcpy(crate::Dataram::BASE, x.q7_data_ptr::<f32>()?, 0) }
        })
        .unwrap();
        assert_eq!(rig.calls, []);
        assert!(!rig.events.iter().any(|event| matches!(event, Staged::Copied(_))));
        let counters = rig.counters.unwrap();
        let copies = crate::CopyCounters { tcm_peak: 16, ..crate::CopyCounters::NONE };
        assert_eq!(counters, crate::Counters { copies, ..crate::Counters::default() });
    }
}

/// A block that was given back by hand is none when its owner drops it; the pool is as it should be.
#[test]
fn a_block_freed_by_hand_is_a_fault_once() {
    let mut rig = Rig::new(POOL, Timing::AtOnce);
    Q7::enter(&mut rig, |q7| -> Result<()> {
        let block = q7.neuron_dataram_allocate(100, 4)?;
        for at in [block, block, NxAddr::new(0)] {
            // SAFETY: nothing uses the block, and where there is none nothing is given back.
            unsafe { q7.neuron_dataram_free(at) }
        }
        assert_eq!(q7.tcm_largest_free(), POOL);
        Ok(())
    })
    .unwrap();
    let faults = rig.faults();
    assert!(matches!(faults[..], [Fault::BadFree { .. }, Fault::BadFree { addr: 0, .. }]), "{faults:?}");
}
