//! What JSON says of faults beyond what texts say.

use neuron_host_sim::Verdict;
use serde_json::Value;

use crate::suite::launch::Machines;
use crate::suite::marker::read;
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
            let of_rule =
                fault["kind"] == "stale" || fault["kind"] == "profile" || fault["verdict"] == "other_value";
            assert_eq!(fault["rule"].is_string(), of_rule, "{fault}");
            assert!(fault["rule"].is_null() || rules.contains(&&fault["rule"]), "{fault} {rules:?}");
            let line = format!("cargo xtask replay FILE --until fault:{number}");
            // A launch with a record as it is cannot be run again.
            let once = fault["kind"] != "mood" && fault["kind"] != "argument";
            let expected = if once { line.into() } else { Value::Null };
            assert_eq!(fault["rerun"], expected, "{fault}");
        }
    }
}

/// The fields of an object, and of those in it.
fn fields(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::Object(members) => members.iter().for_each(|(name, value)| {
            into.push(name.clone());
            fields(value, into);
        }),
        Value::Array(items) => items.iter().for_each(|item| fields(item, into)),
        _ => {}
    }
}

#[test]
fn every_field_and_every_verdict_is_documented() {
    let mut names = Vec::new();
    let mut machines = Machines::on_threads(1);
    seeds().iter().for_each(|seed| fields(&seed.run(&mut machines).to_json(), &mut names));
    names.sort();
    names.dedup();
    let (report, faults) = (read("docs/report.md"), read("docs/faults.md"));
    let missing: Vec<&String> = names.iter().filter(|name| !report.contains(&format!("`{name}`"))).collect();
    assert!(names.len() > 40 && missing.is_empty(), "docs/report.md does not have {missing:?}");
    let documented = |verdict: &Verdict| {
        let section = faults.split("\n## ").find(|section| section.starts_with(verdict.kind().name()));
        section.is_some_and(|section| {
            // Of a kind with one verdict the section is about it.
            !section.contains("| verdict |") || section.contains(&format!("`{}`", verdict.name()))
        })
    };
    let missing: Vec<_> = Verdict::ALL.into_iter().filter(|verdict| !documented(verdict)).collect();
    assert!(missing.is_empty(), "docs/faults.md does not have {missing:?}");
}
