use proptest::prelude::*;

use super::*;

proptest! {
    #[test]
    fn blocks_are_aligned_disjoint_and_inside(
        base in 0u64..1000, len in 0u64..4096, asks in prop::collection::vec(0u64..700, 0..20),
    ) {
        let mut arena = Arena::new(HbmAddr::new(base), len);
        let mut next = base;
        for bytes in asks {
            let free = arena.free();
            match arena.allocate(bytes) {
                Some(addr) => {
                    prop_assert!(addr.is_aligned_to(64) && addr.get() >= next);
                    next = addr.get() + bytes;
                    prop_assert!(next <= base + len);
                }
                None => prop_assert!(free < bytes + 64 && arena.free() == free),
            }
        }
    }
}

#[test]
fn an_absurd_request_is_refused() {
    let mut arena = Arena::new(HbmAddr::new(u64::MAX - 100), 100);
    assert_eq!(arena.allocate(u64::MAX), None);
    assert_eq!(arena.free(), 100);
}
