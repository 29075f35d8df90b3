//! Verdicts on ratios.

use std::collections::BTreeMap;

use super::{Target, render};

const TARGET: Target = Target { label: "a to b", numerator: "a", denominator: "b", at_most: 2.5 };

fn verdict(medians: &[(&str, f64)]) -> String {
    let medians: BTreeMap<String, f64> = medians.iter().map(|&(id, ns)| (id.to_owned(), ns)).collect();
    let table = render(&[TARGET], &medians);
    table.lines().nth(1).expect("one row").trim().to_owned()
}

#[test]
fn a_ratio_at_its_target_is_met_and_above_it_missed() {
    assert_eq!(verdict(&[("a", 5.0), ("b", 2.0)]), "a to b  2.50   2.50     met");
    assert_eq!(verdict(&[("a", 5.1), ("b", 2.0)]), "a to b  2.55   2.50     MISSED");
}

#[test]
fn a_benchmark_that_did_not_run_is_named() {
    assert_eq!(verdict(&[("b", 2.0)]), "a to b  -      2.50     not measured: no benchmark a");
    assert_eq!(verdict(&[("a", 2.0)]), "a to b  -      2.50     not measured: no benchmark b");
}

#[test]
fn nonsense_is_no_success() {
    assert!(verdict(&[("a", 0.0), ("b", 0.0)]).ends_with("MISSED"));
}
