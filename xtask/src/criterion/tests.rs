//! A folder as criterion leaves it.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::medians;

fn benchmark(root: &Path, folder: &str, id: &str, median: f64) {
    let new = root.join(folder).join("new");
    fs::create_dir_all(&new).expect("a writable folder");
    fs::write(new.join("benchmark.json"), format!("{{\"group_id\":\"g\",\"full_id\":\"{id}\"}}"))
        .expect("written");
    let estimates =
        format!("{{\"mean\":{{\"point_estimate\":1}},\"median\":{{\"point_estimate\":{median}}}}}");
    fs::write(new.join("estimates.json"), estimates).expect("written");
}

#[test]
fn medians_are_found_at_any_depth_by_full_name() {
    let root = tempfile::tempdir().expect("a scratch folder");
    benchmark(root.path(), "relu/accessor_checked", "relu/accessor/checked", 30.5);
    benchmark(root.path(), "empty", "empty", 2.0);
    fs::create_dir_all(root.path().join("report")).expect("a writable folder");
    let found = medians(root.path(), SystemTime::UNIX_EPOCH).expect("a good folder");
    let expected = [("empty".to_owned(), 2.0), ("relu/accessor/checked".to_owned(), 30.5)];
    assert_eq!(found.into_iter().collect::<Vec<_>>(), expected);
}

#[test]
fn results_of_earlier_runs_are_left_out() {
    let root = tempfile::tempdir().expect("a scratch folder");
    benchmark(root.path(), "renamed", "renamed", 2.0);
    let later = SystemTime::now() + Duration::from_secs(3_600);
    assert!(medians(root.path(), later).expect("a good folder").is_empty());
}

#[test]
fn a_broken_or_missing_folder_is_named() {
    let root = tempfile::tempdir().expect("a scratch folder");
    benchmark(root.path(), "empty", "empty", 2.0);
    fs::write(root.path().join("empty/new/estimates.json"), "{}").expect("written");
    let broken = medians(root.path(), SystemTime::UNIX_EPOCH).expect_err("no median").to_string();
    assert!(broken.contains("estimates.json is not what criterion writes"), "{broken}");
    assert!(medians(&root.path().join("absent"), SystemTime::UNIX_EPOCH).is_err());
}
