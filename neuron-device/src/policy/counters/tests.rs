use super::*;

/// Each sum is over all records, of its own number.
#[test]
fn sums_are_over_every_record() {
    let mut counters = Counters { loads: 1_000, stores: 2_000, ..Counters::default() };
    for (record, window) in (1..).zip(&mut counters.windows) {
        *window = WindowCounters { hits: record, misses: 10 * record, evictions: 100 * record };
    }
    let sums = (counters.hits(), counters.misses(), counters.evictions(), counters.translations());
    assert_eq!(sums, (15, 150, 1_500, 165));
}
