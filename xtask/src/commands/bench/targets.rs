//! The speed targets: one benchmark's median as a multiple of another's.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use crate::table;

/// A ratio with the most it should be.
#[derive(Debug)]
pub(super) struct Target {
    label: &'static str,
    numerator: &'static str,
    denominator: &'static str,
    at_most: f64,
}

/// Every target that is a ratio; a benchmark with an absolute one prints it itself.
pub(super) const TARGETS: [Target; 15] = [
    Target {
        label: "relu through elements, unchecked, to native",
        numerator: "relu/elements/unchecked",
        denominator: "relu/native",
        at_most: 2.5,
    },
    Target {
        label: "relu through accessors, unchecked, to native",
        numerator: "relu/accessor/unchecked",
        denominator: "relu/native",
        at_most: 2.5,
    },
    Target {
        label: "relu through elements, checked to unchecked",
        numerator: "relu/elements/checked",
        denominator: "relu/elements/unchecked",
        at_most: 4.0,
    },
    Target {
        label: "relu through accessors, checked to unchecked",
        numerator: "relu/accessor/checked",
        denominator: "relu/accessor/unchecked",
        at_most: 4.0,
    },
    Target {
        label: "relu of a transposed view, unchecked, to native",
        numerator: "relu-transposed/elements/unchecked",
        denominator: "relu-transposed/native",
        at_most: 4.0,
    },
    Target {
        label: "relu of bf16 to f32, unchecked",
        numerator: "relu/bf16/unchecked",
        denominator: "relu/elements/unchecked",
        at_most: 1.5,
    },
    Target {
        label: "row sums through accessors, unchecked, to native",
        numerator: "row-sum/accessor/unchecked",
        denominator: "row-sum/native",
        at_most: 2.5,
    },
    Target {
        label: "relu by tiles of 4 KiB, unchecked, to memcpy, loop, memcpy",
        numerator: "staged/tiles/unchecked",
        denominator: "staged/native-tiles",
        at_most: 1.3,
    },
    Target {
        label: "relu by chunks of streams, unchecked, to the same",
        numerator: "staged/chunks/unchecked",
        denominator: "staged/native-tiles",
        at_most: 1.6,
    },
    Target {
        label: "relu by iterators of streams, unchecked, to a native loop",
        numerator: "staged/iterator/unchecked",
        denominator: "staged/native-elements",
        at_most: 2.0,
    },
    Target {
        label: "relu by tiles, checked to unchecked",
        numerator: "staged/tiles/checked",
        denominator: "staged/tiles/unchecked",
        at_most: 4.0,
    },
    Target {
        label: "softmax of 1024 rows of 1024, staged, unchecked, to native",
        numerator: "softmax/staged/unchecked",
        denominator: "softmax/native",
        at_most: 1.3,
    },
    Target {
        label: "bulk copy of 4 KiB from HBM to memcpy",
        numerator: "bulk/from-shared/4096",
        denominator: "bulk/memcpy-in/4096",
        at_most: 1.25,
    },
    Target {
        label: "bulk copy of 16 KiB from HBM to memcpy",
        numerator: "bulk/from-shared/16384",
        denominator: "bulk/memcpy-in/16384",
        at_most: 1.25,
    },
    Target {
        label: "bulk copy of 64 KiB from HBM to memcpy",
        numerator: "bulk/from-shared/65536",
        denominator: "bulk/memcpy-in/65536",
        at_most: 1.25,
    },
];

/// The table: label, ratio, target, verdict. A benchmark that did not run is named.
pub(super) fn render(targets: &[Target], medians: &BTreeMap<String, f64>) -> String {
    let rows: Vec<Vec<String>> = targets
        .iter()
        .map(|target| {
            let (ratio, verdict) = judge(target, medians);
            vec![target.label.to_owned(), ratio, format!("{:.2}", target.at_most), verdict]
        })
        .collect();
    table::render(&["what", "ratio", "at most", "verdict"], &rows)
}

fn judge(target: &Target, medians: &BTreeMap<String, f64>) -> (String, String) {
    let absent = [target.numerator, target.denominator].into_iter().find(|id| !medians.contains_key(*id));
    if let Some(id) = absent {
        return ("-".to_owned(), format!("not measured: no benchmark {id}"));
    }
    let ratio = medians[target.numerator] / medians[target.denominator];
    let verdict = if ratio <= target.at_most { "met" } else { "MISSED" };
    (format!("{ratio:.2}"), verdict.to_owned())
}
