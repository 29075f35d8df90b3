//! The comparison with a 32-bit core, without one: the image built for this host must agree with the simulator, and
//! what is wrong must be noticed and blamed on the right case.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use neuron_tests::compare::{Image, SETTINGS, Trial, place, prepare, refuses_wrong_images, run, trials};
use neuron_tests::reply::Reply;

const PROGRAM: &str = env!("CARGO_BIN_EXE_rv32-image");

fn image() -> Image {
    Image::native(Path::new(PROGRAM))
}

fn named(name: &str) -> Trial {
    trials().into_iter().find(|trial| trial.name() == name).unwrap()
}

#[test]
fn every_op_is_the_same_in_the_simulator_and_on_flat_memory() {
    let trials = trials();
    let summary = run(&prepare(&trials).unwrap(), &image()).unwrap();
    assert!(summary.failures().is_empty() && summary.forgotten().is_empty(), "{summary}");
    assert!(summary.passed() > 3 * trials.len() / 2, "{summary}");
}

#[test]
fn an_output_that_is_not_as_expected_is_a_failure() {
    let trials = [named("relu [9]")];
    let mut prepared = prepare(&trials).unwrap();
    let Ok(Reply::Ran { answer, .. }) = &mut prepared[1].expected else { panic!("{prepared:?}") };
    answer[8 * 4] ^= 1;
    let summary = run(&prepared, &image()).unwrap();
    assert_eq!(summary.passed(), 2);
    let [failure] = summary.failures() else { panic!("{summary}") };
    assert_eq!(failure.case, "relu [9], 8 cores, window edges, observed");
    let words = "simulator to flat memory: 1 elements of f32 differ, the first at 8 of the storage";
    assert!(failure.difference.starts_with(words), "{summary}");
}

#[test]
fn an_op_that_no_case_runs_is_a_failure() {
    let trials = [named("relu [9]")];
    let summary = run(&prepare(&trials).unwrap(), &image()).unwrap();
    assert!(summary.forgotten().iter().any(|op| op.name() == "scale"));
    assert!(summary.to_string().ends_with(&format!("3 passed, {} failed", summary.forgotten().len())));
}

#[test]
fn a_case_that_ends_the_image_is_told_and_the_next_ones_still_run() {
    let right = place(&named("relu [9]"), &SETTINGS[0], 1).unwrap();
    // Reads past the end of `x`, and a flat platform does not go on after a fault.
    let wrong = place(&named("buggy_relu [17]"), &SETTINGS[0], 2).unwrap();
    let replies = image().run(&[&right, &wrong, &wrong, &right]).unwrap();
    let [Ok(first), Err(second), Err(third), Ok(last)] = replies.as_slice() else { panic!("{replies:?}") };
    assert_eq!(first, last);
    for words in [second, third] {
        assert!(words.contains("exit status: 101"), "{words}");
        assert!(words.contains("core 7: OutOfBounds"), "{words}");
    }
}

#[test]
fn a_core_that_would_run_the_code_of_another_is_refused_at_boot() {
    refuses_wrong_images(&image()).unwrap();
    // A program that refuses nothing is no image.
    let error = refuses_wrong_images(&Image::native(Path::new("cat"))).unwrap_err();
    assert!(error.to_string().starts_with("a core with the code of another is not refused at boot: "));
}

#[test]
fn an_image_that_ends_at_every_case_is_not_started_for_all_of_them() {
    let wrong = place(&named("buggy_relu [17]"), &SETTINGS[0], 1).unwrap();
    let replies = image().run(&[wrong.as_slice(); 30]).unwrap();
    assert_eq!(replies.len(), 30);
    assert!(replies[29].clone().unwrap_err().starts_with("not run"), "{replies:?}");
    let nothing = Image::native(Path::new("no-such-program")).run(&[&wrong]).unwrap_err();
    assert_eq!(nothing.to_string(), "cannot start no-such-program");
}

#[test]
fn tensors_on_the_edges_of_windows_take_windows_from_each_other() {
    let on_edges = SETTINGS.iter().find(|setting| setting.on_edges).unwrap();
    let case = place(&named("blend [4103]"), on_edges, 1).unwrap();
    let replies = image().run(&[&case]).unwrap();
    let [Ok(Reply::Ran { cores, .. })] = replies.as_slice() else { panic!("{replies:?}") };
    for core in cores {
        assert!(core.counters.evictions() > core.counters.stores, "{core:?}");
    }
}

#[test]
fn input_that_is_no_stream_of_cases_is_refused_in_words() {
    for (input, words) in [
        (&[1, 0, 0][..], "the input ends inside a case"),
        (&[9, 0, 0, 0, 1], "the input ends inside a case"),
        (&[255; 8], "a case of 4294967295 bytes is longer than the buffer"),
    ] {
        let mut image = Command::new(PROGRAM)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        image.stdin.take().unwrap().write_all(input).unwrap();
        let end = image.wait_with_output().unwrap();
        assert!(!end.status.success() && end.stdout.is_empty());
        assert!(String::from_utf8_lossy(&end.stderr).contains(words), "{end:?}");
    }
    let foreign = image().run(&[b"no case"]).unwrap();
    assert!(matches!(&foreign[..], [Ok(Reply::Refused(reason))] if reason.contains("different builds")));
}
