use std::panic::Location;

use neuron_device::HbmAddr;
use proptest::prelude::*;

use super::Stream;
use crate::cost::{CopyMethod, Direction, Progress, Transfer, Unit, What, Work};

/// What a random stream is made of: how much is counted before, and then what.
#[derive(Clone, Debug)]
enum Step {
    Copied(CopyMethod, Direction, u32, u32),
    Submitted(Direction, u32, u32),
    /// The ticket so many before the last one.
    Awaited(usize),
    Remapped(u8),
    Computed(Unit, bool, u64),
}

fn step() -> impl Strategy<Value = Step> {
    let method = prop_oneof![Just(CopyMethod::Dma), Just(CopyMethod::CMemcpy), Just(CopyMethod::VecMemcpy)];
    let direction = || prop_oneof![Just(Direction::ToTcm), Just(Direction::ToHbm)];
    let unit = prop_oneof![Just(Unit::ScalarMul), Just(Unit::VectorAlu), Just(Unit::VectorFma)];
    let each = || prop_oneof![Just(65536u32), 1u32..4096];
    prop_oneof![
        (method, direction(), 0u32..20_000, each()).prop_map(|(m, d, b, e)| Step::Copied(m, d, b, e)),
        (direction(), 0u32..20_000, each()).prop_map(|(d, b, e)| Step::Submitted(d, b, e)),
        (0usize..4).prop_map(Step::Awaited),
        (0u8..3).prop_map(Step::Remapped),
        (unit, any::<bool>(), 0u64..1000).prop_map(|(u, c, o)| Step::Computed(u, c, o)),
    ]
}

/// Any stream of a core that submits at most a few hundred descriptors a copy.
pub(crate) fn any_stream() -> impl Strategy<Value = Stream> {
    prop::collection::vec((prop::array::uniform6(0u64..40), step()), 0..12).prop_map(|steps| {
        let site = Location::caller();
        let (mut stream, mut counts, mut tickets) = (Stream::new(), [0; 6], Vec::new());
        for (more, step) in steps {
            counts.iter_mut().zip(more).for_each(|(count, more)| *count += more);
            if let Step::Remapped(_) = step {
                counts[2] += 1;
            }
            let at = Progress::of(counts);
            let transfer = |method, direction, bytes, each: u32| {
                Transfer::new(method, direction, bytes, site).in_runs_of(each.max(bytes / 300))
            };
            match step {
                Step::Copied(m, d, bytes, each) => stream.copied(at, transfer(m, d, bytes, each)),
                Step::Submitted(d, bytes, each) => {
                    tickets.push(stream.submitted(at, transfer(CopyMethod::Dma, d, bytes, each)));
                }
                Step::Awaited(before) => {
                    if let Some(&ticket) = tickets.iter().rev().nth(before) {
                        stream.awaited(at, ticket, site);
                    }
                }
                Step::Remapped(record) => stream.remapped(at, record, HbmAddr::new(1 << 33), site),
                Step::Computed(unit, chained, operations) => {
                    let work = if chained { Work::chain } else { Work::independent };
                    stream.computed(at, work(unit, 16, operations));
                }
            }
        }
        stream.ended(Progress::of(counts));
        stream
    })
}

#[test]
fn more_than_an_event_holds_goes_into_several() {
    let mut stream = Stream::new();
    let at = Progress { loads: (1 << 33) + 5, stores: 7, ..Progress::default() };
    stream.ended(at);
    assert!(stream.events().len() > 1 && stream.progress() == at);
    let sum = |of: fn(Progress) -> u64| stream.events().iter().map(|event| of(event.since())).sum::<u64>();
    assert_eq!((sum(|since| since.loads), sum(|since| since.stores)), (at.loads, at.stores));
}

#[test]
#[should_panic(expected = "a core's counters only rise")]
fn a_counter_that_falls_is_refused() {
    let mut stream = Stream::new();
    stream.ended(Progress { loads: 2, ..Progress::default() });
    stream.ended(Progress { loads: 1, ..Progress::default() });
}

#[test]
fn tickets_count_all_copies_by_dma() {
    let site = Location::caller();
    let tile = |method| Transfer::new(method, Direction::ToTcm, 64, site);
    let (mut stream, at) = (Stream::new(), Progress::default());
    stream.copied(at, tile(CopyMethod::Dma));
    stream.copied(at, tile(CopyMethod::CMemcpy));
    let ticket = stream.submitted(at, tile(CopyMethod::VecMemcpy));
    stream.awaited(at, ticket, site);
    let last = stream.events().last().unwrap();
    assert_eq!(last.what(), What::Awaited(1, site));
    assert_eq!(stream.events()[2].what(), What::Submitted(tile(CopyMethod::Dma)));
}

#[test]
fn descriptors_of_a_transfer() {
    let copy = |bytes| Transfer::new(CopyMethod::Dma, Direction::ToTcm, bytes, Location::caller());
    let count = |transfer: Transfer| transfer.descriptors();
    assert_eq!([0, 1, 65536, 65537].map(|bytes| count(copy(bytes))), [0, 1, 1, 2]);
    assert_eq!([0, 1, 4, 5, u32::MAX].map(|run| count(copy(8).in_runs_of(run))), [8, 8, 2, 2, 1]);
}
