//! What passes for the buggy kernel's report, and what does not.

use super::{Finding, check_report};

const GOOD: &str = r#"{"faults":[
    {"kind":"bounds","access":"read","argument":"x","count":3},
    {"kind":"bounds","access":"write","argument":"out","count":3},
    {"kind":"coverage","verdict":"never written","argument":"out","count":3}]}"#;

const THREE: Finding = Finding { n: 17, faults: 3, count: 3 };
const NONE: Finding = Finding { n: 4096, faults: 0, count: 0 };

fn message(json: &str, expected: Finding) -> String {
    check_report(json, expected).expect_err("the report must be refused").to_string()
}

#[test]
fn the_three_faults_pass_with_the_right_count_only() {
    check_report(GOOD, THREE).expect("the right report");
    assert_eq!(message(GOOD, Finding { count: 49, ..THREE }), "fault 0 has count 3 instead of 49");
    assert_eq!(message(GOOD, NONE), "3 faults instead of 0");
    let uncounted = GOOD.replace("\"out\",\"count\":3", "\"out\"");
    assert_eq!(message(&uncounted, THREE), "fault 1 has no count");
}

#[test]
fn a_clean_report_has_an_empty_list() {
    check_report(r#"{"faults":[],"cores":[]}"#, NONE).expect("a clean report");
    assert_eq!(message(r#"{"faults":[]}"#, THREE), "0 faults instead of 3");
    assert_eq!(message("{}", NONE), "the report has no list named \"faults\"");
}

#[test]
fn text_around_the_json_is_refused() {
    assert_eq!(message(&format!("running\n{GOOD}"), THREE), "stdout is not JSON alone");
    assert_eq!(message("", THREE), "stdout is not JSON alone");
}

#[test]
fn a_fault_told_twice_is_refused() {
    let twice = GOOD.replace("\"write\",\"argument\":\"out\"", "\"read\",\"argument\":\"x\"");
    assert_eq!(message(&twice, THREE), "fault 1 repeats an earlier one");
}
