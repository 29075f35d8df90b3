//! What a launch does that the `Documented` profile does not allow (`docs/machine.md`, section 12).

use neuron_device::{Dtype, ParameterKind, Site};

use crate::core::{Log, Plan};
use crate::fault::{Fault, Verdict};
use crate::simulator::CORES;
use crate::subjects::{Role, Subject};

/// A rule of the `Documented` profile that a launch breaks. It is no fault: the machine that was observed allows it.
///
/// ```
/// use neuron_device::prelude::*;
/// use neuron_host_sim::{HostTensor, Simulator, args};
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
/// assert_eq!(rules, ["accessors-on-several-cores", "64-bit-integers"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// The rule's name.
    pub rule: &'static str,
    /// What the profile says, and what to do.
    pub text: String,
    /// The author's line, if it is of one.
    pub site: Option<Site>,
}

/// Every rule that the launch breaks, in the order of the table in `docs/machine.md`.
pub(crate) fn notes(plan: &Plan, logs: &[&Log], faults: &[Fault]) -> Vec<Note> {
    let mut notes = Vec::new();
    let mut note = |rule, text: String, site| notes.push(Note { rule, text, site });
    let cores = logs.len() as u32;
    let several = cores > 1;
    if let Some((name, site)) = logs.iter().find_map(|log| log.first_opened)
        && several
    {
        let text = format!(
            "an accessor of `{name}` in a launch on several cores is not defined: only staging through TCM is"
        );
        note("accessors-on-several-cores", text, Some(site));
    }
    if logs.iter().any(|log| log.returned) && several {
        let text = "a returned tensor in a launch on several cores is not defined: take `out: &mut Tensor`";
        note("returned-tensor-on-several-cores", text.to_owned(), None);
    }
    for parameter in plan.op.parameters() {
        if let ParameterKind::Value(dtype) = parameter.kind {
            let text =
                format!("`{}` is of {dtype}, where `double` is documented: take a `Scalar`", parameter.name);
            note("scalar-types", text, None);
        }
    }
    let is_tensor = |made: &&Subject| matches!(made.role, Role::Scratch(_));
    let made = logs.iter().find_map(|log| log.made.iter().find(is_tensor));
    if let Some(site) = made.and_then(|made| made.allocated)
        && several
    {
        let text = "tensors made in a launch on several cores are not specified: take them as arguments";
        note("factories-on-several-cores", text.to_owned(), Some(site));
    }
    let old =
        |fault: &&Fault| matches!(fault.verdict, Verdict::UsedAfterTranslation | Verdict::UsedAfterRemap);
    if let Some((fault, rule)) =
        faults.iter().find(old).and_then(|fault| Some((fault, fault.verdict.rule()?)))
    {
        let text = "a local address is good until the next translation".to_owned();
        note(rule, text, fault.lines.first().map(|line| line.site));
    }
    if cores != CORES {
        let text = format!("`get_cpu_count()` is {CORES} in every launch, and was {cores} here");
        note("core-count", text, None);
    }
    if let Some(tensor) = plan.subjects.iter().find(|subject| subject.dtype == Dtype::I64) {
        let text = format!("`{}` is of i64, whose operations were withdrawn: use i32", tensor.name);
        note("64-bit-integers", text, None);
    }
    notes
}
