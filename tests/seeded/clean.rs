//! What is right is not reported.

use std::collections::BTreeSet;

use crate::suite::clean;
use crate::suite::launch::{Launch, Machines};
use crate::suite::marker::judge;

#[test]
fn what_is_right_is_silent() {
    let mut machines = Machines::on_threads(1);
    let judged = |launch: &Launch| {
        judge(&launch.run(&mut machines)).err().map(|report| format!("{}:\n{report}", launch.name()))
    };
    let noisy: Vec<String> = clean().iter().filter_map(judged).collect();
    assert!(noisy.is_empty(), "{} launches:\n\n{}", noisy.len(), noisy.join("\n\n"));
}

#[test]
fn there_are_sixty_clean_launches_beside_the_examples() {
    let launches = clean();
    let (examples, own): (Vec<_>, Vec<_>) =
        launches.iter().partition(|launch| launch.op.source().file.starts_with("examples"));
    let names = |launches: &[&Launch]| {
        launches.iter().map(|launch| (launch.op.source().file, launch.name())).collect::<BTreeSet<_>>()
    };
    assert_eq!(names(&own).len(), own.len(), "two launches of one name");
    assert!(own.len() >= 60, "{} launches", own.len());
    assert!(!examples.is_empty());
}
