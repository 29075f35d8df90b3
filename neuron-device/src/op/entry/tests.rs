//! What a launch does about the stack.

use std::string::ToString;

use crate::core::q7::Q7;
use crate::policy::stack::{Stack, StackKind, StackRegisters};
use crate::port::rig::{Rig, Timing};
use crate::prelude::*;
use crate::{ErrorKind, HeapName, Op};

#[custom_op(stack_size = 10_000)]
fn deep(q7: &Q7, _x: &Tensor) -> Result<Tensor> {
    q7.empty(Dtype::U8, &[1])
}

#[custom_op]
fn shallow(q7: &Q7, _x: &Tensor) -> Result<Tensor> {
    q7.empty(Dtype::U8, &[1])
}

fn registers(used: u32, most: u32) -> StackRegisters {
    StackRegisters { pointer: 0xA000 - used, limit: 0x8000, most }
}

/// 8 KiB of local stack, of which `used` are used.
fn rig(used: u32) -> Rig {
    Rig::new(0, Timing::AtOnce).with_stack(registers(used, 400_000))
}

/// The stack that is chosen, and where the first tensor lies while the op runs and after it.
fn launched(op: &Op, used: u32) -> (Stack, u64, u64) {
    Q7::enter(&mut rig(used), |q7| {
        let (mut chosen, mut during) = (None, 0);
        let address = || q7.empty(Dtype::U8, &[1]).unwrap().storage().get() - Rig::SCRATCH.get();
        let ended = op.entry().launch_on(q7, &mut |stack, wrapper| {
            chosen = Some(stack);
            during = address();
            wrapper();
            true
        });
        // The rig has no arguments.
        assert!(matches!(ended.unwrap_err().kind(), ErrorKind::NoArgument { .. }));
        (chosen.unwrap(), during, address())
    })
}

#[test]
fn a_stack_in_hbm_is_drawn_from_the_heap_and_given_back() {
    let local = |bytes| Stack { kind: StackKind::Local, bytes };
    let hbm = |bytes| Stack { kind: StackKind::Hbm, bytes };
    assert_eq!(launched(op!(shallow), 0), (local(8192), 0, 64));
    assert_eq!(launched(op!(shallow), 8192 - 4196), (local(4196), 0, 64));
    // 4196 bytes up to a multiple of 64, and 128 of context.
    assert_eq!(launched(op!(shallow), 8192 - 4195), (hbm(4196), 4352, 0));
    assert_eq!(launched(op!(deep), 0), (hbm(10_000), 10_048 + 128, 0));
}

#[test]
fn it_is_given_back_when_the_kernel_panics() {
    Q7::enter(&mut rig(0), |q7| {
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            op!(deep).entry().launch_on(q7, &mut |_, _| std::panic::resume_unwind(std::boxed::Box::new(1)))
        }));
        assert!(panic.is_err());
        assert_eq!(q7.empty(Dtype::U8, &[1]).unwrap().storage(), Rig::SCRATCH);
    });
}

#[test]
fn what_is_too_much_or_finds_no_room_is_told_at_the_number_that_asks_for_it() {
    let refused = |mut rig: Rig, fill: u32| {
        Q7::enter(&mut rig, |q7| {
            let _full = q7.empty(Dtype::U8, &[fill]).unwrap();
            op!(deep).entry().launch_on(q7, &mut |_, _| unreachable!("nothing is run")).unwrap_err()
        })
    };
    let error = refused(rig(0).with_stack(registers(0, 9_999)), 1);
    assert_eq!(error.kind(), &ErrorKind::StackSize { asked: 10_000, most: 9_999 });
    assert_eq!((error.argument(), error.site().file()), (Some("stack"), file!()));
    assert!(error.to_string().starts_with("`stack` asks for 10000 bytes, but an op may ask for 1 to 9999: "));

    let all = Rig::EDGE + Rig::SIDE - Rig::SCRATCH.get();
    let error = refused(rig(0), all as u32 - 10_000);
    let ErrorKind::HeapExhausted { heap: HeapName::HbmScratch, state } = error.kind() else {
        panic!("{error}");
    };
    assert_eq!((state.asked(), state.align()), (10_176, 64));
    assert_eq!((error.argument(), error.site().line()), (Some("stack"), 11));
}

#[test]
fn a_kernel_cannot_give_its_stack_back() {
    let mut core = rig(0);
    Q7::enter(&mut core, |q7| {
        let _ = op!(deep).entry().launch_on(q7, &mut |_, _| {
            // SAFETY: nothing is there but the stack, on which nothing runs in this test.
            unsafe { q7.neuron_hbm_free(Rig::SCRATCH) };
            true
        });
    });
    assert!(matches!(core.faults()[..], [crate::Fault::BadFree { .. }]), "{:?}", core.faults());
}

#[test]
fn an_op_that_does_not_come_to_its_end_says_nothing_more() {
    let mut core = rig(0);
    Q7::enter(&mut core, |q7| {
        let error = op!(shallow).entry().launch_on(q7, &mut |_, _| false).unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::StackOverflow { limit: 8192 });
    });
    assert!(core.counters.is_none());
}
