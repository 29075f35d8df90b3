//! The choice of steps, and the closing lines that CI reads.

use std::time::Duration;

use anyhow::{Result, anyhow};
use clap::ValueEnum;

use super::{Finished, Options, Step, chosen, summary};
use crate::outcome::Outcome;

fn finished(name: &str, result: Result<Outcome>) -> Finished {
    Finished { name: name.to_owned(), result, took: Duration::from_millis(1_250) }
}

#[test]
fn without_options_every_step_runs() {
    assert_eq!(chosen(&Options::default()), Step::value_variants());
}

#[test]
fn only_and_skip_narrow_the_choice_and_keep_the_order() {
    let only = Options { only: vec![Step::Docs, Step::Fmt], skip: vec![] };
    assert_eq!(chosen(&only), [Step::Fmt, Step::Docs]);
    let both = Options { only: vec![Step::Docs, Step::Fmt], skip: vec![Step::Fmt] };
    assert_eq!(chosen(&both), [Step::Docs]);
}

#[test]
fn the_last_line_counts_every_result() {
    let text = summary(&[
        finished("fmt", Ok(Outcome::Passed)),
        finished("tests", Err(anyhow!("exit code 101"))),
        finished("rv32", Ok(Outcome::Skipped("no qemu".to_owned()))),
    ]);
    assert_eq!(
        text,
        "FAILED tests: exit code 101\n\
         \x20 step   result   seconds\n\
         \x20 fmt    passed   1.2\n\
         \x20 tests  FAILED   1.2\n\
         \x20 rv32   skipped  1.2\n\
         1 passed, 1 failed, 1 skipped"
    );
}
