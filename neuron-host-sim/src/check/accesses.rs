//! From what a core said of an access to a fault of the report.

use neuron_device::{Access, Fault as DeviceFault, OutOfBounds, Verdict as DeviceVerdict};

use super::subjects::Subjects;
use crate::fault::{Described, Fault, Line, Part, Severity, Verdict};

/// The fault, of one access of one core.
pub(crate) fn fault(op: &'static str, said: &DeviceFault, subjects: &Subjects) -> Fault {
    let none = |verdict, access, argument, first, line| Fault {
        verdict,
        severity: Severity::Error,
        op,
        access,
        argument,
        tensor: None,
        count: 1,
        first,
        address: None,
        cores: Vec::new(),
        lines: vec![line],
        values: Vec::new(),
        nearest: None,
    };
    match said {
        DeviceFault::OutOfBounds(said) => out_of_bounds(op, said, subjects),
        DeviceFault::TooManyRuns { argument, limit, site } => {
            let first = format!("piece {}", limit + 1);
            none(Verdict::TooManyRuns, Access::Write, argument, first, Line::new(Part::Written, site))
        }
        DeviceFault::NoMemory { addr, site } => {
            let line = Line::new(Part::Translated, site);
            Fault {
                address: Some(*addr),
                ..none(Verdict::NoMemory, Access::Read, "", addr.to_string(), line)
            }
        }
        // `Fault` may grow; this simulator is built with the device crate it reports.
        other => unreachable!("a fault this simulator does not know: {other:?}"),
    }
}

fn out_of_bounds(op: &'static str, said: &OutOfBounds, subjects: &Subjects) -> Fault {
    let part = if said.access == Access::Write { Part::Written } else { Part::Read };
    let sizes = said.sizes.as_slice().to_vec();
    let own = subjects.named(said.argument);
    let strides = own
        .filter(|own| own.layout.sizes() == sizes)
        .map(|own| own.layout.strides().to_vec())
        .unwrap_or_default();
    let nearest = own.and_then(|own| subjects.other_at(own, said.addr.get(), said.access));
    let verdict = match said.verdict {
        DeviceVerdict::PastADimension => Verdict::PastADimension,
        DeviceVerdict::PastTheEnd if nearest.is_some() => Verdict::InAnotherTensor,
        DeviceVerdict::PastTheEnd => Verdict::PastTheEnd,
    };
    Fault {
        verdict,
        severity: Severity::Error,
        op,
        access: said.access,
        argument: said.argument,
        tensor: Some(Described { dtype: said.dtype, sizes, strides }),
        count: 1,
        first: format!("{:?}", said.index),
        address: Some(said.addr),
        cores: Vec::new(),
        lines: vec![Line::new(part, said.site)],
        values: Vec::new(),
        nearest: nearest.filter(|_| verdict == Verdict::InAnotherTensor),
    }
}
