use std::collections::BTreeSet;

use neuron_device::{Access, HbmAddr};
use proptest::prelude::*;

use super::*;

fn sites() -> [Site; 2] {
    [std::panic::Location::caller(), std::panic::Location::caller()]
}

proptest! {
    #[test]
    fn bitmaps_equal_a_set_of_bytes(
        accesses in prop::collection::vec((0u64..9000, -300i64..300, 0u64..40, 0u32..4, 0usize..2), 0..20),
    ) {
        let sites = sites();
        let mut shadow = Shadow::default();
        let mut bytes = [BTreeSet::new(), BTreeSet::new()];
        for (start, step, count, size, site) in accesses {
            let (start, width) = (100_000 + start, 1 << size);
            let start_addr = HbmAddr::new(start);
            shadow.note(&Run { access: Access::Write, start: start_addr, step, count, bytes: width, site: sites[site] });
            for access in 0..count {
                let first = start.wrapping_add_signed(step * access as i64);
                bytes[site].extend(first..first + width);
            }
        }
        let all: BTreeSet<u64> = bytes[0].union(&bytes[1]).copied().collect();
        let mut seen = BTreeSet::new();
        for page in shadow.pages() {
            let bits = shadow.page(page).unwrap();
            let set: Vec<_> = (0..PAGE).filter(|&byte| bits[(byte / 64) as usize] >> (byte % 64) & 1 == 1).collect();
            prop_assert_eq!(&runs(&bits).flatten().collect::<Vec<_>>(), &set);
            seen.extend(set.iter().map(|byte| page * PAGE + byte));
        }
        prop_assert_eq!(&seen, &all);
        for &byte in all.iter().step_by(97) {
            let found: Vec<_> = shadow.sites(byte, byte + 1).collect();
            let expected: Vec<_> = (0..2).filter(|&line| bytes[line].contains(&byte)).map(|line| sites[line]).collect();
            prop_assert_eq!(found.len(), expected.len());
            prop_assert!(expected.iter().all(|site| found.contains(site)));
        }
    }
}

#[test]
fn masks() {
    assert_eq!(mask(0, 64), u64::MAX);
    assert_eq!(mask(4, 8), 0xF0);
    assert_eq!(mask(63, 64), 1 << 63);
}
