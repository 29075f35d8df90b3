//! The two profiles: what each says of what the other says too; public cases in both (`cases.rs`).

mod cases;

use neuron_device::Op;
use neuron_device::prelude::*;
use neuron_examples::relu;
use neuron_host_sim::{
    Arg, CORES, DEFAULT_TCM, Fault, FaultKind, HostTensor, Outcome, Profile, Report, Rule, Severity,
    Simulator, Verdict, args,
};

use crate::{kernels, ramp, the};

fn of(profile: Profile, cores: u32) -> Simulator {
    Simulator::builder().cores(cores).host_threads(1).profile(profile).build().unwrap()
}

/// The launch on eight cores in both profiles. `Documented` finds what `Observed` does, and beside it the rules that are
/// broken, at least each that `Observed` notes; everything else is the same.
#[track_caller]
fn both(op: &'static Op, arguments: &[Arg<'_>], rules: &[Rule]) -> [Report; 2] {
    let reports =
        [Profile::Observed, Profile::Documented].map(|profile| of(profile, 8).launch(op, arguments).unwrap());
    let [observed, documented] = &reports;
    let others = |report: &Report| -> Vec<Fault> {
        let of_rules = |fault: &&Fault| fault.kind() != FaultKind::Profile;
        report.faults().iter().filter(of_rules).cloned().collect()
    };
    assert_eq!(others(observed), observed.faults(), "{observed}");
    assert_eq!(others(documented), others(observed), "{documented}");
    assert_eq!(documented.output().to_host().to_bytes(), observed.output().to_host().to_bytes());
    assert_eq!(documented.cores(), observed.cores());
    let mut broken: Vec<Rule> = documented.faults().iter().filter_map(|fault| fault.rule).collect();
    broken.sort();
    broken.dedup();
    assert_eq!(broken, rules, "{documented}");
    for report in &reports {
        let notes: Vec<Rule> = report.notes().iter().map(|note| note.rule).collect();
        assert_eq!(notes, rules, "{report}");
        let last =
            format!("portable to the Documented profile: {}", if rules.is_empty() { "yes" } else { "no" });
        assert!(report.to_string().contains(&last), "{report}");
        assert_eq!(report.to_json()["profile"], report.profile().name());
    }
    assert!(documented.to_string().contains("\nprofile: Documented\n"), "{documented}");
    reports
}

const ACCESSORS: Rule = Rule::AccessorsOnSeveralCores;

/// Copies this core's share by tiles of 8, which every profile defines.
fn copy_share<T: Element>(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut buffer = q7.tcm_malloc::<T>(8)?;
    for tile in q7.partition_flat(x.numel()).tiles(8) {
        let values = x.tensor_to_tcm(q7, tile, &mut buffer)?;
        out.tcm_to_tensor(q7, tile.offset, values)?;
    }
    Ok(())
}

fn eight(_: &[TensorSpec]) -> Result<TensorSpec> {
    TensorSpec::new(Dtype::F32, &[8])
}

/// Eight pieces are copied back, the ninth is a fault: what comes out is right, or the launch is not clean.
#[test]
fn a_strided_split_in_the_returning_form_is_right_or_refused() {
    let rules = [ACCESSORS, Rule::ReturnedTensorOnSeveralCores, Rule::FactoriesOnSeveralCores];
    for (n, pieces_too_many) in
        [(1, false), (8, false), (9, false), (63, false), (64, false), (65, true), (72, true), (200, true)]
    {
        let x = ramp(&[n]);
        let [observed, documented] = both(op!(kernels::strided_return), &args![&x], &rules);
        assert!(!documented.is_clean(), "{n}");
        let told = observed.faults().iter().any(|fault| fault.verdict == Verdict::TooManyRuns);
        assert_eq!((told, observed.is_clean()), (pieces_too_many, !pieces_too_many), "{n}\n{observed}");
        if observed.is_clean() {
            assert_eq!(observed.output().to_host().to_bytes(), x.to_bytes(), "{n}");
        }
    }
}

/// Zeros are written like anything else: cores that return them with their own share in it write over each other.
#[custom_op]
fn returns_zeros(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    let mut made = q7.zeros(x.dtype(), x.sizes())?;
    let (src, dst) = (x.elements::<f32>(q7)?, made.elements_mut::<f32>(q7)?);
    q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, src.get(i)));
    Ok(made)
}

#[test]
fn zeros_that_are_returned_are_written() {
    let x = ramp(&[64]);
    let report = of(Profile::Observed, 8).launch(op!(returns_zeros), &args![&x]).unwrap();
    // Element 0 holds 0 from each.
    let severities: Vec<_> = report.faults().iter().map(|fault| (fault.verdict, fault.severity)).collect();
    let of = |severity| (Verdict::WrittenBySeveralCores, severity);
    assert_eq!(severities, [of(Severity::Warning), of(Severity::Error)], "{report}");
    let report = self::of(Profile::Observed, 1).launch(op!(returns_zeros), &args![&x]).unwrap();
    report.assert_clean();
    assert_eq!(report.output().to_host().to_bytes(), x.to_bytes());
}

#[test]
fn a_core_count_is_constant_or_the_launchs() {
    let x = ramp(&[16]);
    let report = of(Profile::Observed, 1).launch(op!(relu::relu), &args![&x]).unwrap();
    report.assert_clean();
    assert_eq!(report.notes()[0].rule, Rule::CoreCount);
    let constant = Simulator::builder().cores(1).constant_cpu_count().build().unwrap();
    for mut sim in [of(Profile::Documented, 1), constant] {
        let report = sim.launch(op!(relu::relu), &args![&x]).unwrap();
        assert_eq!(the(&report, Verdict::NeverWritten).count, u64::from(16 - 16 / CORES), "{report}");
        assert!(report.notes().is_empty(), "{report}");
    }
}

#[custom_op]
fn takes_all_tcm(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _all = q7.tcm_malloc::<u8>(q7.tcm_largest_free())?;
    let _ = (x, out);
    Ok(())
}

#[test]
fn more_tcm_than_documented_is_noted_or_refused() {
    let rules = |tcm| -> Vec<Rule> {
        let mut sim = Simulator::builder().tcm(tcm).without(FaultKind::Coverage).build().unwrap();
        let report = sim.launch(op!(takes_all_tcm), &args![&ramp(&[1])]).unwrap();
        report.assert_clean();
        report.notes().iter().map(|note| note.rule).collect()
    };
    assert_eq!(rules(DEFAULT_TCM), []);
    assert_eq!(rules(2 * DEFAULT_TCM), [Rule::TcmPool]);
    let strict = Simulator::builder().profile(Profile::Documented);
    assert!(strict.tcm(DEFAULT_TCM).build().is_ok());
    assert!(strict.tcm(2 * DEFAULT_TCM).build().unwrap_err().to_string().contains("Profile::Observed"));
}

#[custom_op(stack_size = 400_001)]
fn deep(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    copy_share::<f32>(q7, x, out)
}

/// An op that asks for more stack than is documented runs as observed, with a note; as documented it does not run.
#[test]
fn more_stack_than_documented_is_noted_or_refused() {
    let x = ramp(&[64]);
    let report = of(Profile::Observed, 8).launch(op!(deep), &args![&x]).unwrap();
    report.assert_clean();
    let [note] = report.notes() else { panic!("{report}") };
    assert_eq!((note.rule, note.site.unwrap().file()), (Rule::StackMaximum, file!()));
    let report = of(Profile::Documented, 8).launch(op!(deep), &args![&x]).unwrap();
    let Outcome::Failed(error) = &report.cores()[3].outcome else { panic!("{report}") };
    assert!(
        error.to_string().starts_with("`stack` asks for 400001 bytes, but an op may ask for 1 to 400000"),
        "{error}"
    );
    let fault = the(&report, Verdict::NotDocumented);
    assert_eq!((fault.rule, fault.argument, fault.cores.len()), (Some(Rule::StackMaximum), "stack", 8));
    for words in ["stack-maximum", "Documented profile", "Profile::Observed", file!()] {
        assert!(report.to_string().contains(words), "no `{words}` in {report}");
    }
}

#[custom_op]
fn prints(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    neuron_println!(q7, "core {}", q7.get_cpu_id());
    copy_share::<f32>(q7, x, out)
}

#[test]
fn core_0_prints_and_others_where_it_is_observed() {
    let x = ramp(&[64]);
    let printed = |profile| {
        let report = of(profile, 8).launch(op!(prints), &args![&x]).unwrap();
        report.assert_clean();
        let cores: Vec<u32> = report.printed().iter().map(|of| of.core).collect();
        (cores, report.notes().iter().map(|note| note.rule).collect::<Vec<_>>())
    };
    assert_eq!(printed(Profile::Observed), ((0..8).collect(), vec![Rule::Console]));
    assert_eq!(printed(Profile::Documented), (vec![0], vec![]));
}

#[custom_op(shape = eight)]
fn takes_f32(q7: &Q7, alpha: f32, out: &mut Tensor) -> Result<()> {
    let mut buffer = q7.tcm_malloc::<f32>(1)?;
    out.tcm_to_tensor(q7, q7.get_cpu_id().into(), buffer.write_from([alpha]))
}

/// The vendor reads the bits that are there; nobody documents it.
#[test]
fn a_value_of_another_type_is_read_as_it_is_with_a_warning_or_an_error() {
    for (profile, severity) in
        [(Profile::Observed, Severity::Warning), (Profile::Documented, Severity::Error)]
    {
        let mut sim = of(profile, 8);
        let one = sim.upload(&HostTensor::scalar(0x3F80_0000_i32)).unwrap();
        let report = sim.launch(op!(takes_f32), &args![one.descriptor().unwrap()]).unwrap();
        assert_eq!(report.output().to_host().to_vec::<f32>().unwrap(), [1.0; 8]);
        let fault = the(&report, Verdict::OtherValue);
        assert_eq!(
            (fault.severity, fault.rule, fault.count),
            (severity, Some(Rule::OtherValue), 8),
            "{report}"
        );
        let rules: Vec<_> = report.notes().iter().map(|note| note.rule).collect();
        assert_eq!(rules, [Rule::ScalarTypes, Rule::OtherValue]);
        let told = report.to_string().contains("rule `other-value` of the Documented profile");
        assert_eq!(told, severity == Severity::Error, "{report}");
    }
}

#[custom_op(shape = eight)]
fn takes_i64(q7: &Q7, times: i64, out: &mut Tensor) -> Result<()> {
    let mut buffer = q7.tcm_malloc::<f32>(1)?;
    out.tcm_to_tensor(q7, q7.get_cpu_id().into(), buffer.write_from([times as f32]))
}

/// A value is one by its record too: it breaks the rule on values, and not the one on tensors.
#[test]
fn a_record_of_an_i64_is_no_tensor_of_i64() {
    let mut sim = of(Profile::Documented, 8);
    let seven = sim.upload(&HostTensor::scalar(7_i64)).unwrap();
    for args in [args![7_i64], args![seven.descriptor().unwrap()]] {
        let report = sim.launch(op!(takes_i64), &args).unwrap();
        let broken: Vec<_> = report.faults().iter().map(|fault| fault.rule).collect();
        assert_eq!(broken, [Some(Rule::ScalarTypes)], "{report}");
        let rules: Vec<_> = report.notes().iter().map(|note| note.rule).collect();
        assert_eq!(rules, [Rule::ScalarTypes]);
    }
}

/// What is meant is allowed, like other faults, and what is not looked for is not found.
#[test]
fn a_rule_is_allowed_or_not_looked_for() {
    let x = ramp(&[64]);
    let mut sim = of(Profile::Documented, 8);
    sim.allow(FaultKind::Profile, "x", "the machine we have was observed");
    sim.allow(FaultKind::Profile, "out", "the machine we have was observed");
    let report = sim.launch(op!(relu::relu), &args![&x]).unwrap();
    report.assert_clean();
    assert_eq!(report.allowed().len(), 2);
    let strict = Simulator::builder().profile(Profile::Documented);
    let mut sim = strict.without(FaultKind::Profile).build().unwrap();
    sim.launch(op!(relu::relu), &args![&x]).unwrap().assert_clean();
    let mut unchecked = strict.unchecked().build().unwrap();
    assert_eq!(unchecked.launch(op!(relu::relu), &args![&x]).unwrap().faults().len(), 2);
}

/// A replay has the profile of its launch, and comes to the same fault; moods have it too.
#[test]
fn replays_and_moods_keep_the_profile() {
    let x = ramp(&[64]);
    let mut sim = of(Profile::Documented, 8);
    let report = sim.launch(op!(relu::relu), &args![&x]).unwrap();
    let stop = report.to_replay().unwrap().run(neuron_examples::LIBRARIES, None, &"fault:2".parse().unwrap());
    let fault = stop.unwrap().fault.unwrap();
    assert_eq!((fault.rule, fault.argument), (Some(ACCESSORS), "out"));
    let moods = sim.moods().launch(op!(relu::relu), &args![&x]).unwrap();
    assert_eq!(moods.faults(), report.faults());
}
