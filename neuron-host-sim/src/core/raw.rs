//! Is an access that no tensor stands for right?

use neuron_device::{Access, HbmAddr, RawPath, Site};

use super::translations::{State, Translations};
use crate::fault::{Fault, Line, Part, Path, Severity, Verdict};
use crate::hbm::map::{is_in_sbuf, local_in_sbuf};
use crate::profile::{Profile, Rule};
use crate::subjects::{Role, Subject, Subjects};

/// An access by pointer or local address.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawAccess {
    pub(super) path: RawPath,
    pub(super) access: Access,
    pub(super) addr: HbmAddr,
    pub(super) bytes: u64,
    pub(super) site: Site,
}

impl RawAccess {
    /// Does what is there happen in spite of this fault? A read by an old local address gives what the window shows now,
    /// as on the chip; and an input that is written is written.
    pub(super) fn lands_anyway(&self, fault: &Fault) -> bool {
        match fault.verdict {
            Verdict::UsedAfterRemap => self.access == Access::Read,
            Verdict::InputWritten | Verdict::UsedAfterTranslation => true,
            _ => false,
        }
    }

    /// A fault of this access.
    fn fault(&self, op: &'static str, verdict: Verdict) -> Fault {
        let path = match self.path {
            RawPath::Pointer { .. } => Path::Pointer,
            RawPath::Copy { .. } => Path::Copy,
            RawPath::Local(_) => Path::LocalAddress,
        };
        Fault {
            access: self.access,
            path: Some(path),
            lines: vec![Line::new(self.part(), self.site)],
            ..Fault::new(op, verdict, Severity::Error)
        }
    }

    fn part(&self) -> Part {
        if self.access == Access::Write { Part::Written } else { Part::Read }
    }
}

/// Everything that is wrong with it.
pub(super) fn judge(
    (op, profile): (&'static str, Profile),
    access: &RawAccess,
    translations: &Translations,
    all: Subjects<'_>,
) -> Vec<Fault> {
    let mut faults = Vec::new();
    let own = match access.path {
        RawPath::Pointer { context: 0 } | RawPath::Copy { context: 0 } => {
            all.at(access.addr.get(), access.access)
        }
        RawPath::Pointer { context } | RawPath::Copy { context } => all.derived(context),
        RawPath::Local(local) => {
            let origin = translations.origin(local);
            if let Some((origin, state)) = origin {
                let old = |verdict, severity, part, site| Fault {
                    access: access.access,
                    first: local.to_string(),
                    address: Some(access.addr),
                    local: Some(local),
                    rule: Some(Rule::LocalAddresses),
                    lines: vec![
                        Line::new(access.part(), access.site),
                        Line::new(Part::Translated, origin.site),
                        Line::new(part, site),
                    ],
                    path: Some(Path::LocalAddress),
                    ..Fault::new(op, verdict, severity)
                        .at(all.at(origin.addr.get(), access.access), origin.addr.get())
                };
                match state {
                    State::Good => {}
                    State::Overtaken(site) => {
                        faults.push(old(
                            Verdict::UsedAfterTranslation,
                            Rule::LocalAddresses.severity_in(profile),
                            Part::Translated,
                            site,
                        ));
                    }
                    State::Remapped(site) => {
                        // Which tensor it lands in is luck, and no fault of its own.
                        return vec![old(Verdict::UsedAfterRemap, Severity::Error, Part::Remapped, site)];
                    }
                }
            }
            all.at(origin.map_or(access.addr, |(origin, _)| origin.addr).get(), access.access)
        }
    };
    faults.extend(bounds(op, access, own, all));
    faults
}

/// Is it at an element of its own tensor, and may that be written?
fn bounds(op: &'static str, access: &RawAccess, own: Option<&Subject>, all: Subjects<'_>) -> Option<Fault> {
    let addr = access.addr.get();
    let Some(own) = own else {
        let mut fault = access.fault(op, Verdict::InNoTensor).at(None, addr);
        if is_in_sbuf(access.addr) {
            fault.first.push_str(&format!(", in SBUF at {}", local_in_sbuf(access.addr)));
        }
        return Some(fault);
    };
    if let Some(freed) = own.freed {
        let mut fault = access.fault(op, Verdict::UsedAfterFree).at(Some(own), addr);
        fault.lines.push(Line::new(Part::Freed, freed));
        fault.lines.extend(own.allocated.map(|site| Line::new(Part::Allocated, site)));
        return Some(fault);
    }
    let at_element = own.element(addr).is_some();
    let [start, end] = own.reach();
    let is_copy = matches!(access.path, RawPath::Copy { .. });
    // A copy goes through gaps too; if it leaves the tensor, that is where it does first.
    let behind = addr.saturating_add(access.bytes);
    let inside = if is_copy { addr >= start && behind <= end } else { own.has_element(addr, access.bytes) };
    let addr = if is_copy && addr >= start { addr.max(end.min(behind)) } else { addr };
    let outside =
        if is_copy { behind.saturating_sub(addr.max(end)).div_ceil(own.dtype.size()).max(1) } else { 1 };
    let nearest = if inside { None } else { all.other_at(own, addr, access.access) };
    let verdict = match (inside, own.role) {
        // An op in place may write by a pointer of either.
        (true, Role::Argument) if access.access == Access::Write && !all.is_output(access.addr.get()) => {
            Verdict::InputWritten
        }
        (true, _) => return None,
        (false, role) if at_element && !is_copy && !matches!(role, Role::Block(_)) => Verdict::OtherWidth,
        (false, _) if nearest.is_some() && !(start..end).contains(&addr) => Verdict::InAnotherTensor,
        (false, _) if addr < start => Verdict::BeforeTheStart,
        (false, Role::Block(_)) => Verdict::PastTheEnd,
        (false, _) if addr >= end => Verdict::PastTheEnd,
        (false, _) => Verdict::InAGap,
    };
    let nearest = nearest.filter(|_| verdict == Verdict::InAnotherTensor);
    let width = (verdict == Verdict::OtherWidth).then_some(access.bytes);
    Some(Fault { nearest, width, count: outside, ..access.fault(op, verdict).at(Some(own), addr) })
}
