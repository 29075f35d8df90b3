//! From what the device said of an access to a fault of the report.

use neuron_device::{
    Access, Band, Dataram, Fault as DeviceFault, FreeError, HbmAddr, Index, NxAddr, OutOfBounds, Site,
    Verdict as DeviceVerdict,
};

use crate::fault::{Described, Fault, Line, Part, Path, Severity, Verdict};
use crate::hbm::map::is_in_sbuf;
use crate::profile::{Profile, Rule};
use crate::subjects::{Subject, Subjects};

/// The fault, of one access of one core. `translated` says which address a local one was made from.
pub(in crate::core) fn fault(
    (op, profile): (&'static str, Profile),
    said: &DeviceFault,
    subjects: Subjects<'_>,
    translated: &dyn Fn(NxAddr) -> Option<HbmAddr>,
) -> Fault {
    let at = |verdict, access: Access, first: String, line| Fault {
        access,
        first,
        lines: vec![line],
        ..Fault::new(op, verdict, Severity::Error)
    };
    let by = |access| if access == Access::Write { Part::Written } else { Part::Read };
    match said {
        DeviceFault::OutOfBounds(said) => out_of_bounds(op, said, subjects),
        DeviceFault::OtherValue { argument, wanted, found, addr, site } => {
            // The device does not look at the dtype, and reads what is there.
            let severity = Rule::OtherValue.severity_in(profile);
            let rule = Some(Rule::OtherValue);
            let first = format!("[0] of {found}, read as {wanted}");
            let line = Line::new(Part::Read, site);
            let fault = at(Verdict::OtherValue, Access::Read, first, line);
            Fault { argument, severity, rule, address: Some(*addr), ..fault }
        }
        DeviceFault::TooManyRuns { argument, limit, site } => {
            let first = format!("piece {}", limit + 1);
            let line = Line::new(Part::Written, site);
            Fault { argument, ..at(Verdict::TooManyRuns, Access::Write, first, line) }
        }
        DeviceFault::BadFree { addr, error, site, .. } => free(op, *addr, *error, site, subjects),
        DeviceFault::NoMemory { addr, site } => {
            let line = Line::new(Part::Translated, site);
            Fault { address: Some(*addr), ..at(Verdict::NoMemory, Access::Read, addr.to_string(), line) }
        }
        DeviceFault::Misaligned { access, addr, bytes, site } => {
            let first = format!("{addr:#x}, no multiple of {bytes}");
            // A local address has 32 bits, and HBM begins above 4 GiB.
            let local = u32::try_from(*addr).ok().map(NxAddr::new);
            let meant = local.map_or(Some(HbmAddr::new(*addr)), translated);
            let own = meant.and_then(|addr| subjects.at(addr.get(), *access));
            Fault {
                argument: own.map_or("", |own| own.name),
                tensor: own.map(Subject::described),
                local,
                ..at(Verdict::Misaligned, *access, first, Line::new(by(*access), site))
            }
        }
        DeviceFault::NullPointer { access, site } => {
            at(Verdict::NullPointer, *access, "null".to_owned(), Line::new(by(*access), site))
        }
        DeviceFault::NoWindow { access, local, site } => {
            let first = match local.band() {
                Band::Window(_) => format!("{local}, in a window"),
                band => format!("{local}, in {band}"),
            };
            let line = Line::new(by(*access), site);
            Fault { local: Some(*local), ..at(Verdict::NoWindow, *access, first, line) }
        }
        DeviceFault::NotInDataram { access, local, bytes, site } => {
            let first = format!("{local}, in {}, {bytes} bytes", local.band());
            let line = Line::new(by(*access), site);
            let path = Some(Path::Copy);
            Fault { local: Some(*local), path, ..at(Verdict::NotInDataram, *access, first, line) }
        }
        DeviceFault::OutsideTcm { access, local, bytes, pool, site } => {
            let first = format!("{local}, {bytes} bytes, of a pool of {pool} bytes at {}", Dataram::BASE);
            let line = Line::new(by(*access), site);
            Fault { local: Some(*local), ..at(Verdict::OutsideTcm, *access, first, line) }
        }
        DeviceFault::NoSuchCopy { copy, site } => {
            at(Verdict::NoSuchCopy, Access::Read, format!("copy {copy}"), Line::new(Part::Awaited, site))
        }
        DeviceFault::StreamEnded { access, argument, storage, len, closed, opened, site } => {
            let verdict = if *closed { Verdict::AfterClose } else { Verdict::PastTheStream };
            let of = subjects.named(argument, *storage);
            let mut fault = at(verdict, *access, format!("element {len}"), Line::new(by(*access), site));
            fault.lines.push(Line::new(Part::StreamOpened, opened));
            Fault { argument, tensor: of.map(Subject::described), path: Some(Path::Stream), ..fault }
        }
        // `Fault` may grow; this simulator is built with the device crate it reports.
        other => unreachable!("a fault this simulator does not know: {other:?}"),
    }
}

/// Something given back that is no block: was it one?
fn free(op: &'static str, addr: u64, error: FreeError, site: Site, subjects: Subjects<'_>) -> Fault {
    let mut lines = vec![Line::new(Part::Freed, site)];
    let freed = if error == FreeError::Free { subjects.freed(addr) } else { None };
    let own = freed.or_else(|| subjects.at(addr, Access::Write).filter(|own| own.freed.is_none()));
    let verdict = if freed.is_some() { Verdict::FreedTwice } else { Verdict::FreedNoBlock };
    lines.extend(freed.and_then(|own| own.freed).map(|site| Line::new(Part::Freed, site)));
    lines.extend(own.and_then(|own| own.allocated).map(|site| Line::new(Part::Allocated, site)));
    Fault { lines, ..Fault::new(op, verdict, Severity::Error).at(own, addr) }
}

fn out_of_bounds(op: &'static str, said: &OutOfBounds, subjects: Subjects<'_>) -> Fault {
    let part = if said.access == Access::Write { Part::Written } else { Part::Read };
    let sizes = said.sizes.as_slice().to_vec();
    let own = subjects.named(said.argument, said.storage);
    let same = own.filter(|own| own.layout.sizes() == sizes);
    let strides = same.map(|own| own.layout.strides().to_vec()).unwrap_or_default();
    let nearest = own
        .filter(|_| said.verdict == DeviceVerdict::PastTheEnd)
        .and_then(|own| subjects.other_at(own, said.addr.get(), said.access));
    let verdict = match said.verdict {
        DeviceVerdict::PastADimension => Verdict::PastADimension,
        DeviceVerdict::PastTheEnd if nearest.is_some() => Verdict::InAnotherTensor,
        DeviceVerdict::PastTheEnd => Verdict::PastTheEnd,
    };
    Fault {
        access: said.access,
        argument: said.argument,
        tensor: Some(Described { dtype: said.dtype, sizes, strides, in_sbuf: is_in_sbuf(said.storage) }),
        first: format!("{:?}", said.index),
        count: said.count,
        path: Some(match said.index {
            _ if said.copied => Path::Copy,
            Index::Flat(_) => Path::Elements,
            Index::Dims { .. } => Path::Accessor,
        }),
        address: Some(said.addr),
        lines: vec![Line::new(part, said.site)],
        nearest,
        ..Fault::new(op, verdict, Severity::Error)
    }
}
