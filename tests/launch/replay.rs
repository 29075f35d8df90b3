//! Launches that are saved and run again up to a fault or an access.

mod own;

use std::path::Path;

use neuron_device::{Counters, Library, Op, op, prelude::*};
use neuron_host_sim::replay::{NotKept, Replay, ReplayError, SaveError, Stop};
use neuron_host_sim::{Arg, FaultKind, HostTensor, Outcome, Report, Simulator, Verdict, args};

use crate::{kernels, ramp, simulator};

neuron_library! {
    OWN: "own" = [
        own::summed, own::doubled, own::overheard, own::forgetful, own::roots, own::raw, own::waiting,
        own::waiting_locally, own::staged
    ]
}
neuron_library!(WRONG: "wrong" = [kernels::racing, kernels::two_fall]);

fn libraries() -> Vec<&'static Library> {
    neuron_examples::LIBRARIES.iter().copied().chain([&OWN, &WRONG]).collect()
}

/// A simulator that keeps every launch.
fn keeping() -> Simulator {
    Simulator::builder().host_threads(1).keep_inputs().build().unwrap()
}

/// Save the launch, open it, and run it up to a place.
fn stopped(report: &Report, core: Option<u32>, until: &str) -> Result<Stop, ReplayError> {
    let name = format!("neuron-launch-{}-{:p}.replay", std::process::id(), report);
    let file = std::env::temp_dir().join(name);
    report.save(&file).unwrap();
    let replay = Replay::open(&file);
    std::fs::remove_file(&file).unwrap();
    replay?.run(&libraries(), core, &until.parse().unwrap())
}

#[track_caller]
fn stop(report: &Report, core: Option<u32>, until: &str) -> Stop {
    stopped(report, core, until).unwrap_or_else(|error| panic!("{error}\n{report}"))
}

/// What `cargo xtask replay` prints of it: files are counted from the workspace's root.
fn text(stop: &Stop) -> String {
    stop.to_text(Path::new(".."))
}

fn launched(op: &'static Op, arguments: &[Arg<'_>]) -> Report {
    keeping().launch(op, arguments).unwrap()
}

/// The 17 elements of N01: what the last core does past the end.
fn buggy_relu() -> Report {
    simulator().launch(op!(neuron_examples::buggy_relu::buggy_relu), &args![&ramp(&[17])]).unwrap()
}

#[test]
fn n01_a_bounds_fault() {
    let report = buggy_relu();
    insta::assert_snapshot!(text(&stop(&report, None, "fault")));
    let second = stop(&report, None, "fault:2");
    let fault = second.fault.as_ref().unwrap();
    assert_eq!((&fault.verdict, &fault.first, &fault.lines), {
        let fault = &report.faults()[1];
        (&fault.verdict, &fault.first, &fault.lines)
    });
    assert_eq!((second.core, second.loads, second.stores), (7, 0, 0), "both are of the first element");
}

#[test]
fn every_rerun_line_leads_to_its_fault() {
    let racing = simulator().launch(op!(kernels::racing), &args![&ramp(&[17])]).unwrap();
    for report in [buggy_relu(), racing, launched(op!(own::raw), &args![&ramp(&[8])])] {
        assert!(!report.faults().is_empty());
        for (at, fault) in report.faults().iter().enumerate() {
            let line = report.rerun(at).unwrap();
            let until = line.strip_prefix("cargo xtask replay FILE --until ").unwrap();
            let found = stop(&report, None, until).fault.unwrap();
            assert_eq!(
                (found.verdict, found.lines),
                (fault.verdict, fault.lines.clone()),
                "{line}\n{report}"
            );
        }
    }
    assert_eq!(launched(op!(neuron_examples::relu::relu), &args![&ramp(&[8])]).rerun(0), None);
}

#[test]
fn elements_never_written_have_no_place_and_the_core_runs_to_its_end() {
    let report = buggy_relu();
    let never = stop(&report, Some(2), "fault:3");
    assert_eq!(never.fault.as_ref().map(|fault| fault.verdict), Some(Verdict::NeverWritten));
    assert_eq!(never.outcome, Some(Outcome::Returned));
    let value = never.value.as_ref().unwrap();
    assert_eq!((value.argument, value.index.as_str(), value.accesses.len()), ("out", "[14]", 0));
    assert!(never.to_string().contains("core 2 did not access it"), "{never}");
}

#[test]
fn a_race_as_both_cores_see_it() {
    let report = launched(op!(own::overheard), &args![&ramp(&[8])]);
    let race = report.faults().iter().position(|fault| fault.verdict == Verdict::WrittenAndRead).unwrap() + 1;
    let reader = stop(&report, None, &format!("fault:{race}"));
    insta::assert_snapshot!("the_core_that_reads", text(&reader));
    insta::assert_snapshot!("the_core_that_writes", text(&stop(&report, Some(1), &format!("fault:{race}"))));
}

#[test]
fn cores_that_write_one_element() {
    let report = simulator().launch(op!(kernels::racing), &args![&ramp(&[17])]).unwrap();
    for core in report.faults()[0].cores.iter().copied() {
        let stop = stop(&report, Some(core), "fault");
        let access = stop.access.unwrap();
        let address = report.faults()[0].address.unwrap();
        assert_eq!((access.access.name(), access.address), ("write", address), "core {core}");
        assert!(report.faults()[0].lines.iter().any(|line| line.site == access.site));
    }
}

#[test]
fn memory_nobody_wrote() {
    let report = simulator().launch(op!(own::forgetful), &args![&ramp(&[8])]).unwrap();
    assert_eq!(report.faults()[0].kind(), FaultKind::Uninitialised);
    insta::assert_snapshot!(text(&stop(&report, Some(4), "fault")));
    let written = stop(&report, Some(4), "write:scratch[2]").access.unwrap();
    let second = stop(&report, Some(4), "write:scratch2[0,0]").access.unwrap();
    assert_eq!((written.value.as_str(), second.value.as_str()), ("5.0", "6.0"));
}

#[test]
fn a_write_of_a_clean_kernel() {
    let report = launched(op!(own::summed), &args![&ramp(&[17]), 0.5f32]);
    report.assert_clean();
    let many = stop(&report, None, "write:out[5]#19");
    insta::assert_snapshot!(text(&many));
    let value = many.value.unwrap();
    assert_eq!((value.accesses.len(), value.left_out), (16, 37 - 16), "19 writes and 18 reads of it");
    let error = stopped(&report, None, "write:out[5]#22").unwrap_err();
    assert_eq!(error.to_string(), "core 2 wrote out[5] 21 times, so there is no access 22 to it");
}

#[test]
fn an_output_in_place_shows_the_value_before_the_launch() {
    let mut sim = simulator();
    let all = sim.upload(&HostTensor::from_slice(&[4, 6], &(0..24).collect::<Vec<i32>>()).unwrap()).unwrap();
    // Rows 1 to 3, every second column, backwards in memory from the one before: transposed.
    let x = all.narrow(0, 1, 3).unwrap().slice(1, 1, 6, 2).unwrap().transpose(0, 1).unwrap();
    let report = sim.launch_into(op!(own::doubled), &args![&x], &x).unwrap();
    let written = stop(&report, None, "write:out[2,1]");
    let value = written.value.as_ref().unwrap();
    assert_eq!((value.index.as_str(), value.before_launch.as_deref()), ("[2, 1]", Some("17")));
    let kinds: Vec<_> = value.accesses.iter().map(|step| (step.access.name(), step.value.as_str())).collect();
    assert_eq!(kinds, [("read", "17"), ("write", "34")]);
    assert_eq!(written.access.unwrap().replaced.as_deref(), Some("17"));
    let flat = stop(&report, None, "write:out[7]").value.unwrap();
    assert_eq!(flat.index, "[2, 1]", "7 is its place row by row");
    // What is past a dimension is another element, of which another core has the history.
    let past = stop(&report, None, "fault");
    assert_eq!((past.fault.as_ref().unwrap().first.as_str(), past.core), ("[3, 0]", 2));
    let value = past.value.unwrap();
    let expected = ("[0, 1]", Some("13"), 0);
    assert_eq!((&*value.index, value.before_launch.as_deref(), value.accesses.len()), expected);
    assert_eq!(all.to_host().to_vec::<i32>().unwrap()[17], 34, "the launch itself did write");
}

#[test]
fn nan_and_no_dimensions() {
    let report = launched(op!(own::roots), &args![&HostTensor::scalar(-1.0f32)]);
    let root = stop(&report, None, "write:out[]").access.unwrap();
    assert!(root.value.starts_with("NaN (0x7f") || root.value.starts_with("NaN (0xff"), "{}", root.value);
    assert_eq!((root.argument, root.index.as_str()), ("out", "[]"));
    assert_eq!(stop(&report, None, "read:x[0]").access.unwrap().value, "-1.0");
    let payload = HostTensor::from_slice(&[2], &[1.0, f32::from_bits(0x7FC0_1234)]).unwrap();
    let report = launched(op!(own::roots), &args![&payload]);
    assert_eq!(stop(&report, None, "read:x[1]").access.unwrap().value, "NaN (0x7fc01234)");
}

#[test]
fn local_addresses() {
    let report = simulator().launch(op!(own::raw), &args![&ramp(&[3])]).unwrap();
    let old = stop(&report, None, "fault");
    assert_eq!(old.fault.as_ref().unwrap().verdict, Verdict::UsedAfterTranslation);
    assert_eq!((old.loads, old.stores, old.translations), (1, 1, 2));
    let written = stop(&report, None, "write:out[0]");
    let access = written.access.unwrap();
    assert_eq!((access.value.as_str(), access.record), ("1.0", Some(0)));
    assert_eq!(
        access.local.map(|local| u64::from(local.get()) & 0xFF_FFFF),
        Some(access.address.window_offset())
    );
}

#[test]
fn a_core_that_waits_is_stopped_again() {
    let sim = Simulator::builder().cores(2).host_threads(1).patience(1000);
    let report = sim.build().unwrap().launch(op!(own::waiting), &args![&ramp(&[1])]).unwrap();
    let at = report.faults().iter().position(|fault| fault.verdict == Verdict::NoProgress).unwrap() + 1;
    let stop = stop(&report, None, &format!("fault:{at}"));
    assert_eq!(stop.fault.as_ref().unwrap().verdict, Verdict::NoProgress);
    let value = stop.value.as_ref().unwrap();
    assert_eq!((value.index.as_str(), value.accesses.len() as u64 + value.left_out), ("[0]", stop.loads));
    assert!(stop.loads > 1000 && stop.stores == 0);
}

#[test]
fn a_core_that_waits_by_a_local_address_is_stopped_too() {
    let sim = Simulator::builder().cores(2).host_threads(1).patience(1000);
    let report = sim.build().unwrap().launch(op!(own::waiting_locally), &args![&ramp(&[2])]).unwrap();
    assert_eq!(report.cores()[0].outcome, Outcome::NoProgress);
    let stop = stop(&report, None, "fault");
    assert_eq!((stop.stores, stop.translations), (1, 2), "accesses at local addresses are not translated");
}

/// A returned tensor is copied to the output when the kernel is done.
#[test]
fn a_result() {
    let report = launched(op!(neuron_examples::scale::scale), &args![&ramp(&[17]), 2.0f32]);
    let copied = stop(&report, None, "write:result[5]");
    assert_eq!((copied.core, copied.access.unwrap().value.as_str()), (2, "10.0"));
    let computed = stop(&report, Some(2), "write:scratch[5]").access.unwrap();
    assert_eq!((computed.value.as_str(), computed.site.file()), ("10.0", "examples/src/scale.rs"));
    let factor = stop(&report, Some(2), "write:scratch[5]").last;
    let names: Vec<_> = factor.iter().map(|step| (step.argument, step.value.as_str())).collect();
    assert_eq!(names[0], ("factor", "2.0"), "{names:?}");
}

/// An eighth of four tensors of 32 MiB: more windows than a core has.
#[test]
fn windows_come_and_go() {
    let mut sim = keeping();
    let far = |sim: &mut Simulator, value: f32| {
        let all = sim.zeros(Dtype::F32, &[1 << 23]).unwrap();
        all.narrow(0, 0, 8).unwrap().copy_from(&HostTensor::from_slice(&[8], &[value; 8]).unwrap()).unwrap();
        all.narrow(0, 0, 8).unwrap()
    };
    let tensors = [1.0, 2.0, 3.0].map(|value| far(&mut sim, value));
    let [x, y, out] = &tensors;
    let report =
        sim.launch_into(op!(neuron_examples::vector_add::vector_add), &args![x, y, 0.5f32], out).unwrap();
    let stop = stop(&report, Some(0), "write:out[0]");
    let access = stop.access.as_ref().unwrap();
    assert_eq!((access.value.as_str(), access.replaced.as_deref()), ("2.0", Some("3.0")));
    assert_eq!(stop.windows[access.record.unwrap()], Some(access.address.window_base()));
    assert!(stop.windows.iter().all(Option::is_some), "{stop}");
    assert_eq!(access.address, out.storage());
}

#[test]
fn at_its_end_a_core_has_counted_what_the_report_says() {
    let x = ramp(&[33]);
    let launches = [
        launched(op!(own::summed), &args![&x, 1.0f32]),
        launched(op!(own::forgetful), &args![&x]),
        launched(op!(own::raw), &args![&x]),
        launched(op!(kernels::racing), &args![&x]),
        launched(op!(kernels::two_fall), &args![&x]),
        launched(op!(neuron_examples::scale::scale), &args![&x, 2.0f32]),
        buggy_relu(),
    ];
    for report in launches {
        for core in report.cores() {
            let stop = stop(&report, Some(core.core), "end");
            // To a replay, an element of f32 that is copied is read or written too.
            let Counters { loads, stores, copies, .. } = core.counters;
            let moved = (loads + copies.bytes_in / 4, stores + copies.bytes_out / 4);
            let counted = (moved.0, moved.1, core.counters.translations());
            assert_eq!((stop.loads, stop.stores, stop.translations), counted, "{stop}{report}");
            assert_eq!(stop.outcome.as_ref(), Some(&core.outcome));
        }
    }
}

#[test]
fn what_never_happens_is_said_with_what_did() {
    let report = launched(op!(own::summed), &args![&ramp(&[17]), 1.0f32]);
    let said = |core, until: &str| stopped(&report, core, until).unwrap_err().to_string();
    let never = "core 3 never wrote out[16]: of `out` it wrote [7] to [8]; core 7 wrote out[16]";
    assert_eq!(said(Some(3), "write:out[16]"), never);
    let nothing = "core 3 never wrote x[0]: it wrote nothing of `x`; no core wrote x[0]";
    assert_eq!(said(Some(3), "write:x[0]"), nothing);
    assert_eq!(said(None, "write:y[0]"), "the launch has no tensor `y`: it has x, out");
    assert_eq!(
        said(None, "write:out[17]"),
        "`out` has no element [17]: its sizes are [17], and [i] counts elements row by row"
    );
    assert!(said(None, "write:out[1,1]").starts_with("`out` has no element [1, 1]: "));
    assert_eq!(said(Some(8), "end"), "there is no core 8: the launch had 8, from 0 on");
    let none = "the launch has no fault: stop at an access, as in write:out[0], or at the end";
    assert_eq!(said(None, "fault"), none);
    let report = buggy_relu();
    let said = |core, until: &str| stopped(&report, core, until).unwrap_err().to_string();
    assert_eq!(said(None, "fault:4"), "the launch has 3 faults, counted from 1");
    assert_eq!(said(Some(2), "fault:1"), "fault 1 is not of core 2, but of [7]");
    let error = report.to_replay().unwrap().run(&[&OWN], None, &"end".parse().unwrap()).unwrap_err();
    assert!(
        error.to_string().starts_with("no library given has op `buggy_relu` of examples/src/"),
        "{error}"
    );
}

#[test]
fn only_what_is_worth_it_is_kept() {
    let x = ramp(&[17]);
    let clean = simulator().launch(op!(own::summed), &args![&x, 1.0f32]).unwrap();
    let Err(SaveError::NotKept(NotKept::Clean)) = clean.save("never.replay") else { panic!("it was kept") };
    let unchecked = || Simulator::builder().host_threads(1).unchecked();
    let wrong = neuron_device::op!(neuron_examples::buggy_relu::buggy_relu);
    let report = unchecked().build().unwrap().launch(wrong, &args![&x]).unwrap();
    assert_eq!(report.to_replay().unwrap_err(), NotKept::Unchecked);
    let report = unchecked().keep_inputs().build().unwrap().launch(wrong, &args![&x]).unwrap();
    assert_eq!(stop(&report, None, "fault").core, 7);
    let error = buggy_relu().save("no/such/folder/a.replay").unwrap_err();
    assert!(error.to_string().starts_with("no/such/folder/a.replay was not written: "), "{error}");
}

/// An op is looked for in the library it was launched by.
#[test]
fn an_op_is_found_by_its_library() {
    /// The same name, and another op.
    #[custom_op]
    fn summed(_q7: &Q7, _x: &Tensor, _weight: f32, _out: &mut Tensor) -> Result<()> {
        Ok(())
    }
    neuron_library!(OTHERS: "others" = [summed]);
    let x = ramp(&[4]);
    let until = "write:out[0]".parse().unwrap();
    let run = |report: &Report, libraries: &[&'static Library]| {
        report.to_replay().unwrap().run(libraries, None, &until)
    };
    let report = keeping().launch((&OWN, "summed"), &args![&x, 1.0f32]).unwrap();
    assert!(run(&report, &[&OTHERS, &OWN]).is_ok());
    let error = run(&report, &[&OTHERS]).unwrap_err();
    assert!(matches!(error, ReplayError::UnknownOp { .. }), "{error}");
    let report = keeping().launch((&OTHERS, "summed"), &args![&x, 1.0f32]).unwrap();
    let error = run(&report, &[&OWN, &OTHERS]).unwrap_err();
    assert_eq!(error.to_string(), "the launch has no tensor `out`: it has _x, _out");
}

/// A copy is its elements, one after the other; what they replace is there before it is made, and what they become after.
#[test]
fn a_copy_is_replayed_by_element() {
    let report = launched(op!(own::staged), &args![&ramp(&[64]), 0]);
    let written = stop(&report, None, "write:out[6]").access.unwrap();
    assert_eq!(
        (written.value.as_str(), written.site.file()),
        ("12.0", file!().replace("replay.rs", "replay/own.rs").as_str())
    );
    let read = stop(&report, Some(0), "read:x[6]");
    assert_eq!(
        (read.access.as_ref().unwrap().value.as_str(), read.loads, read.stores),
        ("6.0", 8, 4),
        "with the value `wait`"
    );
    let history = stop(&report, Some(0), "read:x[4]").last;
    let values: Vec<&str> = history.iter().map(|step| step.value.as_str()).collect();
    assert!(
        values.ends_with(&["0.0", "2.0", "4.0", "6.0"]) || values.ends_with(&["2.0", "4.0", "6.0", "4.0"]),
        "{values:?}"
    );
}

/// A core that waits by copies is stopped in the second run too.
#[test]
fn a_core_that_waits_by_copies_is_stopped_again() {
    let sim = Simulator::builder().cores(2).host_threads(1).patience(1000);
    let report = sim.build().unwrap().launch(op!(own::staged), &args![&ramp(&[16]), 1]).unwrap();
    assert_eq!(report.cores()[0].outcome, Outcome::NoProgress, "{report}");
    let stop = stop(&report, None, "fault");
    assert_eq!(stop.fault.as_ref().unwrap().verdict, Verdict::NoProgress);
    assert!(stop.loads > 1000 && stop.stores == 8);
}
