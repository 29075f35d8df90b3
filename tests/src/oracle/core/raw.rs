//! Accesses by pointer and by local address, and what is wrong with them.

use std::format;
use std::string::ToString;
use std::vec::Vec;

use neuron_device::{Access, Band, Dtype, HbmAddr, NxAddr};
use neuron_host_sim::{Part, Severity, Verdict};

use super::{Core, poison};
use crate::oracle::finding::Finding;
use crate::oracle::known::{Known, Role, owner};
use crate::oracle::program::{Act, Step};
use crate::oracle::windows::Since;

impl Core<'_> {
    pub(super) fn by_pointer(&mut self, step: &Step, nth: i32, tensor: &Known) {
        let (access, part) = raw_access(step);
        let size = tensor.size();
        if tensor.is_empty() {
            self.find(Finding {
                first: "null".into(),
                ..Finding::new(Verdict::NullPointer, access, &[(part, step.line)])
            });
            return self.poisoned(access, tensor.dtype);
        }
        let distance = i64::from(step.index[0]) + i64::from(nth) * i64::from(step.step);
        let first = tensor.storage + tensor.offset * size;
        let addr = first.wrapping_add_signed(distance * size as i64);
        // A view the kernel made has the name of what it is a view of.
        let (name, storage) = (tensor.name, tensor.storage);
        let own = self.all().find(|known| (known.name, known.storage) == (name, storage)).cloned();
        self.raw(step, nth, tensor.dtype, addr, own.as_ref(), &[]);
    }

    pub(super) fn by_bare_pointer(&mut self, step: &Step, nth: i32, tensor: &Known) {
        let dtype = Step::dtype(step.axis);
        let (access, part) = raw_access(step);
        let distance = i64::from(step.index[0]) + i64::from(nth) * i64::from(step.step);
        let addr = tensor.storage.wrapping_add_signed(distance);
        let own = owner(self.all(), addr, access).cloned();
        if addr % dtype.size() != 0 {
            self.find(Finding {
                first: format!("{addr:#x}, no multiple of {}", dtype.size()),
                ..of(own.as_ref(), Finding::new(Verdict::Misaligned, access, &[(part, step.line)]))
            });
            return self.poisoned(access, dtype);
        }
        self.raw(step, nth, dtype, addr, own.as_ref(), &[]);
    }

    pub(super) fn by_local(&mut self, step: &Step, nth: i32) {
        let dtype = Step::dtype(step.axis);
        let (access, part) = raw_access(step);
        let distance = step.index[0] + nth * step.step;
        let local = self.locals[step.handle as usize].wrapping_add_signed(distance);
        if !u64::from(local).is_multiple_of(dtype.size()) {
            let meant = self.windows.origin(local).map(|(given, _)| given.addr);
            let own = meant.and_then(|addr| owner(self.all(), addr, access)).cloned();
            self.find(Finding {
                first: format!("{local:#x}, no multiple of {}", dtype.size()),
                ..of(own.as_ref(), Finding::new(Verdict::Misaligned, access, &[(part, step.line)]))
            });
            return self.poisoned(access, dtype);
        }
        let name = NxAddr::new(local).to_string();
        let Some(addr) = self.windows.shown_at(local).filter(|addr| self.world.hbm.contains(addr)) else {
            let found = Finding::new(Verdict::NoWindow, access, &[(part, step.line)]);
            let first = match NxAddr::new(local).band() {
                Band::Window(_) => format!("{name}, in a window"),
                band => format!("{name}, in {band}"),
            };
            self.find(Finding { first, ..found });
            return self.poisoned(access, dtype);
        };
        let origin = self.windows.origin(local);
        let own = owner(self.all(), origin.map_or(addr, |(given, _)| given.addr), access).cloned();
        let mut old = None;
        if let Some((given, since)) = origin {
            let (verdict, severity, last) = match since {
                Since::Nothing => (None, Severity::Error, (Part::Translated, 0)),
                Since::Given(line) => {
                    (Some(Verdict::UsedAfterTranslation), Severity::Warning, (Part::Translated, line))
                }
                Since::Mapped(line) => {
                    (Some(Verdict::UsedAfterRemap), Severity::Error, (Part::Remapped, line))
                }
            };
            old = verdict.map(|verdict| Finding {
                severity,
                first: name,
                address: Some(addr),
                ..of(
                    own.as_ref(),
                    Finding::new(verdict, access, &[(part, step.line), (Part::Translated, given.line), last]),
                )
            });
        }
        let old: Vec<Finding> = old.into_iter().collect();
        self.raw(step, nth, dtype, addr, own.as_ref(), &old);
    }

    /// An access by pointer or local address, with what is wrong with it already, for a tensor.
    fn raw(&mut self, step: &Step, nth: i32, dtype: Dtype, addr: u64, own: Option<&Known>, old: &[Finding]) {
        let (access, _) = raw_access(step);
        let mut findings = old.to_vec();
        let remapped = findings.iter().any(|finding| finding.verdict == Verdict::UsedAfterRemap);
        // Where an address leads whose window shows something else is luck.
        if !remapped {
            findings.extend(self.bounds(step, dtype, addr, own));
        }
        let lands = findings.iter().all(|finding| match finding.verdict {
            Verdict::UsedAfterRemap => access == Access::Read,
            Verdict::InputWritten | Verdict::UsedAfterTranslation => true,
            _ => false,
        });
        findings.into_iter().for_each(|finding| self.find(finding));
        if !lands {
            return self.poisoned(access, dtype);
        }
        let local = matches!(step.act(), Act::LoadLocal | Act::StoreLocal);
        let to = self.written(step, nth);
        match (access, local) {
            (Access::Read, false) => self.last = self.load(addr, dtype.size(), step.line),
            (Access::Read, true) => self.last = self.load_mapped(addr, dtype.size(), step.line),
            (Access::Write, false) => self.store(addr, dtype.size(), to, step.line),
            (Access::Write, true) => self.store_mapped(addr, dtype.size(), to, step.line),
        }
    }

    /// What is wrong with the place of a raw access.
    fn bounds(&self, step: &Step, dtype: Dtype, addr: u64, own: Option<&Known>) -> Option<Finding> {
        let (access, part) = raw_access(step);
        let lines = [(part, step.line)];
        let Some(own) = own else {
            let found = Finding::new(Verdict::InNoTensor, access, &lines);
            return Some(Finding { first: HbmAddr::new(addr).to_string(), address: Some(addr), ..found });
        };
        let [start, end] = own.reach();
        let at_element = own.element(addr).is_some();
        let inside = at_element && dtype.size() == own.size();
        let beside = !(start..end).contains(&addr);
        let nearest = if beside { self.other_at(own, addr, access) } else { None };
        let verdict = match (inside, own.role) {
            // By a pointer of either, where the argument is the output too.
            (true, Role::Argument)
                if access == Access::Write && self.world.output().element(addr).is_none() =>
            {
                Verdict::InputWritten
            }
            (true, _) => return None,
            (false, _) if at_element => Verdict::OtherWidth,
            (false, _) if nearest.is_some() => Verdict::InAnotherTensor,
            (false, _) if addr < start => Verdict::BeforeTheStart,
            (false, _) if addr >= end => Verdict::PastTheEnd,
            (false, _) => Verdict::InAGap,
        };
        Some(Finding {
            argument: own.name.into(),
            tensor: Some((own.dtype, own.sizes.clone())),
            first: own.words(addr),
            width: (verdict == Verdict::OtherWidth).then(|| dtype.size()),
            address: Some(addr),
            nearest: if verdict == Verdict::InAnotherTensor { nearest } else { None },
            ..Finding::new(verdict, access, &lines)
        })
    }

    fn poisoned(&mut self, access: Access, dtype: Dtype) {
        if access == Access::Read {
            self.last = poison(dtype);
        }
    }
}

/// The finding, about this tensor, if there is one.
fn of(tensor: Option<&Known>, finding: Finding) -> Finding {
    Finding {
        argument: tensor.map_or("", |tensor| tensor.name).into(),
        tensor: tensor.map(|tensor| (tensor.dtype, tensor.sizes.clone())),
        ..finding
    }
}

/// What a step that takes an address into its own hands does.
fn raw_access(step: &Step) -> (Access, Part) {
    match step.act() {
        Act::StorePointer | Act::StoreBare | Act::StoreLocal => (Access::Write, Part::Written),
        _ => (Access::Read, Part::Read),
    }
}
