//! From a place in words to one a core can be stopped at.

use std::ops::Range;

use neuron_device::Access;

use super::error::ReplayError;
use super::scene::Scene;
use super::until::Until;
use crate::check::{contended, suspects};
use crate::core::watch::Target;
use crate::fault::{Fault, Verdict};
use crate::subjects::Subject;

/// Which core is watched, and up to where.
#[derive(Debug)]
pub(super) struct Ask {
    pub(super) core: u32,
    pub(super) target: Target,
    /// The element whose history is told, where it is known already.
    pub(super) element: Option<Range<u64>>,
    /// The fault that is the place, if it is known already.
    pub(super) fault: Option<Fault>,
}

impl Scene<'_> {
    /// The place `until`, of this core or of the one that fits best.
    pub(super) fn ask(&self, core: Option<u32>, until: &Until) -> Result<Ask, ReplayError> {
        let cores = self.cores.len() as u32;
        if let Some(core) = core.filter(|&core| core >= cores) {
            return Err(ReplayError::NoCore { core, cores });
        }
        match until {
            Until::Fault(which) => self.ask_fault(core, *which),
            Until::End => {
                let core = core.or(self.first_faulty()).unwrap_or(0);
                Ok(Ask { core, target: Target::End, element: None, fault: None })
            }
            Until::Access { access, tensor, index, nth } => {
                self.ask_access(core, *access, (tensor, index), *nth)
            }
        }
    }

    fn first_faulty(&self) -> Option<u32> {
        self.faults.iter().find_map(|fault| fault.cores.first().copied())
    }

    fn ask_fault(&self, core: Option<u32>, which: Option<usize>) -> Result<Ask, ReplayError> {
        let none = |text: String| Err(ReplayError::NoFault(text));
        let found = match which {
            Some(which) => self.faults.get(which - 1),
            None => self.faults.iter().find(|fault| core.is_none_or(|core| fault.cores.contains(&core))),
        };
        let count = self.faults.len();
        let (fault, core) = match (found, core) {
            (Some(fault), Some(core)) if !fault.cores.contains(&core) => {
                let number = which.unwrap_or(1);
                return none(format!("fault {number} is not of core {core}, but of {:?}", fault.cores));
            }
            (Some(fault), core) => (fault, core.or(fault.cores.first().copied()).unwrap_or(0)),
            (None, _) if count == 0 => {
                return none(
                    "the launch has no fault: stop at an access, as in write:out[0], or at the end"
                        .to_owned(),
                );
            }
            (None, Some(core)) if which.is_none() => {
                return none(format!(
                    "core {core} has no fault, others have: stop it at an access, or at its end"
                ));
            }
            (None, _) => return none(format!("the launch has {count} faults, counted from 1")),
        };
        let first = fault.address.and_then(|addr| self.element_at(core, addr.get(), fault.access));
        let logs: Vec<_> = self.cores.iter().map(|core| &core.log).collect();
        let log = logs[core as usize];
        let (lines, contended) = (fault.lines.clone(), contended(&logs));
        let (target, element) = match fault.verdict {
            Verdict::WrittenBySeveralCores | Verdict::WrittenAndRead => {
                // The element the report shows, if this core is one of those that met there.
                let shown = first.filter(|first| {
                    log.shadow.reads().meets(first.start, first.end) || log.wrote(first.start, first.end)
                });
                let mut bytes = contended;
                if let Some(shown) = &shown {
                    bytes = Default::default();
                    bytes.insert(shown.start, shown.end);
                }
                (Target::Touch { lines, bytes, unwritten: false }, shown)
            }
            Verdict::NeverInitialised => {
                let bytes = suspects(log, self.tensors, self.allocations, &contended);
                (Target::Touch { lines, bytes, unwritten: true }, None)
            }
            Verdict::NeverWritten | Verdict::MoodsDiffer => (Target::End, first),
            _ => (Target::Fault(Box::new(fault.clone())), None),
        };
        let known = !matches!(target, Target::Fault(_));
        Ok(Ask { core, target, element, fault: known.then(|| fault.clone()) })
    }

    fn ask_access(
        &self,
        core: Option<u32>,
        access: Access,
        (name, index): (&str, &[u64]),
        nth: u64,
    ) -> Result<Ask, ReplayError> {
        let of_core = |core| self.tensor(core, name).and_then(|tensor| element(tensor, name, index));
        let makes = |core: u32| {
            let log = &self.cores[core as usize].log;
            of_core(core).is_ok_and(|at| match access {
                Access::Write => log.wrote(at.start, at.end),
                Access::Read => log.shadow.reads().meets(at.start, at.end),
            })
        };
        let candidates = || self.first_faulty().into_iter().chain(0..self.cores.len() as u32);
        let core = core.or_else(|| candidates().find(|&core| makes(core)));
        let core = core.or(self.first_faulty()).unwrap_or(0);
        let bytes = of_core(core)?;
        let target = Target::Access { access, bytes: bytes.clone(), nth };
        Ok(Ask { core, target, element: Some(bytes), fault: None })
    }

    /// The tensor this core calls so.
    fn tensor(&self, core: u32, name: &str) -> Result<&Subject, ReplayError> {
        let named = || {
            let passed = self.plan.subjects.iter().map(|subject| (subject.name.to_owned(), subject));
            let made = self.cores[core as usize].log.made.iter().enumerate();
            passed.chain(made.map(|(at, subject)| {
                let number = if at == 0 { String::new() } else { (at + 1).to_string() };
                (format!("{}{number}", subject.name), subject)
            }))
        };
        let found = named().find(|(known, _)| known == name);
        found.map(|(_, subject)| subject).ok_or_else(|| ReplayError::NoTensor {
            name: name.to_owned(),
            known: named().map(|(known, _)| known).collect(),
        })
    }

    /// The bytes of the element at `addr`.
    pub(super) fn element_at(&self, core: u32, addr: u64, access: Access) -> Option<Range<u64>> {
        let subject = self.subject_at(core, addr, access)?;
        let start = addr - (addr - subject.storage.get()) % subject.dtype.size();
        Some(start..start + subject.dtype.size())
    }
}

/// The bytes of the element with this index.
fn element(tensor: &Subject, name: &str, index: &[u64]) -> Result<Range<u64>, ReplayError> {
    let sizes = tensor.layout.sizes();
    let flat = match index {
        [flat] if sizes.len() != 1 || *flat < tensor.layout.numel() => Some(*flat),
        index if index.len() == sizes.len() => {
            let inside = index.iter().zip(sizes).all(|(&at, &size)| at < u64::from(size));
            inside.then(|| index.iter().zip(sizes).fold(0, |flat, (&at, &size)| flat * u64::from(size) + at))
        }
        _ => None,
    };
    let flat = flat.filter(|&flat| flat < tensor.layout.numel()).ok_or_else(|| ReplayError::NoElement {
        name: name.to_owned(),
        index: index.iter().map(u64::to_string).collect::<Vec<_>>().join(", "),
        sizes: sizes.to_vec(),
    })?;
    let start = tensor.address(flat);
    Ok(start..start + tensor.dtype.size())
}
