use super::*;

fn told(launches: usize, changed: &[&str], reported: &[&str]) -> Told {
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
    Told {
        site: 1,
        operator: 1,
        launches,
        changed: words(changed),
        reported: words(reported),
        launch: String::new(),
    }
}

#[test]
fn every_fate() {
    let fate = |changed: &[&str], reported: &[&str]| Fate::of(&told(1, changed, reported));
    assert_eq!(Fate::of(&told(0, &[], &[])), Fate::Unreached);
    assert_eq!(fate(&[], &[]), Fate::Same);
    assert_eq!(fate(&["accesses"], &[]), Fate::Harmless);
    assert_eq!(fate(&["accesses", "values"], &[]), Fate::Values);
    assert_eq!(fate(&["address", "values"], &["bounds"]), Fate::Reported);
    assert_eq!(fate(&["order", "end"], &["error", "race"]), Fate::Reported);
    assert_eq!(fate(&["end"], &["panic"]), Fate::Ended);
    assert_eq!(fate(&["end"], &["hung"]), Fate::Ended);
    assert_eq!(fate(&["coverage"], &[]), Fate::Survived);
    assert_eq!(fate(&["accesses", "values"], &["bounds"]), Fate::Alarm);
    assert_eq!(fate(&["end"], &["crash"]), Fate::Alarm);
}

#[test]
fn rates() {
    let mut tally = Tally::default();
    for _ in 0..6 {
        tally.note(Kind::Index, &told(1, &["address"], &["bounds", "coverage"]));
    }
    for (changed, reported) in [("end", "error"), ("coverage", ""), ("values", ""), ("values", "")] {
        let reported = [reported];
        let reported: &[&str] = if reported[0].is_empty() { &[] } else { &reported };
        tally.note(Kind::Bound, &told(1, &[changed], reported));
    }
    tally.note(Kind::Bound, &told(0, &[], &[]));
    assert_eq!((tally.sites(), tally.count(Fate::Reported), tally.count(Fate::Values)), (2, 6, 2));
    assert_eq!(tally.found(), 87.5);
    let text = tally.render();
    assert!(text.contains(" 87.50 % found of the mutants that leave a tensor"), "{text}");
    assert!(text.contains(" 85.71 % by a check"), "{text}");
    assert!(text.contains(" 70.00 % found of all"), "{text}");
    assert!(text.contains("  bounds    6\n  coverage  6\n"), "{text}");
}

#[test]
fn nothing_wrong_is_all_found() {
    assert_eq!(Tally::default().found(), 100.0);
}
