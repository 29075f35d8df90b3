use std::panic::Location;

use proptest::prelude::*;

use super::{replay, replay_in};
use crate::cost::price::Prices;
use crate::cost::span::Nobody;
use crate::cost::stream::tests::any_stream;
use crate::cost::{
    CopyMethod, CostModel, Direction, Modelled, Picoseconds, Progress, Split, Stream, Transfer, Unit, Work,
};

const NONE: Progress = Progress { loads: 0, stores: 0, misses: 0, fences: 0, tcm_loads: 0, tcm_stores: 0 };

fn tile(direction: Direction, bytes: u32) -> Transfer {
    Transfer::new(CopyMethod::Dma, direction, bytes, Location::caller())
}

/// Round numbers: 1 GHz, nothing assumed of staged bytes, DMA at 8 bytes a ns without floor or call.
fn plain() -> CostModel {
    let mut model = CostModel::default();
    model.core.clock_ghz = 1.0;
    (model.tcm.loads_per_staged_byte, model.tcm.stores_per_staged_byte) = (0.0, 0.0);
    (model.dma.call_ns, model.dma.descriptor_floor_ns, model.dma.bytes_per_ns) = (0.0, 0.0, 8.0);
    model
}

/// With so many bytes a ns for all cores.
fn sharing(model: CostModel, bytes_per_ns: f64) -> CostModel {
    let mut model = model;
    model.hbm.share_gib_per_s = bytes_per_ns * 1e9 / f64::from(1 << 30);
    model
}

fn stream(of: impl Fn(&mut Stream)) -> Stream {
    let mut stream = Stream::new();
    of(&mut stream);
    stream
}

fn ns(modelled: &Modelled) -> Vec<f64> {
    modelled.cores().iter().map(|core| core.time.as_ns()).collect()
}

fn one(model: &CostModel, of: impl Fn(&mut Stream)) -> (f64, Split) {
    let modelled = model.replay(&[stream(of)]).unwrap();
    (modelled.time().as_ns(), modelled.cores()[0].split)
}

#[test]
fn every_counter_has_its_price() {
    let cases = [
        (Progress { loads: 1000, ..NONE }, 240_000.0),
        (Progress { stores: 1000, ..NONE }, 240_000.0),
        (Progress { misses: 10, ..NONE }, 1000.0),
        (Progress { fences: 10, ..NONE }, 250.0),
        (Progress { tcm_loads: 10, ..NONE }, 30.0),
        (Progress { tcm_stores: 10, ..NONE }, 10.0),
    ];
    for (progress, expected) in cases {
        assert_eq!(one(&plain(), |stream| stream.ended(progress)).0, expected, "{progress:?}");
    }
    let mut posted = plain();
    (posted.hbm.read_ns, posted.hbm.write_ns, posted.launch.overhead_ns) = (400.0, 0.0, 7.0);
    let progress = Progress { loads: 1, stores: 1, ..NONE };
    assert_eq!(one(&posted, |stream| stream.ended(progress)).0, 407.0);
}

#[test]
fn cycles_that_are_no_whole_picoseconds_do_not_add_up_errors() {
    let many = one(&CostModel::default(), |stream| {
        (1..=7_000).for_each(|tcm_stores| stream.ended(Progress { tcm_stores, ..NONE }));
    });
    assert_eq!(many.0, 5_000.0);
}

#[test]
fn staged_bytes_are_taken_to_be_touched_once() {
    let mut model = CostModel::default();
    model.core.clock_ghz = 1.0;
    let (both, split) = one(&model, |stream| {
        stream.copied(NONE, tile(Direction::ToTcm, 6400));
        stream.copied(NONE, tile(Direction::ToHbm, 6400));
        stream.copied(NONE, tile(Direction::ToTcm, 6400).counted());
        stream.copied(NONE, tile(Direction::ToHbm, 6400).counted());
    });
    let expected = (Picoseconds::new(203_000), Picoseconds::new(4 * (1_300_000 + 376_471)));
    assert_eq!((split.tcm, split.dma_wait), expected);
    assert_eq!(both, (expected.0 + expected.1).as_ns());
    // Nor twice by a copy that is awaited twice, nor at all by one that never is.
    let (_, split) = one(&model, |stream| {
        let first = stream.submitted(NONE, tile(Direction::ToTcm, 640));
        stream.awaited(NONE, first, Location::caller());
        stream.awaited(NONE, first, Location::caller());
        stream.submitted(NONE, tile(Direction::ToTcm, 640));
    });
    assert_eq!(split.tcm, Picoseconds::new(13_000));
}

#[test]
fn the_core_copies_step_by_step() {
    let time = |method, direction, bytes, run| {
        let transfer = Transfer::new(method, direction, bytes, Location::caller()).in_runs_of(run);
        one(&plain(), |stream| stream.copied(NONE, transfer)).0
    };
    // A step to TCM: an access and 128 bytes at 64 a cycle; to HBM also the latency of the load.
    assert_eq!(time(CopyMethod::VecMemcpy, Direction::ToTcm, 1280, 65536), 10.0 * 242.0);
    assert_eq!(time(CopyMethod::VecMemcpy, Direction::ToHbm, 1281, 65536), 11.0 * 245.0);
    assert_eq!(time(CopyMethod::VecMemcpy, Direction::ToTcm, 1280, 64), 20.0 * 242.0);
    assert_eq!(time(CopyMethod::CMemcpy, Direction::ToTcm, 1280, 65536), 320.0 * 240.0625);
    assert_eq!(time(CopyMethod::CMemcpy, Direction::ToTcm, 0, 65536), 0.0);
}

#[test]
fn compute_as_it_is_declared() {
    let time = |model: &CostModel, work| one(model, |stream| stream.computed(NONE, work)).0;
    let cases = [
        (Work::independent(Unit::ScalarAlu, 32, 100), 100.0),
        (Work::independent(Unit::ScalarMul, 32, 100), 102.0),
        (Work::chain(Unit::ScalarMul, 32, 100), 300.0),
        (Work::independent(Unit::VectorAlu, 8, 640), 11.0),
        (Work::independent(Unit::VectorMac, 16, 33), 4.0),
        (Work::chain(Unit::VectorFma, 32, 32), 8.0),
        (Work::chain(Unit::VectorFma, 32, 0), 0.0),
        (Work::independent(Unit::VectorFma, 32, 0), 0.0),
    ];
    for (work, expected) in cases {
        assert_eq!(time(&plain(), work), expected, "{work:?}");
    }
    let mut soft = plain();
    (soft.compute.soft_float_factor, soft.compute.ops_per_cycle) = (10.0, 2.0);
    assert_eq!(time(&soft, Work::chain(Unit::VectorFma, 32, 32)), 80.0);
    assert_eq!(time(&soft, Work::independent(Unit::VectorAlu, 32, 32)), 2.0);
}

#[test]
fn descriptors_take_their_floor() {
    let mut model = plain();
    (model.dma.call_ns, model.dma.descriptor_floor_ns) = (1300.0, 107.0);
    let time = |transfer| one(&model, |stream| stream.copied(NONE, transfer)).0;
    assert_eq!(time(tile(Direction::ToTcm, 8)), 1407.0);
    assert_eq!(time(tile(Direction::ToTcm, 8000)), 2300.0);
    assert_eq!(time(tile(Direction::ToTcm, 400).in_runs_of(4)), 1300.0 + 100.0 * 107.0);
    // 64 KiB, and 8 bytes more in a second descriptor.
    assert_eq!(time(tile(Direction::ToHbm, 65544)), 1300.0 + 8192.0 + 107.0);
}

#[test]
fn a_core_goes_on_while_its_queue_works() {
    let mut model = plain();
    model.dma.call_ns = 1000.0;
    let loads = |loads| Progress { loads, ..NONE };
    // The second call's latency passes while the first transfer moves: 1000 + 2000 + 2000.
    let (time, split) = one(&model, |stream| {
        let first = stream.submitted(NONE, tile(Direction::ToTcm, 16000));
        let second = stream.submitted(NONE, tile(Direction::ToTcm, 16000));
        stream.awaited(NONE, first, Location::caller());
        stream.awaited(loads(5), second, Location::caller());
        stream.ended(loads(5));
    });
    assert_eq!((time, split.dma_wait.as_ns(), split.accesses.as_ns()), (5000.0, 3800.0, 1200.0));
    // Nothing to wait for, if the core takes longer.
    let (time, split) = one(&model, |stream| {
        let only = stream.submitted(NONE, tile(Direction::ToTcm, 16000));
        stream.awaited(loads(20), only, Location::caller());
    });
    assert_eq!((time, split.dma_wait.as_ns()), (4800.0, 0.0));
    // What is left in the queue at the end is part of the time.
    let (time, split) = one(&model, |stream| {
        stream.submitted(NONE, tile(Direction::ToHbm, 8000));
        stream.ended(loads(5));
    });
    assert_eq!((time, split.dma_wait.as_ns()), (2000.0, 800.0));
}

#[test]
fn a_ticket_of_another_stream_waits_for_all() {
    let ticket = stream(|_| {});
    let mut other = ticket;
    (0..5).for_each(|_| _ = other.submitted(NONE, tile(Direction::ToTcm, 8)));
    let late = other.submitted(NONE, tile(Direction::ToTcm, 8));
    let (time, _) = one(&plain(), |stream| {
        stream.submitted(NONE, tile(Direction::ToTcm, 8000));
        stream.awaited(NONE, late, Location::caller());
    });
    assert_eq!(time, 1000.0);
    assert_eq!(one(&plain(), |stream| stream.awaited(NONE, late, Location::caller())).0, 0.0);
}

#[test]
fn cores_share_what_hbm_gives() {
    let model = sharing(plain(), 8.0);
    let copy = |bytes| stream(|stream| stream.copied(NONE, tile(Direction::ToTcm, bytes)));
    let modelled = model.replay(&[copy(8000), copy(4000)]).unwrap();
    // Four bytes a ns each, until the second has its 4000; then the first has all eight.
    assert_eq!(ns(&modelled), [1500.0, 1000.0]);
    let shared = modelled.cores().iter().map(|core| core.dma.shared.as_ns()).collect::<Vec<_>>();
    assert_eq!(shared, [500.0, 500.0]);
    // A later one takes its part from then on.
    let later = stream(|stream| stream.copied(Progress { misses: 5, ..NONE }, tile(Direction::ToTcm, 4000)));
    assert_eq!(ns(&model.replay(&[copy(8000), later]).unwrap()), [1500.0, 1500.0]);
    // Four cores at half of what they could.
    let model = sharing(plain(), 16.0);
    assert_eq!(ns(&model.replay(&[copy(8000), copy(8000), copy(8000), copy(8000)]).unwrap()), [2000.0; 4]);
    assert_eq!(ns(&model.replay(&[copy(8000), copy(8000)]).unwrap()), [1000.0; 2]);
}

#[test]
fn a_descriptor_that_waits_for_its_floor_moves_nothing() {
    let mut model = sharing(plain(), 8.0);
    model.dma.descriptor_floor_ns = 1000.0;
    let copy = |bytes| stream(|stream| stream.copied(NONE, tile(Direction::ToTcm, bytes)));
    // 800 bytes are there after 200 ns, of which 800 of the other's; it has the rest for itself.
    assert_eq!(ns(&model.replay(&[copy(800), copy(16000)]).unwrap()), [1000.0, 2100.0]);
}

/// Processor sharing as one would write it down first: in floats, all descriptors in step.
fn fluid(model: &CostModel, streams: &[Vec<f64>]) -> Vec<f64> {
    let share = model.hbm.share_gib_per_s * f64::from(1 << 30) / 1e9;
    let floor = model.dma.descriptor_floor_ns;
    let mut left: Vec<Vec<f64>> = streams.iter().map(|of| of.iter().rev().copied().collect()).collect();
    let (mut now, mut begun, mut done) = (0.0, vec![0.0; left.len()], vec![0.0; left.len()]);
    while left.iter().any(|of| !of.is_empty()) {
        let moving = left.iter().filter(|of| of.last().is_some_and(|&bytes| bytes > 1e-9)).count();
        let rate = model.dma.bytes_per_ns.min(share / moving.max(1) as f64);
        let next = |(core, of): (usize, &Vec<f64>)| {
            let bytes = *of.last()?;
            Some(if bytes > 1e-9 { bytes / rate } else { (begun[core] + floor - now).max(0.0) })
        };
        let time = left.iter().enumerate().filter_map(next).fold(f64::INFINITY, f64::min);
        now += time;
        for (core, of) in left.iter_mut().enumerate() {
            let Some(bytes) = of.last_mut() else { continue };
            *bytes -= if *bytes > 1e-9 { time * rate } else { 0.0 };
            if *bytes <= 1e-9 && begun[core] + floor <= now + 1e-9 {
                of.pop();
                (begun[core], done[core]) = (now, now);
            }
        }
    }
    done
}

proptest! {
    #[test]
    fn sharing_is_what_floats_say(
        bytes in prop::collection::vec(prop::collection::vec(1u32..9000, 1..6), 1..9),
        share in 1.0..40.0f64,
        floor in 0.0..300.0f64,
    ) {
        let mut model = sharing(plain(), share);
        model.dma.descriptor_floor_ns = floor;
        let streams: Vec<Stream> = bytes.iter().map(|of| stream(|stream| {
            of.iter().for_each(|&bytes| _ = stream.submitted(NONE, tile(Direction::ToTcm, bytes)));
        })).collect();
        let floats: Vec<Vec<f64>> = bytes.iter().map(|of| of.iter().copied().map(f64::from).collect()).collect();
        let expected = fluid(&model, &floats);
        for (modelled, expected) in ns(&model.replay(&streams).unwrap()).into_iter().zip(expected) {
            prop_assert!((modelled - expected).abs() < 1.0, "{modelled} {expected}");
        }
    }

    #[test]
    fn the_split_adds_up(streams in prop::collection::vec(any_stream(), 1..9), share in 1.0..60.0f64) {
        let modelled = sharing(CostModel::default(), share).replay(&streams).unwrap();
        for core in modelled.cores() {
            prop_assert_eq!(core.split.total(), core.time);
            prop_assert!(core.dma.shared <= core.dma.busy);
        }
    }

    #[test]
    fn cores_that_need_not_share_are_played_alone_or_together(
        streams in prop::collection::vec(any_stream(), 1..9),
    ) {
        let prices = Prices::new(&CostModel::default()).unwrap();
        let together = replay_in(streams.len(), &prices, &streams, &mut Nobody);
        prop_assert_eq!(&replay(&prices, &streams, &mut Nobody), &together);
        prop_assert!(together.cores().iter().all(|core| core.dma.shared == Picoseconds::ZERO));
    }

    #[test]
    fn where_the_stream_is_cut_does_not_matter(stream in any_stream(), ends in 1usize..9) {
        // Events that say nothing but how far the core came: prices are not rounded at each.
        let mut cut = Stream::new();
        let mut at = [0; 6];
        for event in stream.events() {
            let since = event.since().counts();
            for part in 1..=ends as u64 {
                let so_far = std::array::from_fn(|counter| at[counter] + since[counter] * part / ends as u64);
                cut.ended(Progress::of(so_far));
            }
            at.iter_mut().zip(since).for_each(|(at, since)| *at += since);
            cut.push(Progress::of(at), event.what());
        }
        let model = CostModel::default();
        prop_assert_eq!(model.replay(&[cut]).unwrap(), model.replay(&[stream]).unwrap());
    }
}

#[test]
fn the_highest_prices_end_at_the_longest_time() {
    let mut model = CostModel::default();
    model.hbm.read_ns = 1e6;
    let (time, _) = one(&model, |stream| stream.ended(Progress { loads: u64::from(u32::MAX) * 100, ..NONE }));
    assert_eq!(time, Picoseconds::new(u64::MAX).as_ns());
}
