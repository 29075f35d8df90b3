use std::vec;
use std::vec::Vec;

use super::*;
use crate::policy::ring::Descriptor;
use crate::port::observe::Wants;
use crate::port::rig::{Call, Rig, Timing, numbered, tensor};
use crate::words::layout::Layout;
use crate::{CopyEnd, Span, prelude::*};

const POOL: u32 = 16 << 10;

/// The pairs of a copy, in phase `phase`.
fn pair(bytes: u64, from: u64, to: u64, phase: bool) -> (Descriptor, Descriptor) {
    (Descriptor::new(bytes, from, phase), Descriptor::new(bytes, to, phase))
}

/// What is called to have pairs moved.
fn rung(pairs: &[(Descriptor, Descriptor)]) -> [Call; 4] {
    [
        Call::Fence,
        Call::Fence,
        Call::Ring(Doorbell::M2s, pairs.to_vec()),
        Call::Ring(Doorbell::S2m, pairs.to_vec()),
    ]
}

/// What nobody waited for is moved when the op has returned, be it an error.
#[test]
fn what_is_pending_is_drained() {
    for awaited in [true, false] {
        let mut rig = Rig::new(POOL, Timing::AtPoll);
        let ended = Q7::enter(&mut rig, |q7| -> Result<()> {
            let mut x = tensor::<i32>(q7, Rig::SCRATCH, Layout::contiguous(&[64]).unwrap());
            let pending = x.tcm_to_tensor_async(q7, 0, q7.tcm_malloc::<i32>(4)?.filled_with(7))?;
            if awaited {
                pending.wait();
                return Ok(());
            }
            // The copy goes on without it.
            let _ = pending;
            Err(Error::message("forgotten"))
        });
        assert_eq!(ended.is_ok(), awaited);
        assert_eq!(rig.calls.contains(&Call::Drain), !awaited);
        let native = rig.native(Rig::SCRATCH.get(), 4).unwrap().cast::<i32>();
        // SAFETY: four bytes of the rig's memory, that nothing else uses now.
        assert_eq!(unsafe { native.read() }, 7);
    }
}

/// Two fences, the doorbell of the side that reads, that of the side that writes; and as many polls as the engine makes the
/// core wait for. Nothing is mapped.
#[test]
fn a_copy_fences_rings_and_polls() {
    for (timing, polls) in [(Timing::AtOnce, 0), (Timing::AtPoll, 1)] {
        let mut rig = Rig::new(POOL, timing);
        Q7::enter(&mut rig, |q7| -> Result<()> {
            let mut x = tensor::<i32>(q7, Rig::SCRATCH, Layout::contiguous(&[64]).unwrap());
            let mut buffer = q7.tcm_malloc::<i32>(16)?;
            x.tensor_to_tcm(q7, Span { offset: 5, len: 3 }, &mut buffer)?;
            x.tcm_to_tensor(q7, 9, buffer.write_from([1, 2]))
        })
        .unwrap();
        let (hbm, local) = (Rig::SCRATCH.get(), Dataram::alias(0, Dataram::BASE));
        let mut expected = Vec::new();
        for pairs in [[pair(12, hbm + 20, local, true)], [pair(8, local, hbm + 36, true)]] {
            expected.extend(rung(&pairs));
            expected.extend(vec![Call::Poll; polls]);
        }
        assert_eq!(rig.calls, expected);
        let counters = rig.counters.unwrap();
        assert_eq!(counters.translations(), 0);
        let copies = CopyCounters {
            dma_calls: 2,
            descriptors: 2,
            bytes_in: 12,
            bytes_out: 8,
            tcm_peak: 64,
            ..CopyCounters::NONE
        };
        assert_eq!(counters.copies, copies);
    }
}

/// A column of `rows` elements: a piece each.
fn column(q7: &Q7, rows: u32) -> Tensor {
    tensor::<i16>(q7, Rig::SCRATCH, Layout::strided(&[rows], &[5], 2).unwrap())
}

/// Of more pieces than the ring has slots: four are told at once, then as many as there is room for.
#[test]
fn the_ring_goes_round() {
    for rows in 1..=13_u32 {
        for mut rig in Rig::both(POOL) {
            let told = Q7::enter(&mut rig, |q7| -> Result<Vec<i16>> {
                let mut x = column(q7, rows);
                let dst = x.elements_mut::<i16>(q7)?;
                (0..rows.into()).for_each(|i| dst.set(i, numbered(i)));
                let mut buffer = q7.tcm_malloc::<i16>(rows)?;
                Ok(x.strided_to_tcm(q7, Span { offset: 0, len: rows }, &mut buffer)?.to_vec())
            })
            .unwrap();
            assert_eq!(told, (0..rows.into()).map(numbered).collect::<Vec<i16>>());
            let (mut m2s, mut s2m) = (Vec::new(), Vec::new());
            for call in &rig.calls {
                match call {
                    Call::Ring(Doorbell::M2s, pairs) => m2s.extend(pairs.clone()),
                    Call::Ring(Doorbell::S2m, pairs) => {
                        assert!((1..=4).contains(&pairs.len()));
                        s2m.extend(pairs.clone());
                    }
                    _ => {}
                }
            }
            let (hbm, local) = (Rig::SCRATCH.get() + 4, Dataram::alias(0, Dataram::BASE));
            let expected: Vec<_> = (0..u64::from(rows))
                .map(|row| pair(2, hbm + 10 * row, local + 2 * row, row / 4 % 2 == 0))
                .collect();
            assert_eq!((&m2s, &s2m), (&expected, &expected), "each pair is told once, to both sides");
            let copies = rig.counters.unwrap().copies;
            assert_eq!((copies.dma_calls, copies.descriptors), (1, rows.into()));
        }
    }
}

/// Whichever piece finds no memory, and if all do: one fault, and the core goes on.
#[test]
fn a_copy_without_memory_is_one_fault() {
    for rows in 1..=9_u32 {
        let each = (0..u64::from(rows)).map(|bad| vec![bad]);
        for bad in each.chain([(0..u64::from(rows)).collect()]) {
            for mut rig in Rig::both(POOL).map(|rig| rig.failing(bad.clone())) {
                let after = Q7::enter(&mut rig, |q7| -> Result<Vec<i16>> {
                    let mut x = column(q7, rows);
                    let dst = x.elements_mut::<i16>(q7)?;
                    (0..rows.into()).for_each(|i| dst.set(i, numbered(i)));
                    let mut buffer = q7.tcm_malloc::<i16>(rows)?;
                    x.strided_to_tcm(q7, Span { offset: 0, len: rows }, &mut buffer)?;
                    // The same again, of which all is there.
                    Ok(x.strided_to_tcm(q7, Span { offset: 0, len: rows }, &mut buffer)?.to_vec())
                })
                .unwrap();
                assert_eq!(after, (0..rows.into()).map(numbered).collect::<Vec<i16>>());
                let faults = rig.faults();
                assert!(
                    matches!(faults[..], [Fault::NoMemory { addr, .. }] if addr.get() == Rig::SCRATCH.get() + 4),
                    "{bad:?} of {rows}: {faults:?}"
                );
            }
        }
    }
}

/// Copies under way, one of which finds no memory: one fault, where that is noticed; a copy that needs its place is none
/// the worse.
#[test]
fn an_asynchronous_copy_without_memory_is_one_fault() {
    let copies = 7_u32;
    for bad in 0..u64::from(copies) {
        for waits in [true, false] {
            for mut rig in Rig::both(POOL).map(|rig| rig.failing([bad])) {
                rig.wants = Wants::Runs;
                Q7::enter(&mut rig, |q7| -> Result<()> {
                    let pointer = tensor::<i32>(q7, Rig::SCRATCH, Layout::contiguous(&[64]).unwrap());
                    let pointer = pointer.q7_data_ptr::<i32>()?;
                    let block = q7.neuron_dataram_allocate(4 * copies, 4)?;
                    let numbers: Vec<u64> = (0..copies)
                        .map(|at| {
                            let (local, hbm) =
                                (NxAddr::new(block.get() + 4 * at), pointer.add(at.into()).unwrap());
                            let (to, from): (CopyEnd, CopyEnd) = if at % 2 == 0 {
                                (local.into(), hbm.into())
                            } else {
                                (hbm.into(), local.into())
                            };
                            // SAFETY: each has an element and a place of its own, both left alone.
                            let number = unsafe { q7.neuron_memcpy_async(to, from, 4) };
                            number.unwrap().unwrap()
                        })
                        .collect();
                    assert_eq!(numbers, (0..u64::from(copies)).collect::<Vec<_>>());
                    if waits {
                        // Twice, which is as good as once.
                        numbers.iter().chain(&numbers).for_each(|&number| q7.neuron_memcpy_wait(number));
                    } else {
                        // Four more that are waited for take all places.
                        for _ in 0..4 {
                            // SAFETY: as above.
                            unsafe { q7.neuron_memcpy(block, pointer, 4)? }
                        }
                    }
                    Ok(())
                })
                .unwrap();
                let faults = rig.faults();
                let [Fault::NoMemory { addr, .. }] = faults[..] else { panic!("{bad}: {faults:?}") };
                assert_eq!(addr.get(), Rig::SCRATCH.get() + 4 * bad);
            }
        }
    }
}

#[test]
fn a_wait_for_no_copy_is_a_fault() {
    let mut rig = Rig::new(POOL, Timing::AtOnce);
    Q7::enter(&mut rig, |q7| q7.neuron_memcpy_wait(0));
    assert!(matches!(rig.faults()[..], [Fault::NoSuchCopy { copy: 0, .. }]));
}

/// A whole window of TCM in one descriptor, whose length field is 0.
#[test]
fn sixty_four_kib_are_one_descriptor() {
    for mut rig in Rig::both(64 << 10) {
        Q7::enter(&mut rig, |q7| -> Result<()> {
            let x = tensor::<u8>(q7, Rig::SCRATCH, Layout::contiguous(&[1 << 16]).unwrap());
            let mut buffer = q7.tcm_malloc::<u8>(1 << 16)?;
            x.tensor_to_tcm(q7, Span { offset: 0, len: 1 << 16 }, &mut buffer).map(drop)
        })
        .unwrap();
        let copies = rig.counters.unwrap().copies;
        assert_eq!((copies.descriptors, copies.bytes_in, copies.tcm_peak), (1, 1 << 16, 1 << 16));
        assert_eq!(
            rig.calls[2],
            rung(&[pair(1 << 16, Rig::SCRATCH.get(), Dataram::alias(0, Dataram::BASE), true)])[2]
        );
    }
}
