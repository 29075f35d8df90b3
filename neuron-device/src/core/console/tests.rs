//! Lines in slots, and what they cost where nobody reads them.

use core::fmt;
use std::string::{String, ToString};
use std::vec::Vec;

use crate::core::q7::Q7;
use crate::port::rig::{Call, Rig, Timing};
use crate::words::console::ConsoleSlot;

fn printed(console: bool, kernel: impl Fn(&Q7)) -> Vec<ConsoleSlot> {
    let rig = Rig::new(0, Timing::AtOnce);
    let mut rig = if console { rig.with_console() } else { rig };
    Q7::enter(&mut rig, |q7| kernel(q7));
    let slot = |call: &Call| if let Call::Print(slot) = call { Some(*slot) } else { None };
    rig.calls.iter().filter_map(slot).collect()
}

/// Nobody may look at it.
struct Untouchable;

impl fmt::Display for Untouchable {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        panic!("formatted though nobody reads it");
    }
}

fn evaluated() -> u32 {
    panic!("evaluated though nobody reads it")
}

#[test]
fn where_there_is_no_console_nothing_is_formatted_and_nothing_evaluated() {
    let print = |q7: &Q7| {
        neuron_println!(q7, "{}", Untouchable);
        neuron_println!(q7, "{}", evaluated());
    };
    assert!(printed(false, print).is_empty());
}

#[test]
fn a_line_has_a_slot_and_slots_are_numbered() {
    let slots = printed(true, |q7| {
        neuron_println!(q7, "x = {:>4}", 7);
        neuron_println!(q7);
        neuron_println!(q7, "{name}", name = "three",);
    });
    let lines: Vec<_> = slots.iter().map(|slot| (slot.sequence(), slot.text(), slot.continues())).collect();
    assert_eq!(lines, [(0, "x =    7", false), (1, "", false), (2, "three", false)]);
}

#[test]
fn a_longer_line_goes_on_in_the_next_slot_between_two_characters() {
    for (character, lengths) in [('a', 0..800), ('é', 0..500), ('€', 200..300), ('🦀', 50..70)] {
        for length in lengths {
            let text: String = core::iter::repeat_n(character, length).collect();
            let slots = printed(true, |q7| neuron_println!(q7, "{}{text}", "<"));
            let whole: String = slots.iter().map(ConsoleSlot::text).collect();
            assert_eq!(whole, "<".to_string() + &text);
            let (last, before) = slots.split_last().unwrap();
            assert!(!last.continues() && before.iter().all(ConsoleSlot::continues));
            let least = ConsoleSlot::TEXT_BYTES - (character.len_utf8() - 1);
            assert!(before.iter().all(|slot| slot.text().len() >= least), "{slots:?}");
            assert!(before.is_empty() || !last.text().is_empty(), "{slots:?}");
        }
    }
}

#[test]
fn what_was_said_before_a_value_refused_is_printed() {
    struct Half;
    impl fmt::Display for Half {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("half of it")?;
            Err(fmt::Error)
        }
    }
    let slots = printed(true, |q7| neuron_println!(q7, "{Half}, and the rest"));
    assert_eq!(slots.iter().map(ConsoleSlot::text).collect::<Vec<_>>(), ["half of it"]);
}
