//! What JSON says of faults beyond what texts say.

use serde_json::Value;

use crate::suite::launch::Machines;
use crate::suite::seeds;

/// A rule of the `Documented` profile that a fault breaks too is among the notes, and every old local address has one; a
/// fault can be run again unless it takes several runs to see it.
#[test]
fn every_fault_has_its_rule_and_its_rerun_line() {
    let mut machines = Machines::on_threads(1);
    for seed in seeds() {
        let json = seed.run(&mut machines).to_json();
        let rules: Vec<&Value> = json["notes"].as_array().unwrap().iter().map(|note| &note["rule"]).collect();
        assert_eq!(json["seed"], Value::Null);
        assert!(json["private_pages"].is_u64());
        for (number, fault) in (1..).zip(json["faults"].as_array().unwrap()) {
            assert_eq!(fault["rule"].is_string(), fault["kind"] == "stale", "{fault}");
            assert!(fault["rule"].is_null() || rules.contains(&&fault["rule"]), "{fault} {rules:?}");
            let line = format!("cargo xtask replay FILE --until fault:{number}");
            let expected = if fault["kind"] == "mood" { Value::Null } else { line.into() };
            assert_eq!(fault["rerun"], expected, "{fault}");
        }
    }
}
