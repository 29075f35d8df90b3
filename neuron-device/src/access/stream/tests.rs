mod slices;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::string::ToString;
use std::vec;
use std::vec::Vec;

use crate::port::dataram::Dataram;
use crate::port::fault::{Access, Fault};
use crate::port::observe::{Staged, Wants};
use crate::port::rig::{Rig, Timing, numbered, tensor};
use crate::words::addr::HbmAddr;
use crate::words::layout::Layout;
use crate::{Element, FlatPlatform, Tcm, prelude::*};

const POOL: u32 = 16 << 10;

/// What the storage of a tensor holds.
fn stored<T: Element>(rig: &Rig, start: u64, len: usize) -> Vec<T> {
    let native = rig.native(start, (len * size_of::<T>()) as u64).unwrap().cast::<T>();
    // SAFETY: they are in the rig's memory, aligned, and no core runs.
    (0..len).map(|at| unsafe { native.wrapping_add(at).read() }).collect()
}

/// Fill it with elements `numbered` from `first` on.
fn store<T: Element>(rig: &Rig, start: u64, len: usize, first: u64) -> Vec<T> {
    let native = rig.native(start, (len * size_of::<T>()) as u64).unwrap().cast::<T>();
    let values: Vec<T> = (0..len as u64).map(|at| numbered(first + at)).collect();
    // SAFETY: as in `stored`.
    values.iter().enumerate().for_each(|(at, value)| unsafe { native.wrapping_add(at).write(*value) });
    values
}

/// Four streams are the whole pool; the fifth goes element by element, and is right. A buffer taken before them costs the
/// fourth its own.
#[test]
fn four_streams_fill_the_pool() {
    for taken in [0, 1, 64] {
        let mut rig = Rig::new(POOL, Timing::AtOnce);
        rig.wants = Wants::Runs;
        let values = store::<i32>(&rig, Rig::SCRATCH.get(), 3000, 0);
        Q7::enter(&mut rig, |q7| -> Result<()> {
            let x = tensor::<i32>(q7, Rig::SCRATCH, Layout::contiguous(&[3000]).unwrap());
            let _kept = if taken > 0 { Some(q7.tcm_malloc::<u8>(taken)?) } else { None };
            let mut streams = Vec::new();
            for start in 0..5 {
                streams.push(x.read_stream_accessor::<i32>(q7, 100 * start..)?);
            }
            assert_eq!(q7.tcm_largest_free(), if taken == 0 { 0 } else { 4096 - 64 });
            for (stream, start) in streams.iter_mut().zip(0..) {
                assert!(stream.eq(values[100 * start..].iter().copied()));
            }
            Ok(())
        })
        .unwrap();
        let capacity = |event: &Staged| match event {
            Staged::StreamOpened { capacity, .. } => Some(*capacity),
            _ => None,
        };
        let capacities: Vec<u32> = rig.events.iter().filter_map(capacity).collect();
        let fourth = if taken == 0 { 1024 } else { 1 };
        assert_eq!(capacities, [1024, 1024, 1024, fourth, 1]);
        let counters = rig.counters.unwrap();
        let alone: u64 = if taken == 0 { 2600 } else { 2600 + 2700 };
        assert_eq!(counters.copies.unbuffered_streams, if taken == 0 { 1 } else { 2 });
        assert_eq!(counters.loads, alone, "each element of those is a load of its own");
        let copied = 4 * (3000 + 2900 + 2800 + 2700 + 2600 - alone);
        assert_eq!((counters.copies.bytes_in, counters.copies.bytes_out), (copied, 0));
        assert_eq!(counters.copies.tcm_loads, copied / 4, "and each of the others is one from TCM");
        // 2800 elements and more are three buffers, 2700 too.
        assert_eq!(counters.copies.dma_calls, if taken == 0 { 12 } else { 9 });
    }
}

/// A writer copies when its buffer is full, and what is left when it is closed; nothing of what it was not given.
#[test]
fn a_writer_copies_as_little_as_it_can() {
    for (len, given, copies) in [
        (0, 0_u32, 0),
        (1, 0, 0),
        (1, 1, 1),
        (1024, 1024, 1),
        (1025, 1024, 1),
        (1025, 1025, 2),
        (5000, 2049, 3),
    ] {
        let mut rig = Rig::new(POOL, Timing::AtPoll);
        Q7::enter(&mut rig, |q7| -> Result<()> {
            let mut y = tensor::<i32>(q7, Rig::SCRATCH, Layout::contiguous(&[len]).unwrap());
            let mut stream = y.write_stream_accessor::<i32>(q7, ..)?;
            stream.write_from((0..given).map(|at| numbered(at.into())));
            stream.close();
            stream.close();
            assert_eq!(stream.remaining(), 0);
            Ok(())
        })
        .unwrap();
        let found = rig.counters.unwrap().copies;
        assert_eq!(
            (found.dma_calls, found.descriptors, found.bytes_out),
            (copies, copies, 4 * u64::from(given))
        );
        let expected: Vec<i32> = (0..given).map(|at| numbered(at.into())).collect();
        assert_eq!(stored::<i32>(&rig, Rig::SCRATCH.get(), given as usize), expected);
    }
}

/// An error, or a panic, of the kernel: what was written before is there, and every buffer is given back.
#[test]
fn streams_are_closed_while_a_panic_unwinds() {
    for panics in [false, true] {
        let (mut memory, mut tcm) = (vec![0_u64; 4096], Tcm::new());
        let mut core = FlatPlatform::new(0, 1, &mut memory).with_tcm(&mut tcm);
        Q7::enter(&mut core, |q7| -> Result<()> {
            let (mut x, mut y) = (q7.empty(Dtype::I32, &[2000])?, q7.empty(Dtype::I32, &[2000])?);
            x.write_stream_accessor::<i32>(q7, ..)?.write_from(0..2000);
            y.write_stream_accessor::<i32>(q7, ..)?.write_from([0; 2000]);
            let kernel = |y: &mut Tensor| -> Result<()> {
                let mut src = x.read_stream_accessor::<i32>(q7, ..)?;
                let mut dst = y.write_stream_accessor::<i32>(q7, ..)?;
                let _buffer = q7.tcm_malloc::<u8>(8 << 10)?;
                (0..1500).for_each(|_| dst.write(src.read()));
                // The map panics at its third element.
                dst.write_map(&[1, 2, 3], |v| if v < 3 || !panics { -v } else { panic!("on purpose") });
                Err(Error::message("on purpose"))
            };
            let ended = catch_unwind(AssertUnwindSafe(|| kernel(&mut y)));
            assert_eq!(ended.is_err(), panics);
            assert_eq!(q7.tcm_largest_free(), POOL);
            // Every handle is closed: any other may be opened.
            let values = y.elements_mut::<i32>(q7)?;
            assert!((0..1500).all(|i| values.get(i) == i as i32));
            assert_eq!(values.get(1500), if panics { 0 } else { -1 });
            Ok(())
        })
        .unwrap();
    }
}

/// Who may not be opened takes nothing: neither a buffer nor a place.
#[test]
fn a_stream_that_is_refused_takes_nothing() {
    let mut rig = Rig::new(POOL, Timing::AtOnce);
    Q7::enter(&mut rig, |q7| -> Result<()> {
        let mut x = tensor::<i32>(q7, Rig::SCRATCH, Layout::contiguous(&[4, 5]).unwrap());
        let columns = x.transpose(0, 1)?;
        let refused = [
            (columns.read_stream_accessor::<i32>(q7, ..).map(drop), "strides are [1, 5]"),
            (columns.clone().write_stream_accessor::<i32>(q7, ..).map(drop), "strides are [1, 5]"),
            (x.read_stream_accessor::<f32>(q7, ..).map(drop), "asks for f32"),
            (x.read_stream_accessor::<i32>(q7, 3..21).map(drop), "has 20 elements, and none from 3 to 21"),
            (x.read_stream_accessor::<i32>(q7, 21..).map(drop), "none from 21 to 20"),
            (x.write_stream_accessor::<i32>(q7, 4..=20).map(drop), "none from 4 to 21"),
            (x.read_stream_accessor::<i32>(q7, ..=u64::MAX).map(drop), "none from 0 to 18446744073709551615"),
        ];
        for (result, text) in refused {
            let error = result.unwrap_err().to_string();
            assert!(error.contains("`t`") && error.contains(text) && error.contains(file!()), "{error}");
        }
        assert_eq!(q7.tcm_largest_free(), POOL);
        // 16 storages are remembered; the seventeenth is refused.
        let tensors: Vec<Tensor> = (0..17_u64)
            .map(|at| {
                tensor::<u8>(
                    q7,
                    HbmAddr::new(Rig::SCRATCH.get() + 64 * at),
                    Layout::contiguous(&[9]).unwrap(),
                )
            })
            .collect();
        let (last, others) = tensors.split_last().unwrap();
        let open = others.iter().map(|x| x.read_stream_accessor::<u8>(q7, ..)).collect::<Result<Vec<_>>>()?;
        assert!(
            last.read_stream_accessor::<u8>(q7, ..).unwrap_err().to_string().contains("storage number 17")
        );
        drop(open);
        assert_eq!(q7.tcm_largest_free(), POOL);
        last.read_stream_accessor::<u8>(q7, ..).map(drop)
    })
    .unwrap();
    assert_eq!(rig.faults(), []);
}

/// Past the end, and after `close`: the fault says which, and where the stream was opened.
#[test]
fn the_end_and_what_is_behind_it() {
    for pool in [0, POOL] {
        let mut rig = Rig::new(pool, Timing::AtOnce);
        Q7::enter(&mut rig, |q7| -> Result<()> {
            let mut x = tensor::<i32>(q7, Rig::SCRATCH, Layout::contiguous(&[3]).unwrap());
            let mut stream = x.write_stream_accessor::<i32>(q7, 1..)?;
            stream.write_from([1, 2]);
            stream.write(3);
            stream.close();
            stream.write_map(&[4, 5], |v| v);
            drop(stream);
            let mut stream = x.read_stream_accessor::<i32>(q7, 1..)?;
            assert_eq!([stream.read(), stream.read(), stream.read()], [1, 2, i32::POISON]);
            assert_eq!((stream.next(), stream.next_chunk()), (None, None));
            stream.close();
            assert_eq!((stream.next(), stream.next_chunk()), (None, None));
            assert_eq!(stream.read(), i32::POISON);
            Ok(())
        })
        .unwrap();
        let told = |fault: &Fault| match *fault {
            Fault::StreamEnded { access, argument: "t", storage: Rig::SCRATCH, len: 2, closed, .. } => {
                (access, closed)
            }
            _ => panic!("{fault:?}"),
        };
        let (read, write) = (Access::Read, Access::Write);
        let wanted = [
            (write, false),
            (write, true),
            (write, true),
            (read, false),
            (read, true),
            (read, true),
            (read, true),
        ];
        assert_eq!(rig.faults().iter().map(told).collect::<Vec<_>>(), wanted);
    }
}

/// Buffers come from the pool's start, one after the other, and go back in any order.
#[test]
fn buffers_lie_side_by_side() {
    let mut rig = Rig::new(POOL, Timing::AtOnce);
    rig.wants = Wants::Runs;
    Q7::enter(&mut rig, |q7| -> Result<()> {
        let x = tensor::<i64>(q7, Rig::SCRATCH, Layout::contiguous(&[3000]).unwrap());
        let mut first = x.read_stream_accessor::<i64>(q7, ..)?;
        let second = x.read_stream_accessor::<i64>(q7, 8..)?;
        // A stream that is closed keeps its buffer until it is dropped, as nothing else can say that it is not used.
        first.close();
        assert_eq!(q7.tcm_largest_free(), 2 * 4096);
        drop(first);
        drop(second);
        assert_eq!(q7.tcm_largest_free(), POOL);
        Ok(())
    })
    .unwrap();
    let starts: Vec<u32> = rig
        .events
        .iter()
        .filter_map(|event| match event {
            Staged::Allocated { local, .. } => Some(local.get() - Dataram::BASE.get()),
            _ => None,
        })
        .collect();
    assert_eq!(starts, [0, 4096]);
}

/// Two tensors of no elements may begin at one address, and one that has elements too: none is in another's way.
#[test]
fn streams_of_nothing_meet_nobody() {
    let mut rig = Rig::new(POOL, Timing::AtOnce);
    Q7::enter(&mut rig, |q7| -> Result<()> {
        let none = Layout::contiguous(&[0, 3]).unwrap();
        let (x, mut y) = (tensor::<i32>(q7, Rig::SCRATCH, none), tensor::<i32>(q7, Rig::SCRATCH, none));
        let z = tensor::<i32>(q7, Rig::SCRATCH, Layout::contiguous(&[3]).unwrap());
        let mut src = x.read_stream_accessor::<i32>(q7, ..)?;
        let _dst = y.write_stream_accessor::<i32>(q7, ..)?;
        assert!(x.elements::<i32>(q7).is_ok());
        let _all = z.read_stream_accessor::<i32>(q7, ..)?;
        src.close();
        assert!(z.elements::<i32>(q7).is_err(), "the stream on it is still open");
        Ok(())
    })
    .unwrap();
}
