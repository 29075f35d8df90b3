//! A file as cargo-mutants leaves it.

use super::{AT_LEAST, Module, Score, read, render};

/// The outcome of the unchanged tree, then one of each mutant.
fn outcomes(baseline: &str, mutants: &[(&str, &str)], end: &str) -> String {
    let mut all =
        vec![format!("{{\"scenario\":\"Baseline\",\"summary\":\"{baseline}\",\"log_path\":\"log\"}}")];
    all.extend(mutants.iter().map(|(file, summary)| {
        format!(
            "{{\"scenario\":{{\"Mutant\":{{\"name\":\"replace\",\"file\":\"p/src/{file}\",\"genre\":\"FnValue\"}}}},\
             \"summary\":\"{summary}\"}}"
        )
    }));
    format!("{{\"outcomes\":[{}],\"total_mutants\":{},\"end_time\":{end}}}", all.join(","), mutants.len())
}

#[test]
fn each_mutant_counts_for_its_module() {
    let text = outcomes(
        "Success",
        &[
            ("words/layout.rs", "CaughtMutant"),
            ("words/layout/views.rs", "MissedMutant"),
            ("policy/window.rs", "Timeout"),
            ("policy/window.rs", "Unviable"),
        ],
        "\"later\"",
    );
    let scores = read(&text, "p", &[Module::Shape, Module::Dtype, Module::Window]).expect("a good file");
    let shape = Score { caught: 1, missed: 1, ..Score::default() };
    let window = Score { timeouts: 1, unviable: 1, ..Score::default() };
    assert_eq!(scores, [(Module::Shape, shape), (Module::Dtype, Score::default()), (Module::Window, window)]);
    let enough: Vec<bool> = scores.iter().map(|(_, score)| score.is_enough()).collect();
    assert_eq!(enough, [false, true, true]);
    let table = render(&scores);
    assert!(
        table.contains("shape   1       1       0        0         50.0 %   90 %      MISSED\n"),
        "{table}"
    );
    assert!(table.contains("dtype   0       0       0        0         -        90 %      met\n"), "{table}");
}

#[test]
fn ninety_of_a_hundred_are_enough() {
    for (missed, enough) in [(100 - AT_LEAST, true), (101 - AT_LEAST, false)] {
        let score = Score { caught: 100 - missed, missed, ..Score::default() };
        assert_eq!(score.is_enough(), enough, "{score:?}");
    }
}

#[test]
fn what_is_no_result_is_refused() {
    for (text, why) in [
        (outcomes("Failure", &[], "\"later\""), "the unit tests of p fail without any mutant"),
        (outcomes("Success", &[], "null"), "did not come to its end"),
        (
            outcomes("Success", &[("lib.rs", "CaughtMutant")], "\"later\""),
            "p/src/lib.rs, which no module has",
        ),
        ("{}".to_owned(), "not what cargo-mutants writes"),
    ] {
        let error = format!("{:#}", read(&text, "p", &Module::ALL).expect_err("no result"));
        assert!(error.contains(why), "{error}");
    }
}
