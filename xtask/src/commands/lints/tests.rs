//! Lines out of marks and out of messages.

use super::{marked, refused};

fn message(lint: &str, line: usize, reason: &str) -> String {
    format!(r#"{{"code":{{"code":"{lint}"}},"rendered":"{reason}","spans":[{{"line_start":{line}}}]}}"#)
}

#[test]
fn a_mark_ends_its_line() {
    let text = "fn f() {\n    x.exp(); //~ refused\n    //~ refused is a mark\n    x.sin(); //~ refused\n}\n";
    assert_eq!(marked(text).into_iter().collect::<Vec<_>>(), [2, 4]);
}

#[test]
fn messages_give_their_lines_and_the_count_at_the_end_none() {
    let reason = "use neuron_device::math::exp";
    let first = message("clippy::disallowed_methods", 7, reason);
    let second = message("clippy::disallowed_methods", 3, reason);
    let count = r#"{"code":null,"rendered":"2 warnings emitted","spans":[]}"#;
    let lines = refused(&format!("{first}\n{second}\n{first}\n{count}\n")).unwrap();
    assert_eq!(lines.into_iter().collect::<Vec<_>>(), [3, 7]);
}

#[test]
fn another_message_and_a_reason_without_a_way_out_are_errors() {
    let other = refused(&message("dead_code", 1, "never used")).unwrap_err().to_string();
    assert!(other.ends_with("also\nnever used"), "{other}");
    let silent = refused(&message("clippy::disallowed_methods", 1, "do not")).unwrap_err().to_string();
    assert!(silent.starts_with("a reason that does not name neuron_device::math"), "{silent}");
    assert!(refused("thread panicked").is_err());
}
