//! Streams against slices: any plan of reads and writes, over any pool, method, timing, view and dtype.

use std::vec::Vec;

use proptest::prelude::*;

use super::{POOL, store, stored};
use crate::port::fault::Fault;
use crate::port::rig::{Rig, Timing, numbered, tensor};
use crate::words::addr::HbmAddr;
use crate::words::layout::Layout;
use crate::{CopyMethod, Element, ReadStream, WriteStream, prelude::*};

const METHODS: [CopyMethod; 3] = [CopyMethod::CMemcpy, CopyMethod::VecMemcpy, CopyMethod::Dma];

/// One step of a stream.
#[derive(Clone, Debug)]
enum Step {
    /// `read` so often, or `write`.
    One(u32),
    /// The iterator, so far; or `write_from`.
    Some(u32),
    /// `next_chunk`; or `write_map`.
    Chunk(u32),
    /// How many are left?
    Count,
    /// No more of this stream.
    Close,
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0_u32..40).prop_map(Step::One),
        4 => (0_u32..1500).prop_map(Step::Some),
        4 => (0_u32..1500).prop_map(Step::Chunk),
        1 => Just(Step::Count),
        1 => Just(Step::Close),
    ]
}

#[derive(Clone, Debug)]
struct Plan {
    pool: u32,
    method: CopyMethod,
    timing: Timing,
    /// Elements taken before the streams are opened, so that they find less.
    taken: u32,
    /// Elements in front of the view, in it, and behind.
    storage: [u32; 3],
    /// Of each stream that reads, a part of the view, in thousandths.
    reads: Vec<(u32, u32)>,
    writes: (u32, u32),
    /// Which stream, and what it does.
    steps: Vec<(usize, Step)>,
    /// The streams that read are folded in the end, not dropped.
    folds: bool,
}

fn any_plan() -> impl Strategy<Value = Plan> {
    let pools = prop_oneof![Just(0), Just(64), Just(4096), Just(3 * 4096), 0_u32..=256, Just(POOL)];
    let pools = pools.prop_map(|bytes| if bytes <= 256 { bytes / 64 * 64 } else { bytes });
    let part = || (0_u32..=1000, 0_u32..=1000).prop_map(|(a, b)| (a.min(b), a.max(b)));
    (
        (
            pools,
            prop::sample::select(&METHODS[..]),
            prop::sample::select(&[Timing::AtOnce, Timing::AtPoll][..]),
        ),
        (prop_oneof![Just(0_u32), 1_u32..200], [0_u32..40, 0_u32..5000, 0_u32..40]),
        (prop::collection::vec(part(), 0..6), part()),
        (prop::collection::vec((0_usize..7, any_step()), 0..40), any::<bool>()),
    )
        .prop_map(|((pool, method, timing), (taken, storage), (reads, writes), (steps, folds))| Plan {
            pool,
            method,
            timing,
            taken,
            storage,
            reads,
            writes,
            steps,
            folds,
        })
}

/// A stream that reads, and what it must give.
struct Reader<'a, T: Element> {
    stream: Option<ReadStream<'a, T>>,
    wanted: &'a [T],
    closed: bool,
}

impl<T: Element> Reader<'_, T> {
    /// Do a step; how many faults there must be for it.
    fn step(&mut self, step: &Step) -> usize {
        let Self { stream: Some(stream), wanted, closed } = self else { return 0 };
        let take = |wanted: &mut &[T], many: usize| {
            let (taken, rest) = wanted.split_at(many.min(wanted.len()));
            *wanted = rest;
            taken.to_vec()
        };
        match *step {
            Step::One(many) => {
                let found: Vec<T> = (0..many).map(|_| stream.read()).collect();
                let mut expected = take(wanted, many as usize);
                let missing = many as usize - expected.len();
                expected.resize(many as usize, T::POISON);
                assert_eq!(bytes(&found), bytes(&expected));
                missing
            }
            Step::Some(many) => {
                let found: Vec<T> = stream.by_ref().take(many as usize).collect();
                let expected = take(wanted, many as usize);
                assert_eq!(bytes(&found), bytes(&expected));
                usize::from(*closed && many > 0)
            }
            Step::Chunk(_) => {
                let Some(found) = stream.next_chunk() else {
                    assert!(wanted.is_empty());
                    return usize::from(*closed);
                };
                assert!(!found.is_empty());
                let expected = take(wanted, found.len());
                assert_eq!(bytes(found), bytes(&expected));
                0
            }
            Step::Count => {
                assert_eq!(stream.remaining(), wanted.len() as u64);
                assert_eq!(stream.size_hint(), (wanted.len(), Some(wanted.len())));
                0
            }
            Step::Close => {
                stream.close();
                (*wanted, *closed) = (&[], true);
                0
            }
        }
    }

    /// Read the rest at once.
    fn fold(&mut self) -> usize {
        let Some(stream) = self.stream.take() else { return 0 };
        let found = stream.fold(Vec::new(), |mut all, value| {
            all.push(value);
            all
        });
        assert_eq!(bytes(&found), bytes(self.wanted));
        usize::from(self.closed)
    }
}

/// The stream that writes, and what it must have written.
struct Writer<'a, 'm, T: Element> {
    stream: WriteStream<'a, T>,
    /// The view's part that is not written yet, and the next value.
    room: &'m mut [T],
    next: u64,
}

impl<T: Element> Writer<'_, '_, T> {
    /// Do a step; how many faults there must be for it.
    fn step(&mut self, step: &Step) -> usize {
        let many = match *step {
            Step::One(many) => {
                (0..many).for_each(|at| self.stream.write(numbered(self.next + u64::from(at))));
                many
            }
            Step::Some(many) => {
                let first = self.next;
                self.stream.write_from((0..many).map(|at| numbered(first + u64::from(at))));
                many
            }
            Step::Chunk(many) => {
                let numbers: Vec<u64> = (0..many.into()).map(|at| self.next + at).collect();
                self.stream.write_map(&numbers, numbered);
                many
            }
            Step::Count => {
                assert_eq!(self.stream.remaining(), self.room.len() as u64);
                return 0;
            }
            Step::Close => {
                self.stream.close();
                self.room = &mut [];
                return 0;
            }
        };
        let written = self.room.len().min(many as usize);
        let (now, rest) = core::mem::take(&mut self.room).split_at_mut(written);
        now.iter_mut().zip(self.next..).for_each(|(to, number)| *to = numbered(number));
        (self.room, self.next) = (rest, self.next + u64::from(many));
        many as usize - written
    }
}

fn bytes<T: Element>(values: &[T]) -> &[u8] {
    bytemuck::cast_slice(values)
}

/// Streams against slices: up to five that read one tensor, and one that writes another, in any order.
fn run<T: Element>(plan: &Plan) {
    let mut rig = Rig::new(plan.pool, plan.timing);
    let [before, len, behind] = plan.storage;
    let (whole, element) = ((before + len + behind) as usize, size_of::<T>() as u64);
    let (x_start, y_start) = (Rig::SCRATCH.get(), Rig::SCRATCH.get() + 48 * 1024);
    let read = store::<T>(&rig, x_start, whole, 1 << 20);
    let mut model = store::<T>(&rig, y_start, whole, 2 << 20);
    let layout = Layout::strided(&[len], &[1], before.into()).unwrap();
    let part = |(from, to): (u32, u32)| {
        let at = |part: u32| u64::from(len) * u64::from(part) / 1000;
        at(from)..at(to)
    };
    let view = |range: core::ops::Range<u64>| {
        before as usize + range.start as usize..before as usize + range.end as usize
    };
    let mut faults = 0;
    let taken = u64::from(plan.taken) * element;
    Q7::enter(&mut rig, |q7| -> Result<()> {
        q7.set_memcpy_method(plan.method);
        let x = tensor::<T>(q7, HbmAddr::new(x_start), layout);
        let mut y = tensor::<T>(q7, HbmAddr::new(y_start), layout);
        let _taken = if taken > 0 { q7.tcm_malloc::<T>(plan.taken).ok() } else { None };
        let mut readers = Vec::new();
        for &range in &plan.reads {
            let stream = Some(x.read_stream_accessor::<T>(q7, part(range))?);
            readers.push(Reader { stream, wanted: &read[view(part(range))], closed: false });
        }
        let stream = y.write_stream_accessor::<T>(q7, part(plan.writes))?;
        let room = &mut model[view(part(plan.writes))];
        let mut writer = Writer { stream, room, next: 3 << 20 };
        for (which, step) in &plan.steps {
            faults += match readers.get_mut(*which) {
                Some(reader) => reader.step(step),
                None => writer.step(step),
            };
        }
        if plan.folds {
            faults += readers.iter_mut().map(Reader::fold).sum::<usize>();
        }
        Ok(())
    })
    .unwrap();
    assert_eq!(bytes(&stored::<T>(&rig, x_start, whole)), bytes(&read), "what was read is as it was");
    assert_eq!(bytes(&stored::<T>(&rig, y_start, whole)), bytes(&model));
    let found = rig.faults();
    assert_eq!(found.len(), faults, "{found:?}");
    assert!(found.iter().all(|fault| matches!(fault, Fault::StreamEnded { .. })), "{found:?}");
    // As many streams as there is room for have a buffer; those of no elements need none.
    let opened = plan.reads.iter().chain([&plan.writes]).filter(|&&range| !part(range).is_empty()).count();
    let taken = if taken <= plan.pool.into() { taken.next_multiple_of(64) as u32 } else { 0 };
    let buffers = (plan.pool.saturating_sub(taken) / 4096) as usize;
    let copies = rig.counters.unwrap().copies;
    assert_eq!(copies.unbuffered_streams, opened.saturating_sub(buffers) as u64);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn streams_are_slices(plan in any_plan(), dtype in 0..7) {
        match dtype {
            0 => run::<i8>(&plan),
            1 => run::<u8>(&plan),
            2 => run::<i16>(&plan),
            3 => run::<bf16>(&plan),
            4 => run::<i32>(&plan),
            5 => run::<f32>(&plan),
            _ => run::<i64>(&plan),
        }
    }
}
