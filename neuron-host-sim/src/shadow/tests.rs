use std::collections::BTreeSet;

use neuron_device::HbmAddr;
use proptest::prelude::*;

use super::*;
use crate::bitmap::{PAGE, runs};

fn sites() -> [Site; 2] {
    [std::panic::Location::caller(), std::panic::Location::caller()]
}

fn bytes(page: u64, bits: Option<Bits>) -> impl Iterator<Item = u64> {
    bits.into_iter()
        .flat_map(move |bits| runs(&bits).flatten().map(move |byte| page * PAGE + byte).collect::<Vec<_>>())
}

proptest! {
    /// Runs of both directions from two lines, with accessors opened now and then: what was written, from where, what
    /// was read, and which reads surely came after the core's own write.
    #[test]
    fn a_shadow_is_sets_of_bytes(
        accesses in prop::collection::vec((any::<bool>(), 0u64..9000, -30i64..30, 0u64..40, 0u32..4, 0usize..2, 0u8..4), 0..20),
    ) {
        let sites = sites();
        let mut shadow = Shadow::default();
        let mut written = [BTreeSet::new(), BTreeSet::new()];
        let (mut read, mut settled, mut unexcused) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for (writes, start, step, count, size, site, opens) in accesses {
            let (start, width) = (100_000 + start, 1 << size);
            let access = if writes { Access::Write } else { Access::Read };
            shadow.note(&Run { access, start: HbmAddr::new(start), step, count, bytes: width, site: sites[site] });
            for access in 0..count {
                let first = start.wrapping_add_signed(step * access as i64);
                for byte in first..first + width {
                    if writes {
                        written[site].insert(byte);
                    } else {
                        read.insert(byte);
                        if !settled.contains(&byte) {
                            unexcused.insert(byte);
                        }
                    }
                }
            }
            if opens == 0 {
                shadow.settle();
                settled = written[0].union(&written[1]).copied().collect();
            }
        }
        let all: BTreeSet<u64> = written[0].union(&written[1]).copied().collect();
        let seen: BTreeSet<u64> =
            shadow.written_pages().into_iter().flat_map(|page| bytes(page, shadow.written(page).map(std::borrow::Cow::into_owned))).collect();
        prop_assert_eq!(&seen, &all);
        let pages = shadow.reads().numbers();
        let seen: BTreeSet<u64> =
            pages.iter().flat_map(|&page| bytes(page, shadow.reads().page(page).copied())).collect();
        prop_assert_eq!(&seen, &read);
        let seen: BTreeSet<u64> =
            pages.iter().flat_map(|&page| bytes(page, shadow.unexcused_reads(page))).collect();
        prop_assert_eq!(&seen, &unexcused);
        for &byte in all.iter().step_by(97) {
            let found: Vec<_> = shadow.sites(byte, byte + 1).collect();
            let expected: Vec<_> = (0..2).filter(|&line| written[line].contains(&byte)).map(|line| sites[line]).collect();
            prop_assert_eq!(found.len(), expected.len());
            prop_assert!(expected.iter().all(|site| found.contains(site)));
        }
    }
}
