//! The rules of the `Documented` profile that a launch breaks: notes of every report, faults under that profile.

use neuron_device::{Access, Dtype, Form, ParameterKind, Site};

use crate::core::{Log, Plan};
use crate::fault::{Fault, Line, Part, Verdict};
use crate::profile::{Profile, Rule};
use crate::simulator::{CORES, DEFAULT_TCM};
use crate::subjects::{Role, Subject};

/// A rule of the `Documented` profile that a launch breaks. Under `Observed` it is no fault: the machine that was observed
/// allows it.
///
/// ```
/// use neuron_device::prelude::*;
/// use neuron_host_sim::{HostTensor, Rule, Simulator, args};
/// # #[custom_op]
/// # fn same(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
/// #     let (src, dst) = (x.elements::<i64>(q7)?, out.elements_mut::<i64>(q7)?);
/// #     Ok(q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, src.get(i))))
/// # }
/// // A kernel that copies i64 by `elements`, on eight cores:
/// let x = HostTensor::from_slice(&[17], &[1i64; 17])?;
/// let report = Simulator::new()?.launch(op!(same), &args![&x])?;
/// report.assert_clean();
/// let rules: Vec<_> = report.notes().iter().map(|note| note.rule).collect();
/// assert_eq!(rules, [Rule::AccessorsOnSeveralCores, Rule::Integers64]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// The rule.
    pub rule: Rule,
    /// What breaks it, and what to do.
    pub text: String,
    /// The author's line, if it is of one.
    pub site: Option<Site>,
}

/// Every rule that the launch breaks, each once, in the order of [`Rule::ALL`].
pub(crate) fn notes(plan: &Plan, logs: &[&Log], faults: &[Fault]) -> Vec<Note> {
    Rule::ALL.into_iter().filter_map(|rule| note(rule, plan, logs, faults)).collect()
}

fn note(rule: Rule, plan: &Plan, logs: &[&Log], faults: &[Fault]) -> Option<Note> {
    let several = logs.len() > 1;
    let broken = |what: String, site| {
        let text = format!("{what}: {}; {}", rule.documented(), rule.to_do());
        Some(Note { rule, text, site })
    };
    match rule {
        Rule::AccessorsOnSeveralCores if several => {
            let (name, site) = logs.iter().find_map(|log| log.first_opened)?;
            broken(format!("`{name}` opened on {} cores", logs.len()), Some(site))
        }
        Rule::ReturnedTensorOnSeveralCores if several && logs.iter().any(|log| log.returned) => {
            broken(format!("a tensor returned on {} cores", logs.len()), None)
        }
        Rule::FactoriesOnSeveralCores if several => {
            let site = logs.iter().flat_map(|log| &log.made).find(|made| is_tensor(made))?.allocated?;
            broken(format!("a tensor made on {} cores", logs.len()), Some(site))
        }
        Rule::AccessorsOnSeveralCores
        | Rule::ReturnedTensorOnSeveralCores
        | Rule::FactoriesOnSeveralCores => None,
        Rule::TcmPool => {
            let peak = logs.iter().map(|log| log.counters.copies.tcm_peak).max()?;
            (peak > DEFAULT_TCM).then(|| broken(format!("{peak} bytes of TCM in use"), None))?
        }
        Rule::ScalarTypes => {
            let (name, dtype) = values(plan).next()?;
            broken(format!("`{name}` is of {dtype}"), None)
        }
        Rule::OtherValue => {
            let fault = faults.iter().find(|fault| fault.rule == Some(rule))?;
            broken(
                format!("`{}` is {}", fault.argument, fault.first),
                fault.lines.first().map(|line| line.site),
            )
        }
        Rule::LocalAddresses => {
            let fault = faults.iter().find(|fault| fault.rule == Some(rule))?;
            broken(
                "a local address used after another translation".to_owned(),
                fault.lines.first().map(|line| line.site),
            )
        }
        Rule::SbufAddress => {
            let name = plan.sbuf_records.first().filter(|_| plan.profile == Profile::Observed)?;
            broken(format!("the record of `{name}`, in SBUF, has a local address"), None)
        }
        Rule::StackMaximum => {
            let (asked, most) = (plan.op.stack_size(), Profile::Documented.most_stack());
            let what = || format!("`{}` asks for {asked} bytes of stack", plan.op.name());
            (asked > most).then(|| broken(what(), Some(plan.op.stack_site())))?
        }
        Rule::Console => {
            let shown = |core| Profile::Documented.shows(core);
            let (core, _) = (0..).zip(logs).find(|(core, log)| !shown(*core) && log.console.has_printed())?;
            broken(format!("core {core} prints"), None)
        }
        Rule::CoreCount => {
            let count = plan.cpu_count;
            (count != CORES).then(|| broken(format!("`get_cpu_count()` was {count}"), None))?
        }
        Rule::Integers64 => {
            let made = logs.iter().flat_map(|log| &log.made).filter(|made| is_tensor(made));
            let of = tensors(plan).chain(made).find(|subject| subject.dtype == Dtype::I64)?;
            let site = of.allocated.filter(|_| is_tensor(of));
            broken(format!("`{}` is of i64", of.name), site)
        }
    }
}

/// A tensor that the kernel made.
fn is_tensor(made: &Subject) -> bool {
    matches!(made.role, Role::Scratch(_))
}

/// The launch's tensors, without the records that were passed for values.
fn tensors(plan: &Plan) -> impl Iterator<Item = &Subject> {
    let is_value = |name| {
        let of = plan.op.parameters().iter().find(|parameter| parameter.name == name);
        of.is_some_and(|parameter| !matches!(parameter.kind, ParameterKind::Tensor))
    };
    plan.subjects.iter().filter(move |subject| !is_value(subject.name))
}

/// The op's value arguments of a plain type.
fn values(plan: &Plan) -> impl Iterator<Item = (&'static str, Dtype)> {
    plan.op.parameters().iter().filter_map(|parameter| match parameter.kind {
        ParameterKind::Value(dtype) => Some((parameter.name, dtype)),
        _ => None,
    })
}

/// Under `Documented`, the faults of what the launch is, rather than of what a core does.
pub(crate) fn faults(plan: &Plan, logs: &[&Log]) -> Vec<Fault> {
    if plan.profile == Profile::Observed {
        return Vec::new();
    }
    let cores = logs.len() as u32;
    let all: Vec<u32> = (0..cores).collect();
    let mut faults = Vec::new();
    if cores > 1 && logs.iter().any(|log| log.returned) {
        faults.extend(fault(plan, Rule::ReturnedTensorOnSeveralCores, plan.op.form().output(), None));
    }
    for (name, _) in values(plan) {
        faults.extend(fault(plan, Rule::ScalarTypes, name, None));
    }
    if plan.op.stack_size() > plan.profile.most_stack() {
        let lines = vec![Line::new(Part::StackAsked, plan.op.stack_site())];
        let asked = fault(plan, Rule::StackMaximum, "stack", None);
        faults.extend(asked.map(|fault| Fault { lines, ..fault }));
    }
    for subject in tensors(plan).filter(|subject| subject.dtype == Dtype::I64) {
        faults.extend(fault(plan, Rule::Integers64, subject.name, Some(subject)));
    }
    faults.into_iter().map(|fault| Fault { cores: all.clone(), ..fault }).collect()
}

/// Under `Documented`, the fault of a core that opens the tensor `argument`.
pub(crate) fn opened(
    plan: &Plan,
    cores: u32,
    (argument, subject): (&'static str, Option<&Subject>),
    access: Access,
    site: Site,
) -> Option<Fault> {
    // The result is opened by what copies a returned tensor back, which has a rule of its own.
    let of_author = Some(argument) != (plan.op.form() == Form::Returning).then(|| plan.op.form().output());
    if cores == 1 || !of_author {
        return None;
    }
    let lines = vec![Line::new(Part::HandleOpened, site)];
    let fault = fault(plan, Rule::AccessorsOnSeveralCores, argument, subject)?;
    Some(Fault { access, lines, ..fault })
}

/// Under `Documented`, the faults of a core that makes this tensor.
pub(crate) fn made(plan: &Plan, cores: u32, subject: &Subject) -> Vec<Fault> {
    let lines: Vec<Line> =
        subject.allocated.map(|site| Line::new(Part::Allocated, site)).into_iter().collect();
    let factory =
        (cores > 1).then(|| fault(plan, Rule::FactoriesOnSeveralCores, subject.name, Some(subject)));
    let wide =
        (subject.dtype == Dtype::I64).then(|| fault(plan, Rule::Integers64, subject.name, Some(subject)));
    let with_lines = |fault| Fault { access: Access::Write, lines: lines.clone(), ..fault };
    [factory, wide].into_iter().flatten().flatten().map(with_lines).collect()
}

/// A launch under `Documented` breaks this rule.
fn fault(plan: &Plan, rule: Rule, argument: &'static str, subject: Option<&Subject>) -> Option<Fault> {
    let severity = rule.severity().filter(|_| plan.profile == Profile::Documented)?;
    let fault = Fault::new(plan.op.name(), Verdict::NotDocumented, severity);
    Some(Fault { argument, tensor: subject.map(Subject::described), rule: Some(rule), ..fault })
}
