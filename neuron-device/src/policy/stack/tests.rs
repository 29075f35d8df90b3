//! The switch, as a table and for every state of the registers.

use proptest::prelude::*;

use super::{
    ALIGN, CONTEXT, DEFAULT_STACK_SIZE, MAX_STACK_SIZE, Stack, StackKind, StackRegisters, choose, hbm_bytes,
};

#[test]
fn a_core_switches_if_less_remains_than_the_op_asks_for() {
    use StackKind::{Hbm, Local};
    let table = [
        // pointer, limit, asked: where, and how large
        (0xA000, 0x8000, DEFAULT_STACK_SIZE, Some((Local, 0x2000))),
        (0x8000 + 4196, 0x8000, 4196, Some((Local, 4196))),
        (0x8000 + 4195, 0x8000, 4196, Some((Hbm, 4196))),
        (0x8000, 0x8000, 1, Some((Hbm, 1))),
        (0x7FFF, 0x8000, 1, Some((Hbm, 1))),
        (0xA000, 0x8000, 0x2001, Some((Hbm, 0x2001))),
        (0xA000, 0x8000, MAX_STACK_SIZE, Some((Hbm, MAX_STACK_SIZE))),
        (0xA000, 0x8000, MAX_STACK_SIZE + 1, None),
        (u32::MAX, 0, MAX_STACK_SIZE, Some((Local, u32::MAX))),
        (u32::MAX, 0, MAX_STACK_SIZE + 1, None),
        (0xA000, 0x8000, 0, None),
    ];
    for (pointer, limit, asked, expected) in table {
        let registers = StackRegisters { pointer, limit, most: MAX_STACK_SIZE };
        let expected = expected.map(|(kind, bytes)| Stack { kind, bytes });
        assert_eq!(choose(registers, asked), expected, "{registers:x?} {asked}");
    }
}

#[test]
fn a_stack_in_hbm_has_its_context_on_top() {
    assert_eq!([1, 64, 65, 4196].map(hbm_bytes), [192, 192, 256, 4352]);
}

proptest! {
    #[test]
    fn whatever_is_chosen_is_large_enough(pointer: u32, limit: u32, most: u32, asked: u32) {
        let registers = StackRegisters { pointer, limit, most };
        match choose(registers, asked) {
            None => prop_assert!(asked == 0 || asked > most),
            Some(Stack { kind, bytes }) => {
                prop_assert!(0 < asked && asked <= most && bytes >= asked);
                let enough = pointer >= limit && pointer - limit >= asked;
                prop_assert_eq!(kind == StackKind::Local, enough);
                prop_assert_eq!(bytes, if enough { pointer - limit } else { asked });
            }
        }
    }

    #[test]
    fn a_block_of_hbm_is_aligned_at_both_ends(bytes in 1..=MAX_STACK_SIZE) {
        let block = hbm_bytes(bytes);
        prop_assert!(block.is_multiple_of(ALIGN) && block >= u64::from(bytes) + CONTEXT);
        prop_assert!(block < u64::from(bytes) + CONTEXT + ALIGN);
    }
}
