use proptest::prelude::*;

use super::*;

/// The device's table as `docs/machine.md` section 4 words it: records scanned in order, round-robin victims.
struct Model {
    tags: [Option<u64>; 3],
    pinned: [Option<u64>; 2],
    cursor: usize,
    counters: [WindowCounters; 5],
}

impl Model {
    fn translate(&mut self, addr: u64) -> u32 {
        for record in 0..3 {
            if self.tags[record] == Some(addr & !0xFF_FFFF) {
                self.counters[record].hits += 1;
                return [0x0700_0000, 0x0900_0000, 0x0A00_0000][record] + (addr & 0xFF_FFFF) as u32;
            }
        }
        for record in 0..2 {
            if self.pinned[record] == Some(addr & !0x3FF_FFFF) {
                self.counters[3 + record].hits += 1;
                return [0x8000_0000, 0x8400_0000][record] + (addr & 0x3FF_FFFF) as u32;
            }
        }
        let victim = self.cursor;
        self.cursor = (self.cursor + 1) % 3;
        self.counters[victim].misses += 1;
        self.counters[victim].evictions += u64::from(self.tags[victim].is_some());
        self.tags[victim] = Some(addr & !0xFF_FFFF);
        [0x0700_0000, 0x0900_0000, 0x0A00_0000][victim] + (addr & 0xFF_FFFF) as u32
    }
}

fn translate(table: &WindowTable<u64>, addr: HbmAddr) -> NxAddr {
    let record = match table.lookup(addr) {
        Some(record) => {
            table.count_hits(record, 1);
            record
        }
        None => {
            let record = table.take_victim();
            table.install(record, addr, addr.window_base().get());
            record
        }
    };
    if record < DYNAMIC_RECORDS {
        assert!(table.shows(record, addr));
        assert_eq!(table.mapping(record), addr.window_base().get());
    }
    table.local(record, addr)
}

/// Addresses that meet again: few windows, window edges, the pinned ranges and both ends of the space.
fn any_addr() -> impl Strategy<Value = u64> {
    let base = prop::sample::select(std::vec![
        0,
        1 << 24,
        2 << 24,
        3 << 24,
        7 << 26,
        (7 << 26) + (3 << 24),
        8 << 26,
        (8 << 26) + (2 << 24),
        u64::MAX - 0xFF_FFFF,
    ]);
    (base, prop::sample::select(std::vec![0, 1, 4, 0xFF_FFFF, 0x12_3456]))
        .prop_map(|(base, offset)| base + offset)
}

proptest! {
    #[test]
    fn behaves_as_the_device(addrs in prop::collection::vec(any_addr(), 0..200), pin in any::<[bool; 2]>()) {
        let pinned = [pin[0].then_some(7 << 26), pin[1].then_some(8 << 26)];
        let table = WindowTable::new(pinned.map(|base| base.map(|base| HbmAddr::new(base + 99))));
        let mut model = Model { tags: [None; 3], pinned, cursor: 0, counters: Default::default() };
        for addr in addrs {
            prop_assert_eq!(translate(&table, HbmAddr::new(addr)).get(), model.translate(addr));
        }
        prop_assert_eq!(table.counters(), model.counters);
    }
}

/// D20: four regions in turn miss every time, three only once each.
#[test]
fn d20_four_regions_thrash_three_do_not() {
    for (regions, misses) in [(4, 64), (3, 3)] {
        let table = WindowTable::new([None, None]);
        for access in 0..64 {
            translate(&table, HbmAddr::new((access % regions) << 24));
        }
        assert_eq!(table.counters().iter().map(|window| window.misses).sum::<u64>(), misses);
    }
}

#[test]
fn a_cold_table_shows_nothing_not_even_address_0() {
    let table = WindowTable::<()>::new([None, None]);
    for addr in [0, 1, 1 << 24, u64::MAX] {
        assert_eq!(table.lookup(HbmAddr::new(addr)), None, "{addr:#x}");
    }
}
