//! Ends of runs.

use super::{EXIT_CODE, Verdict};

const REPORT: &str = "==================\nWARNING: ThreadSanitizer: data race (pid=4)\n  Write of size 4\n";

#[test]
fn a_race_is_a_report_and_its_exit_code() {
    assert_eq!(Verdict::of(Some(EXIT_CODE), REPORT), Some(Verdict::Race));
    assert_eq!(Verdict::of(Some(0), ""), Some(Verdict::Clean));
    assert_eq!(Verdict::of(Some(0), "a line of the program's own\n"), Some(Verdict::Clean));
}

#[test]
fn any_other_end_is_no_verdict() {
    assert_eq!(Verdict::of(Some(EXIT_CODE), "FATAL: ThreadSanitizer: unexpected memory mapping"), None);
    assert_eq!(Verdict::of(Some(0), REPORT), None);
    assert_eq!(Verdict::of(Some(101), "a core panicked"), None);
    assert_eq!(Verdict::of(None, ""), None);
}
