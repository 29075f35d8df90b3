//! A fault, as far as the oracle and the simulator must agree.

use std::format;
use std::string::String;
use std::vec::Vec;

use neuron_device::{Access, Dtype};
use neuron_host_sim::{Fault, Part, Severity, Verdict};

use super::kernel::number_of;

/// Number of any line of the host's.
pub(super) const HOST_LINE: i32 = 6;

/// One fault, or several equal ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it is.
    pub verdict: Verdict,
    /// How bad.
    pub severity: Severity,
    /// Read or write.
    pub access: Access,
    /// The tensor.
    pub argument: String,
    /// What the tensor is like.
    pub tensor: Option<(Dtype, Vec<u32>)>,
    /// The lines, by their numbers in the script.
    pub lines: Vec<(Part, i32)>,
    /// How often.
    pub count: u64,
    /// The index of the first.
    pub first: String,
    /// Bytes of an access, where they are what is wrong.
    pub width: Option<u64>,
    /// The address of the first.
    pub address: Option<u64>,
    /// Where it happened.
    pub cores: Vec<u32>,
    /// The tensor that one access would have met, and the element of it.
    pub nearest: Option<(String, String)>,
    /// What each core wrote, if that differs.
    pub values: Vec<(u32, String)>,
}

impl Finding {
    /// What the simulator found.
    pub fn of(fault: &Fault) -> Self {
        let line = |line: &neuron_host_sim::Line| {
            let number =
                number_of(line.site.line()).filter(|_| line.site.file().ends_with("oracle/kernel.rs"));
            (line.part, number.unwrap_or(HOST_LINE))
        };
        let mut lines: Vec<_> = fault.lines.iter().map(line).collect();
        lines.sort_unstable();
        Self {
            verdict: fault.verdict,
            severity: fault.severity,
            access: fault.access,
            argument: fault.argument.into(),
            tensor: fault.tensor.as_ref().map(|tensor| (tensor.dtype, tensor.sizes.clone())),
            lines,
            count: fault.count,
            first: fault.first.clone(),
            width: fault.width,
            address: fault.address.map(neuron_device::HbmAddr::get),
            cores: fault.cores.clone(),
            nearest: fault.nearest.as_ref().map(|near| (near.argument.into(), near.first.clone())),
            values: fault.values.iter().map(|value| (value.core, value.value.clone())).collect(),
        }
    }

    /// One of this verdict, once, of which nothing else is known yet.
    pub(super) fn new(verdict: Verdict, access: Access, lines: &[(Part, i32)]) -> Self {
        Self {
            verdict,
            severity: Severity::Error,
            access,
            argument: String::new(),
            tensor: None,
            lines: lines.to_vec(),
            count: 1,
            first: String::new(),
            width: None,
            address: None,
            cores: Vec::new(),
            nearest: None,
            values: Vec::new(),
        }
    }

    /// Is `other` the same but for the index and the core? Where an access beyond a tensor lands makes no difference.
    fn is_like(&self, other: &Self) -> bool {
        let verdict = |finding: &Self| match finding.verdict {
            Verdict::InAnotherTensor => Verdict::PastTheEnd,
            verdict => verdict,
        };
        verdict(self) == verdict(other)
            && (self.severity, self.access, self.width) == (other.severity, other.access, other.width)
            && (&self.argument, &self.tensor, &self.lines) == (&other.argument, &other.tensor, &other.lines)
    }
}

/// In an order that depends on what they say alone.
pub(super) fn sort(findings: &mut [Finding]) {
    findings.sort_by_cached_key(|finding| format!("{finding:?}"));
}

/// Equal findings together, in the order each came first.
pub(super) fn grouped(findings: impl IntoIterator<Item = Finding>) -> Vec<Finding> {
    let mut groups: Vec<Finding> = Vec::new();
    for finding in findings {
        match groups.iter_mut().find(|group| group.is_like(&finding)) {
            None => groups.push(finding),
            Some(group) => {
                group.count += finding.count;
                group.cores.extend(finding.cores);
                group.cores.sort_unstable();
                group.cores.dedup();
                group.nearest = group.nearest.take().or(finding.nearest);
            }
        }
    }
    groups
}
