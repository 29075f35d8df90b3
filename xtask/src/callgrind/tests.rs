//! Totals in callgrind's files, and the count per element.

use super::{per_element, total};

#[test]
fn the_total_is_read() {
    let text = "# callgrind format\nevents: Ir\nsummary: 123\n\nfn=(0)\n0 7\ntotals: 1234567\n";
    assert_eq!(total(text), Some(1_234_567));
}

#[test]
fn parts_are_added_and_other_events_left_out() {
    assert_eq!(total("totals: 10 3 4\nfn=(1)\ntotals: 5 1 1\n"), Some(15));
}

#[test]
fn a_file_without_a_total_gives_none() {
    assert_eq!(total("events: Ir\n"), None);
    assert_eq!(total("totals: many\n"), None);
    assert_eq!(total("totals:\n"), None);
}

#[test]
fn start_up_falls_out_of_the_count_per_element() {
    assert_eq!(per_element(5_000 + 1_234, 5_000 + 2 * 1_234, 100), 12.34);
    assert_eq!(per_element(900, 900, 100), 0.0);
    assert_eq!(per_element(0, 1, 3), 0.33);
    // Noise in the start-up may make the longer run the cheaper one; that must not wrap around.
    assert_eq!(per_element(101, 100, 100), -0.01);
}
