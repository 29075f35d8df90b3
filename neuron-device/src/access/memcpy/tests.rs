use std::vec::Vec;

use super::*;
use crate::port::dataram::Dataram;
use crate::port::rig::{Call, Rig, Timing, numbered};
use crate::{Counters, WindowCounters};

const METHODS: [CopyMethod; 3] = [CopyMethod::CMemcpy, CopyMethod::VecMemcpy, CopyMethod::Dma];

/// What no copy may touch holds this.
const UNTOUCHED: u8 = 0xEE;

/// Bytes on either side of a copy that are looked at.
const MARGIN: usize = 64;

/// The device's table: hits, misses and evictions of accesses in this order.
fn counted(addrs: impl IntoIterator<Item = u64>) -> [WindowCounters; 3] {
    let (mut shows, mut cursor, mut counters) = ([None; 3], 0, [WindowCounters::default(); 3]);
    for window in addrs.into_iter().map(|addr| addr / crate::WINDOW_BYTES) {
        if let Some(record) = shows.iter().position(|&shown| shown == Some(window)) {
            counters[record].hits += 1;
            continue;
        }
        counters[cursor].misses += 1;
        counters[cursor].evictions += u64::from(shows[cursor].is_some());
        shows[cursor] = Some(window);
        cursor = (cursor + 1) % 3;
    }
    counters
}

/// Bytes with a margin of both sides, as slices of the rig's memory.
///
/// # Safety
/// They are the rig's, and nobody else uses them as long as the slice does.
unsafe fn around<'a>(native: *mut u8, bytes: usize) -> &'a mut [u8] {
    // SAFETY: the caller's.
    unsafe { core::slice::from_raw_parts_mut(native.wrapping_sub(MARGIN), bytes + 2 * MARGIN) }
}

/// Where a copy goes, and where it comes from.
fn ends(inwards: bool, local: NxAddr, hbm: Q7Ptr<u8>) -> (CopyEnd, CopyEnd) {
    if inwards { (local.into(), hbm.into()) } else { (hbm.into(), local.into()) }
}

/// Copy `bytes` bytes either way, and look at what is there, and around it.
fn there_and_back(q7: &Q7, native: [*mut u8; 2], hbm: u64, local: u32, bytes: usize) {
    let pointer = Q7Ptr::<u8>::new(HbmAddr::new(hbm));
    let nx = NxAddr::new(Dataram::BASE.get() + local);
    let source = &SOURCE.with(|source| source.clone())[bytes % 31..][..bytes];
    let of_hbm = || {
        // SAFETY: the rig's HBM reaches further than that, and no copy is under way.
        unsafe { around(native[0], bytes) }
    };
    let of_tcm = || {
        // SAFETY: so does its TCM.
        unsafe { around(native[1], bytes) }
    };
    for inwards in [true, false] {
        let (from, to) = if inwards { (of_hbm(), of_tcm()) } else { (of_tcm(), of_hbm()) };
        from[MARGIN..MARGIN + bytes].copy_from_slice(source);
        to.fill(UNTOUCHED);
        let (there, here) = ends(inwards, nx, pointer);
        // SAFETY: the block is the whole pool, the HBM the rig's; the slices above are not used meanwhile.
        unsafe { q7.neuron_memcpy(there, here, bytes as u32).unwrap() }
        let to = if inwards { of_tcm() } else { of_hbm() };
        let (before, rest) = to.split_at(MARGIN);
        let (copied, behind) = rest.split_at(bytes);
        assert!(copied == source, "{bytes} bytes at {hbm:#x}, {local:#x}, inwards {inwards}");
        assert!(
            before == [UNTOUCHED; MARGIN] && behind == [UNTOUCHED; MARGIN],
            "{bytes} bytes at {hbm:#x}, {local:#x}, inwards {inwards}: a neighbour"
        );
    }
}

std::thread_local! {
    static SOURCE: std::rc::Rc<Vec<u8>> =
        std::rc::Rc::new((0..(64 << 10) + 64).map(numbered::<u8>).collect());
}

/// Every size up to the pool, by every method, at alignments 0 to 7 on both sides (all 64 pairs of small sizes, eight of each
/// larger one), across a window edge: the bytes are there, and their neighbours are what they were. The counters are those
/// of the device's table: a copy translates once in each window it touches, DMA never.
fn sweep(pool: u32, sizes: impl Iterator<Item = u32> + Clone) {
    for method in METHODS {
        for mut rig in Rig::both(pool) {
            if method != CopyMethod::Dma && rig.timing() == Timing::AtPoll {
                // Who copies itself never asks the engine.
                continue;
            }
            let natives = |hbm: u64, local: u32| [rig.native(hbm, 1).unwrap(), rig.tcm(local)];
            let places: Vec<(u32, u64, u32, [*mut u8; 2])> = sizes
                .clone()
                .flat_map(|bytes| {
                    let all = if bytes <= 40 || bytes % 4096 == 1 { 64 } else { 8 };
                    (0..all).map(move |pair| {
                        let other = if all == 64 { pair / 8 } else { pair * 3 + bytes };
                        (bytes, u64::from(pair % 8), other % 8)
                    })
                })
                .map(|(bytes, off_hbm, off_local)| {
                    let hbm = ((Rig::EDGE - u64::from(bytes / 2)) & !7) + off_hbm;
                    let local = off_local.min(pool - bytes);
                    (bytes, hbm, local, natives(hbm, local))
                })
                .collect();
            Q7::enter(&mut rig, |q7| -> Result<()> {
                q7.set_memcpy_method(method);
                q7.neuron_dataram_allocate(pool, 64)?;
                for &(bytes, hbm, local, native) in &places {
                    there_and_back(q7, native, hbm, local, bytes as usize);
                }
                Ok(())
            })
            .unwrap();
            assert_eq!(rig.faults(), []);
            let made = places.iter().filter(|&&(bytes, ..)| bytes > 0);
            let counters = rig.counters.unwrap();
            assert_counted(&counters, method, made.map(|&(bytes, hbm, _, _)| (hbm, bytes)));
        }
    }
}

#[track_caller]
fn assert_counted(counters: &Counters, method: CopyMethod, made: impl Iterator<Item = (u64, u32)> + Clone) {
    let bytes: u64 = made.clone().map(|(_, bytes)| u64::from(bytes)).sum();
    let copies = 2 * made.clone().count() as u64;
    let found = counters.copies;
    assert_eq!((found.bytes_in, found.bytes_out), (bytes, bytes));
    let translated = made.flat_map(|(hbm, bytes)| {
        let last = hbm + u64::from(bytes) - 1;
        let pieces = [Some(hbm), (hbm < Rig::EDGE && last >= Rig::EDGE).then_some(Rig::EDGE)];
        [pieces, pieces].into_iter().flatten().flatten()
    });
    if method == CopyMethod::Dma {
        assert_eq!((found.dma_calls, found.descriptors, found.core_copies), (copies, copies, 0));
        assert_eq!(counters.translations(), 0);
    } else {
        assert_eq!((found.dma_calls, found.descriptors, found.core_copies), (0, 0, copies));
        assert_eq!(counters.windows[..3], counted(translated));
    }
    assert_eq!((counters.loads, counters.stores), (0, 0));
}

#[test]
fn every_size_at_every_alignment_across_a_window_edge() {
    sweep(16 << 10, 0..=16 << 10);
}

/// A pool that is the whole 64 KiB: every 61st size, and those around the powers of two.
#[test]
fn a_pool_of_the_whole_dataram() {
    let around = (12..=16).flat_map(|power| (1_u32 << power) - 9..=(1 << power));
    let sizes: Vec<u32> = (0..64 << 10).step_by(61).chain(around).collect();
    sweep(64 << 10, sizes.into_iter());
}

/// The whole pool, and one byte more or one byte further: refused by every method, and nothing is called or touched.
#[test]
fn more_than_the_pool_is_refused() {
    for pool in [0, 64, 16 << 10, 64 << 10] {
        for method in METHODS {
            for (start, bytes, fits) in [
                (0, pool, true),
                (0, pool + 1, false),
                (1, pool, pool == 0),
                (pool, 1, false),
                (0, u32::MAX, false),
                (0xFFFF, u32::MAX, false),
            ] {
                let fits = fits || bytes == 0;
                for inwards in [true, false] {
                    let mut rig = Rig::new(pool, Timing::AtOnce);
                    Q7::enter(&mut rig, |q7| {
                        q7.set_memcpy_method(method);
                        let hbm = Q7Ptr::<u8>::new(Rig::SCRATCH);
                        let local = NxAddr::new(Dataram::BASE.get() + start);
                        let (to, from) = ends(inwards, local, hbm);
                        // SAFETY: the pool is nobody's.
                        unsafe { q7.neuron_memcpy(to, from, bytes).unwrap() }
                    });
                    let faults = rig.faults();
                    assert_eq!(faults.is_empty(), fits, "{bytes} bytes at {start} of {pool}: {faults:?}");
                    if fits {
                        continue;
                    }
                    let refused = if inwards { Access::Read } else { Access::Write };
                    match faults[..] {
                        [Fault::OutsideTcm { access, bytes: found, pool: of, .. }] => {
                            assert_eq!((access, found, of), (refused, bytes.into(), pool));
                        }
                        [Fault::NotInDataram { access, .. }] => {
                            assert_eq!((access, start), (refused, 64 << 10), "it is in no dataram");
                        }
                        _ => panic!("{faults:?}"),
                    }
                    assert!(rig.calls.iter().all(|call| matches!(call, Call::Fault(_))), "{:?}", rig.calls);
                    assert_eq!(rig.counters.unwrap(), Counters::default());
                }
            }
        }
    }
}

/// What the local side is not: each band of the map is told by its name.
#[test]
fn a_local_side_that_is_no_dataram_is_a_fault() {
    for method in METHODS {
        let mut rig = Rig::new(16 << 10, Timing::AtOnce);
        let bands =
            [0x0000_0040, 0x0010_0200, 0x0200_0000, 0x0700_0000, 0x8000_0000, 0x8400_0000, 0xFFFF_FFFF];
        Q7::enter(&mut rig, |q7| {
            q7.set_memcpy_method(method);
            for local in bands {
                // SAFETY: no byte is copied.
                unsafe { q7.neuron_memcpy(NxAddr::new(local), Q7Ptr::<u8>::new(Rig::SCRATCH), 4).unwrap() }
            }
            // SAFETY: as above.
            unsafe { q7.neuron_memcpy(Dataram::BASE, Q7Ptr::<u8>::null(), 4).unwrap() }
        });
        let faults = rig.faults();
        for (fault, wanted) in faults.iter().zip(bands) {
            assert!(matches!(fault, Fault::NotInDataram { local, .. } if local.get() == wanted), "{fault:?}");
        }
        assert!(matches!(faults[bands.len()..], [Fault::NullPointer { access: Access::Read, .. }]));
        assert_eq!(rig.counters.unwrap(), Counters::default());
    }
}

/// Where HBM ends: by windows what is there is copied, by DMA nothing; one fault either way, for each piece too.
#[test]
fn no_memory_is_one_fault_by_every_method() {
    let end = Rig::EDGE + Rig::SIDE;
    for method in METHODS {
        for inwards in [true, false] {
            let mut rig = Rig::new(16 << 10, Timing::AtOnce);
            Q7::enter(&mut rig, |q7| {
                q7.set_memcpy_method(method);
                for start in [end - 8, end, end + crate::WINDOW_BYTES, 0x40] {
                    let hbm = Q7Ptr::<u8>::new(HbmAddr::new(start));
                    let (to, from) = ends(inwards, Dataram::BASE, hbm);
                    // SAFETY: the pool is nobody's.
                    unsafe { q7.neuron_memcpy(to, from, 16).unwrap() }
                }
            });
            let faults = rig.faults();
            assert_eq!(faults.len(), 4, "{method:?}: {faults:?}");
            assert!(faults.iter().all(|fault| matches!(fault, Fault::NoMemory { .. })), "{faults:?}");
        }
    }
}

#[test]
fn accesses_to_tcm_by_local_address_are_counted() {
    let mut rig = Rig::new(4096, Timing::AtOnce);
    Q7::enter(&mut rig, |q7| {
        let block = q7.neuron_dataram_allocate(64, 4).unwrap();
        for element in 0..3 {
            // SAFETY: elements of a block of 64 bytes, which nothing else uses.
            unsafe { q7.store_nx(NxAddr::new(block.get() + 4 * element), element as i32) }
        }
        // SAFETY: as above.
        assert_eq!(unsafe { q7.load_nx::<i32>(NxAddr::new(block.get() + 8)) }, 2);
        // SAFETY: past the pool, which is a fault and no access.
        unsafe { q7.load_nx::<i32>(NxAddr::new(Dataram::BASE.get() + 4096)) };
    });
    let copies = rig.counters.unwrap().copies;
    assert_eq!((copies.tcm_loads, copies.tcm_stores, rig.faults().len()), (1, 3, 1));
}
