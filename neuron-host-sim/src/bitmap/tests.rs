use std::collections::BTreeSet;

use neuron_device::{Access, HbmAddr};
use proptest::prelude::*;

use super::*;

proptest! {
    #[test]
    fn a_bitmap_is_a_set_of_bytes(
        accesses in prop::collection::vec((0u64..9000, -300i64..300, 0u64..40, 0u32..4), 0..20),
        probes in prop::collection::vec((0u64..9000, 0u64..70), 0..20),
    ) {
        let site = std::panic::Location::caller();
        let (mut bitmap, mut bytes) = (Bitmap::default(), BTreeSet::new());
        for (start, step, count, size) in accesses {
            let (start, width) = (100_000 + start, 1 << size);
            let first = HbmAddr::new(start);
            bitmap.insert_run(&Run { access: Access::Write, start: first, step, count, bytes: width, site });
            for access in 0..count {
                let first = start.wrapping_add_signed(step * access as i64);
                bytes.extend(first..first + width);
            }
        }
        prop_assert_eq!(bitmap.is_empty(), bytes.is_empty());
        let mut seen = BTreeSet::new();
        for page in bitmap.numbers() {
            seen.extend(runs(bitmap.page(page).unwrap()).flatten().map(|byte| page * PAGE + byte));
        }
        prop_assert_eq!(&seen, &bytes);
        for (start, len) in probes {
            let (start, end) = (100_000 + start, 100_000 + start + len);
            prop_assert_eq!(bitmap.meets(start, end), bytes.range(start..end).next().is_some());
            let mut other = Bitmap::default();
            other.insert(start, end);
            prop_assert_eq!(other.meets_any(&bitmap), bitmap.meets(start, end));
            prop_assert_eq!(bitmap.meets_any(&other), bitmap.meets(start, end));
        }
    }
}

#[test]
fn masks() {
    assert_eq!(mask(0, 64), u64::MAX);
    assert_eq!(mask(4, 8), 0xF0);
    assert_eq!(mask(63, 64), 1 << 63);
}
