use super::Rule;

/// A row of the table that people read.
fn row(rule: Rule) -> String {
    let severity = rule.severity().map_or("—", |severity| severity.name());
    let (name, topic, observed) = (rule.name(), rule.topic(), rule.observed());
    format!("| `{name}` | {topic} | {observed} | {} | {severity} | {} |", rule.documented(), rule.to_do())
}

#[test]
fn the_page_has_every_rule_and_no_other() {
    let page = include_str!("../../../docs/profiles.md");
    let there: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
    let rows = Rule::ALL.map(row);
    assert_eq!(there, rows, "docs/profiles.md should have:\n{}", rows.join("\n"));
}

#[test]
fn names_are_different() {
    let mut names = Rule::ALL.map(Rule::name);
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
}
