use std::vec::Vec;

use super::*;
use crate::port::fault::Fault;
use crate::port::rig::{Call, Rig, Timing, numbered, tensor};
use crate::words::layout::Layout;

const POOL: u32 = 16 << 10;

fn numbers(q7: &Q7, len: u32) -> Tensor {
    let mut x = tensor::<i32>(q7, Rig::SCRATCH, Layout::contiguous(&[len]).unwrap());
    let dst = x.elements_mut::<i32>(q7).unwrap();
    (0..len.into()).for_each(|i| dst.set(i, numbered(i)));
    x
}

/// The engine is told at once, and asked when the copy is waited for.
#[test]
fn a_copy_goes_on_until_it_is_waited_for() {
    let mut rig = Rig::new(POOL, Timing::AtPoll);
    Q7::enter(&mut rig, |q7| -> Result<()> {
        let x = numbers(q7, 8);
        let first = x.tensor_to_tcm_async(q7, Span { offset: 0, len: 4 }, q7.tcm_malloc::<i32>(4)?)?;
        let second = x.tensor_to_tcm_async(q7, Span { offset: 4, len: 4 }, q7.tcm_malloc::<i32>(4)?)?;
        assert_eq!(*second.wait(), [4, 5, 6, 7].map(numbered::<i32>));
        assert_eq!(*first.wait(), [0, 1, 2, 3].map(numbered::<i32>));
        Ok(())
    })
    .unwrap();
    let calls: Vec<_> = rig.calls.iter().filter(|call| matches!(call, Call::Ring(..) | Call::Poll)).collect();
    // The first was over when the second was, as the engine goes by order.
    assert!(matches!(
        calls[..],
        [Call::Ring(..), Call::Ring(..), Call::Ring(..), Call::Ring(..), Call::Poll, Call::Poll]
    ));
}

/// More than four: the oldest is waited for, and keeps what it brought.
#[test]
fn more_than_the_ring_holds() {
    for mut rig in Rig::both(POOL) {
        Q7::enter(&mut rig, |q7| -> Result<()> {
            let x = numbers(q7, 90);
            let start = |at: u64| {
                x.tensor_to_tcm_async(q7, Span { offset: 10 * at, len: 10 }, q7.tcm_malloc::<i32>(10)?)
            };
            let copies = (0..9).map(start).collect::<Result<Vec<_>>>()?;
            for (copy, at) in copies.into_iter().zip(0..9_u32).rev() {
                assert_eq!(
                    *copy.wait(),
                    std::array::from_fn::<_, 10, _>(|i| numbered::<i32>(u64::from(10 * at) + i as u64))
                );
            }
            assert_eq!(q7.tcm_largest_free(), POOL);
            Ok(())
        })
        .unwrap();
        assert_eq!((rig.faults(), rig.counters.unwrap().copies.descriptors), (Vec::new(), 9));
    }
}

/// One that is dropped keeps its block, so that what the engine writes late is nobody else's.
#[test]
fn a_dropped_copy_keeps_its_block() {
    for mut rig in Rig::both(POOL) {
        Q7::enter(&mut rig, |q7| -> Result<()> {
            let mut x = numbers(q7, 2048);
            drop(x.tensor_to_tcm_async(q7, Span { offset: 0, len: 1024 }, q7.tcm_malloc::<i32>(1024)?)?);
            drop(x.tcm_to_tensor_async(q7, 1024, q7.tcm_malloc::<i32>(1024)?.filled_with(5))?);
            assert_eq!(q7.tcm_largest_free(), POOL / 2);
            let mut other = q7.tcm_malloc::<i32>(1024)?;
            other.fill(3);
            // The copies are over when a later one is, and touched nothing of it.
            let mut last = q7.tcm_malloc::<i32>(1)?;
            x.tensor_to_tcm(q7, Span { offset: 1024, len: 1 }, &mut last)?;
            x.tcm_to_tensor(q7, 0, &[3; 0])?;
            assert_eq!(x.elements::<i32>(q7)?.get(2047), 5);
            assert!(other.write_from([3; 1024]).iter().all(|&v| v == 3));
            Ok(())
        })
        .unwrap();
        assert_eq!(rig.faults(), []);
    }
}

/// What does not begin gives its buffer back; what begins in part waits for that part, and the rest is poison.
#[test]
fn refused_and_cut_copies() {
    for mut rig in Rig::both(POOL) {
        Q7::enter(&mut rig, |q7| -> Result<()> {
            let mut x = numbers(q7, 6);
            let columns = x.reshape(&[2, 3])?.transpose(0, 1)?;
            let all = Span { offset: 0, len: 6 };
            assert!(columns.tensor_to_tcm_async(q7, all, q7.tcm_malloc::<i32>(6)?).is_err());
            assert!(columns.clone().tcm_to_tensor_async(q7, 0, q7.tcm_malloc(6)?.filled_with(1)).is_err());
            assert!(x.tensor_to_tcm_async(q7, all, q7.tcm_malloc::<i32>(5)?).is_err());
            assert!(x.tensor_to_tcm_async(q7, all, q7.tcm_malloc::<f32>(6)?).is_err());
            assert_eq!(q7.tcm_largest_free(), POOL);
            let cut = x.tensor_to_tcm_async(q7, Span { offset: 4, len: 4 }, q7.tcm_malloc::<i32>(4)?)?.wait();
            assert_eq!(*cut, [numbered(4), numbered(5), i32::POISON, i32::POISON]);
            let cut = x.tcm_to_tensor_async(q7, 5, cut)?.wait();
            assert_eq!(cut.len(), 4);
            assert_eq!(x.elements::<i32>(q7)?.get(5), numbered::<i32>(4));
            let beyond =
                x.tensor_to_tcm_async(q7, Span { offset: 9, len: 2 }, q7.tcm_malloc::<i32>(2)?)?.wait();
            assert_eq!(*beyond, [i32::POISON; 2]);
            Ok(())
        })
        .unwrap();
        let counts: Vec<_> = rig
            .faults()
            .iter()
            .map(|fault| match fault {
                Fault::OutOfBounds(fault) => (fault.access, fault.count),
                _ => panic!("{fault:?}"),
            })
            .collect();
        assert_eq!(counts, [(Access::Read, 2), (Access::Write, 3), (Access::Read, 2)]);
    }
}

/// No memory there: said at the wait, and the buffer comes back.
#[test]
fn a_copy_without_memory_is_said_at_the_wait() {
    for mut rig in Rig::both(POOL).map(|rig| rig.failing([0])) {
        let line = Q7::enter(&mut rig, |q7| -> Result<u32> {
            let x = numbers(q7, 4);
            let copy = x.tensor_to_tcm_async(q7, Span { offset: 1, len: 2 }, q7.tcm_malloc::<i32>(2)?)?;
            let line = line!() + 1;
            let tile = copy.wait();
            assert_eq!((tile.len(), tile.into_buf().len()), (2, 2));
            assert_eq!(q7.tcm_largest_free(), POOL);
            Ok(line)
        })
        .unwrap();
        let faults = rig.faults();
        let [Fault::NoMemory { addr, site }] = faults[..] else { panic!("{faults:?}") };
        assert_eq!((addr.get(), site.line()), (Rig::SCRATCH.get() + 4, line));
    }
}

/// A panic while copies are under way: whose waiting is over gives its block back, whose is not keeps it.
#[test]
fn copies_under_way_while_a_panic_unwinds() {
    let mut rig = Rig::new(POOL, Timing::AtPoll);
    Q7::enter(&mut rig, |q7| {
        let x = numbers(q7, 2048);
        let kernel = || -> Result<()> {
            let half = Span { offset: 0, len: 1024 };
            let _pending = x.tensor_to_tcm_async(q7, half, q7.tcm_malloc::<i32>(1024)?)?;
            let _over = x.tensor_to_tcm_async(q7, half, q7.tcm_malloc::<i32>(1024)?)?.wait();
            panic!("on purpose");
        };
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(kernel)).is_err());
        assert_eq!(q7.tcm_largest_free(), 12 << 10);
    });
}
