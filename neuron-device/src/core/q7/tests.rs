use std::collections::BTreeMap;
use std::vec::Vec;

use proptest::prelude::*;

use super::*;
use crate::port::observe::{Observer, RawPath, Staged};
use crate::port::platform::ArgDescriptor;
use crate::{ConsoleSlot, Dataram, DmaRing, Doorbell, StackRegisters};
use crate::{FlatPlatform, prelude::*};

/// A platform over a platform: it also remembers what it is told.
struct Recorded<'m> {
    inner: FlatPlatform<'m>,
    watching: bool,
    runs: Vec<Run>,
    /// The lines that translated.
    translated: Vec<Site>,
    faults: Vec<Fault>,
    counters: Option<Counters>,
}

impl<'m> Recorded<'m> {
    fn new(memory: &'m mut [u64], watching: bool) -> Self {
        let inner = FlatPlatform::new(0, 1, memory);
        Self { inner, watching, runs: Vec::new(), translated: Vec::new(), faults: Vec::new(), counters: None }
    }
}

impl Observer for Recorded<'_> {
    fn wants(&self) -> Wants {
        if self.watching { Wants::Runs } else { Wants::Nothing }
    }

    fn allocated(&mut self, _: HbmAddr, _: Dtype, _: &crate::Layout, _: Site) {}

    fn opened(&mut self, _: &'static str, _: HbmAddr, _: Access, _: Site) {}

    fn translated(&mut self, _: HbmAddr, _: NxAddr, site: Site) {
        self.translated.push(site);
    }

    fn taken(&mut self, _: HbmAddr, _: u64, _: Site) {}
    fn raw_tcm_access(&mut self, _: Access, _: NxAddr, _: u64, _: Site) -> bool {
        true
    }
    fn staged(&mut self, _: &Staged) {}

    fn released(&mut self, _: HbmAddr, _: Site) {}

    fn remapped(&mut self, _: usize, _: HbmAddr, _: Site) {}

    fn raw_access(&mut self, _: RawPath, _: Access, _: HbmAddr, _: u64, _: Site) -> bool {
        true
    }

    fn run(&mut self, run: &Run) {
        self.runs.push(*run);
    }

    fn checkpoint(&mut self) {}

    fn retired(&mut self, counters: &Counters) {
        self.counters = Some(*counters);
    }
}

// SAFETY: windows are the inner platform's.
#[deny(clippy::missing_trait_methods)]
unsafe impl Platform for Recorded<'_> {
    fn core_id(&self) -> u32 {
        self.inner.core_id()
    }
    fn core_count(&self) -> u32 {
        self.inner.core_count()
    }
    fn launch_stamp(&self) -> u64 {
        self.inner.launch_stamp()
    }
    fn map_window(&mut self, record: usize, base: HbmAddr) -> Option<MappedWindow> {
        self.inner.map_window(record, base)
    }
    fn sbuf(&mut self) -> Option<crate::Sbuf> {
        self.inner.sbuf()
    }
    fn fence(&mut self) {
        self.inner.fence();
    }
    fn scratch(&self) -> (HbmAddr, u64) {
        Platform::scratch(&self.inner)
    }
    fn dataram(&mut self) -> Dataram {
        self.inner.dataram()
    }
    fn ring_doorbell(&mut self, doorbell: Doorbell, ring: &DmaRing) {
        self.inner.ring_doorbell(doorbell, ring);
    }
    fn poll_dma(&mut self, ring: &DmaRing) {
        self.inner.poll_dma(ring);
    }
    fn drain(&mut self, ring: &DmaRing) {
        self.inner.drain(ring);
    }
    fn stack(&self) -> StackRegisters {
        self.inner.stack()
    }
    fn console(&self) -> bool {
        self.inner.console()
    }
    fn print(&mut self, slot: &ConsoleSlot) {
        self.inner.print(slot);
    }
    fn flush_console(&mut self) {
        self.inner.flush_console();
    }
    fn argument(&self, position: usize) -> Option<ArgDescriptor> {
        Platform::argument(&self.inner, position)
    }
    fn destination(&self) -> Option<ArgDescriptor> {
        Platform::destination(&self.inner)
    }
    fn fault(&mut self, fault: &Fault) {
        self.faults.push(*fault);
    }
    fn observer(&mut self) -> Option<&mut dyn Observer> {
        Some(self)
    }
}

fn kernel(q7: &Q7) -> Result<i64> {
    let mut t = q7.empty(Dtype::I64, &[4, 5])?;
    let cells = t.accessor_mut::<i64, 2>(q7)?;
    for row in 0..4 {
        for column in 0..5 {
            cells.set([row, column], i64::from(10 * row + column));
        }
    }
    let cells = t.elements::<i64>(q7)?;
    Ok((0..21).map(|i| cells.get(i)).filter(|&v| v != i64::POISON).sum())
}

#[test]
fn counters_do_not_depend_on_watching_and_runs_tell_all() {
    let mut seen = Vec::new();
    for watching in [false, true] {
        let mut memory = [0; 64];
        let mut core = Recorded::new(&mut memory, watching);
        assert_eq!(Q7::enter(&mut core, kernel).unwrap(), 340);
        let counters = core.counters.unwrap();
        assert_eq!((counters.loads, counters.stores, counters.translations()), (20, 20, 40));
        assert_eq!((counters.hits(), counters.misses(), counters.evictions()), (39, 1, 0));
        assert_eq!(core.faults.len(), 1, "the 21st read is out of bounds");
        seen.push(counters);
        let told =
            |access| core.runs.iter().filter(|run| run.access == access).map(|run| run.count).sum::<u64>();
        if watching {
            assert_eq!((told(Access::Read), told(Access::Write)), (20, 20));
        } else {
            assert_eq!(told(Access::Read), 0);
        }
    }
    assert_eq!(seen[0], seen[1]);
}

#[test]
fn a_panicking_kernel_still_retires() {
    let mut memory = [0; 64];
    let mut core = Recorded::new(&mut memory, true);
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        Q7::enter(&mut core, |q7| {
            kernel(q7).unwrap();
            panic!("after the work");
        })
    }));
    assert!(result.is_err());
    assert_eq!(core.counters.unwrap().stores, 20);
}

#[test]
fn translate_maps_counts_and_faults_where_nothing_is() {
    let mut memory = [0; 64];
    let mut core = Recorded::new(&mut memory, false);
    Q7::enter(&mut core, |q7| {
        let base = FlatPlatform::BASE;
        let offset = base.window_offset() as u32;
        assert_eq!(q7.translate(base), NxAddr::new(0x0700_0000 + offset));
        assert_eq!(q7.translate(base), NxAddr::new(0x0700_0000 + offset));
        assert_eq!(q7.translate(HbmAddr::new(0)), NxAddr::new(0x0900_0000));
    });
    let counters = core.counters.unwrap();
    assert_eq!((counters.hits(), counters.misses()), (1, 2));
    assert!(matches!(core.faults[..], [Fault::NoMemory { addr, .. }] if addr == HbmAddr::new(0)));
    assert!(core.translated.len() == 3 && core.translated.iter().all(|site| site.file() == file!()));
}

#[test]
fn partitions_by_core() {
    for core in 0..3 {
        Q7::enter(&mut FlatPlatform::new(core, 3, &mut []), |q7| {
            let spans: Vec<_> = q7.partition_tiles(10, 4).map(|span| (span.offset, span.len)).collect();
            let expected = [(0, 4), (4, 4), (8, 2)][core as usize];
            assert_eq!(spans, [expected]);
            let ceil = q7.partition_ceil(10);
            assert_eq!((ceil.start(), ceil.end()), [(0, 4), (4, 8), (8, 10)][core as usize]);
            assert_eq!(q7.partition(10).len(), [4, 3, 3][core as usize]);
        });
    }
}

#[test]
fn a_tensor_of_another_launch_is_refused() {
    let mut memory = [0; 64];
    let kept =
        Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory).in_launch(1), |q7| q7.empty(Dtype::I8, &[3]))
            .unwrap();
    Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory).in_launch(2), |q7| {
        let error = kept.elements::<i8>(q7).unwrap_err();
        assert_eq!(error.kind(), &crate::ErrorKind::OtherLaunch);
    });
}

/// The device's table, asked once an access: what the counters of any accessors must come to.
#[derive(Default)]
struct Table {
    shows: [Option<u64>; 3],
    cursor: usize,
    counters: [crate::WindowCounters; 3],
}

impl Table {
    fn translate(&mut self, addr: u64) {
        let window = addr / crate::WINDOW_BYTES;
        if let Some(record) = self.shows.iter().position(|&shown| shown == Some(window)) {
            self.counters[record].hits += 1;
            return;
        }
        let victim = &mut self.counters[self.cursor];
        victim.misses += 1;
        victim.evictions += u64::from(self.shows[self.cursor].is_some());
        self.shows[self.cursor] = Some(window);
        self.cursor = (self.cursor + 1) % 3;
    }
}

/// Elements of i64 in a window.
const WINDOW: u64 = crate::WINDOW_BYTES / 8;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever accessors do, alone or sharing a tally, over more windows than there are, in a row or by any view: every
    /// value is right, every counter is what the device's own table would count, and the runs are all that was accessed.
    #[test]
    fn values_and_counters_are_the_tables(
        steps in prop::collection::vec((0usize..11, 0u64..5, 0u64..30, 1u64..12, 0u64..4), 1..80),
        watching in any::<bool>(),
    ) {
        let mut memory = std::vec![0u64; 5 * WINDOW as usize];
        let mut core = Recorded::new(&mut memory, watching);
        let base = FlatPlatform::BASE.get();
        let mut model = BTreeMap::new();
        let mut table = Table::default();
        let (mut loads, mut stores) = (Vec::new(), Vec::new());
        Q7::enter(&mut core, |q7| -> Result<()> {
            let tensor = q7.empty(Dtype::I64, &[5 * WINDOW as u32])?;
            let in_windows = tensor.reshape(&[5, WINDOW as u32])?;
            let views = [
                tensor.clone(),
                tensor.clone(),
                // From window to window.
                in_windows.transpose(0, 1)?,
                // Rows of elements side by side, at the end of each window.
                in_windows.narrow(1, WINDOW as u32 - 9, 9)?,
                // A few elements in each window.
                in_windows.slice(1, 7, WINDOW as u32, WINDOW as u32 / 6)?,
                // Every fifth of all.
                tensor.slice(0, 3, 5 * WINDOW as u32, 5)?,
                // One, again and again.
                tensor.narrow(0, 9, 1)?.expand(&[30])?,
            ];
            let readers = views.iter().map(|view| view.elements::<i64>(q7)).collect::<Result<Vec<_>>>()?;
            let mut written = [tensor.clone(), tensor.clone(), views[2].clone(), views[5].clone()];
            let layouts: Vec<_> = views.iter().chain(&written).map(|view| *view.layout()).collect();
            let writers =
                written.iter_mut().map(|view| view.elements_mut::<i64>(q7)).collect::<Result<Vec<_>>>()?;
            for (number, &(which, window, offset, count, stride)) in steps.iter().enumerate() {
                let layout = layouts[which];
                for k in 0..count {
                    // Around a window's edge, if it is not a view.
                    let index = (window * WINDOW + offset + k * stride) % layout.numel();
                    let at = layout.offset_of_flat(index);
                    table.translate(base + 8 * at);
                    match readers.get(which) {
                        Some(reader) => {
                            loads.push(base + 8 * at);
                            assert_eq!(reader.get(index), model.get(&at).copied().unwrap_or(0));
                        }
                        None => {
                            stores.push(base + 8 * at);
                            writers[which - 7].set(index, number as i64);
                            model.insert(at, number as i64);
                        }
                    }
                }
            }
            Ok(())
        })
        .unwrap();
        let counters = core.counters.unwrap();
        prop_assert_eq!((counters.loads, counters.stores), (loads.len() as u64, stores.len() as u64));
        prop_assert_eq!(&counters.windows[..3], &table.counters[..]);
        if watching {
            for (access, mut made) in [(Access::Read, loads), (Access::Write, stores)] {
                let runs = core.runs.iter().filter(|run| run.access == access);
                let unrolled = runs.flat_map(|run| {
                    (0..run.count as i64).map(|k| run.start.get().wrapping_add_signed(run.step * k))
                });
                let mut told: Vec<u64> = unrolled.collect();
                told.sort_unstable();
                made.sort_unstable();
                prop_assert_eq!(told, made);
            }
        }
    }
}

/// A tensor whose description reaches beyond memory: faults, and no access through a window that is gone.
#[test]
fn a_walk_ends_when_its_record_serves_no_more() {
    let mut memory = std::vec![7u64; 2 * WINDOW as usize];
    let layout = crate::Layout::contiguous(&[8 * WINDOW as u32]).unwrap();
    let record = crate::ArgRecord::new(FlatPlatform::BASE, Dtype::I64, &layout).unwrap();
    let mut core = Recorded::new(&mut memory, false);
    core.inner = core.inner.with_argument(ArgDescriptor { record, view: None });
    Q7::enter(&mut core, |q7| {
        let x = crate::__private::Arguments::setup(q7)?.next_tensor("x")?;
        let (walking, other) = (x.elements::<i64>(q7)?, x.elements::<i64>(q7)?);
        // One line, as a walk goes on from its own line only.
        let walk = |index| walking.get(index);
        assert_eq!((walk(0), walk(1)), (7, 7));
        assert_eq!(walk(3 * WINDOW), i64::POISON, "no memory there");
        // Two more misses: the second takes the record of the walk.
        (4..6).for_each(|window| assert_eq!(other.get(window * WINDOW), i64::POISON));
        assert_eq!(walk(2), 7);
        Ok(())
    })
    .map_err(|error: Error| std::string::ToString::to_string(&error))
    .unwrap();
    assert_eq!(core.faults.len(), 3);
    assert_eq!(core.counters.unwrap().misses(), 5, "the last access maps its window again");
}
