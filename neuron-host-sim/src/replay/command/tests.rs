use super::*;

fn parsed(line: &str) -> Result<Option<Command>, String> {
    parse(line.split_whitespace().map(OsString::from))
}

#[test]
fn a_command_line_says_what_to_replay() {
    let until: Until = "write:out[17]".parse().unwrap();
    let command = Command { file: "a.replay".into(), core: Some(3), until };
    assert_eq!(parsed("a.replay --core 3 --until write:out[17]").as_ref(), Ok(&Some(command)));
    let first = Command { file: "a.replay".into(), core: Some(0), until: Until::default() };
    assert_eq!(parsed("--core=0 a.replay"), Ok(Some(first)));
    assert_eq!(parsed("a.replay -h"), Ok(None));
}

#[test]
fn what_is_wrong_with_it_is_said() {
    let said = |line: &str| parsed(line).unwrap_err();
    assert_eq!(said(""), "say which file to replay: see --help");
    assert_eq!(said("a b"), "one file is replayed at a time, and `b` is another");
    assert_eq!(said("a --core"), "--core needs a value: see --help");
    assert_eq!(said("a --core three"), "--core needs a number, not `three`");
    assert_eq!(said("a --after 3"), "there is no option --after: see --help");
    assert!(said("a --until now").starts_with("`now` is no place to stop at: "));
}

#[test]
fn help_needs_no_file_and_a_missing_file_is_named() {
    let asked = |line: &str| answer(line.split_whitespace().map(OsString::from), &[], Path::new("."));
    assert_eq!(asked("--help").as_deref(), Ok(USAGE));
    assert!(asked("no/such.replay").unwrap_err().starts_with("no/such.replay cannot be read: "));
}
