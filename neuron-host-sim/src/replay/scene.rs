//! A launch that has run again and whose memory is not merged: everything a stop is made of.

use std::ops::Range;
use std::sync::{Arc, MutexGuard, PoisonError};

use neuron_device::{Access, Dtype, HbmAddr, Op};

use super::error::ReplayError;
use super::restore::Restored;
use crate::check::values::printed;
use crate::core::{Core, Plan};
use crate::fault::Fault;
use crate::hbm::Hbm;
use crate::hbm::allocation::Allocation;
use crate::launch::Target;
use crate::marshal::VALUE_BYTES;
use crate::subjects::{Subject, Subjects};
use crate::threads::locked;

/// The launch, its cores joined. Everybody still sees memory as it was before.
pub(super) struct Scene<'a> {
    pub(super) hbm: &'a Hbm,
    pub(super) plan: &'a Arc<Plan>,
    pub(super) cores: Vec<MutexGuard<'a, Core>>,
    pub(super) allocations: &'a [Arc<Allocation>],
    /// Where tensors begin; below is scratch.
    pub(super) tensors: u64,
    /// What its report holds against it.
    pub(super) faults: Vec<Fault>,
    /// Where the values of the launch are.
    values: HbmAddr,
}

impl Scene<'_> {
    /// Run the launch, and then `call`.
    pub(super) fn play<R>(
        op: &'static Op,
        restored: Restored,
        call: impl FnOnce(Scene<'_>) -> Result<R, ReplayError>,
    ) -> Result<R, ReplayError> {
        let Restored { mut sim, output, arguments } = restored;
        let arguments: Vec<_> = arguments.iter().map(Into::into).collect();
        let booted = sim.boot(Target::Op(op))?;
        let marshalled = sim.marshal(op, &arguments, Some(&output))?;
        let plan = Arc::new(sim.plan(booted, &marshalled));
        let _launching = sim.hbm.in_use.write().unwrap_or_else(PoisonError::into_inner);
        sim.threads.run(&plan);
        let mut cores: Vec<_> = sim.cores.iter().map(locked).collect();
        let (faults, _) = sim.judge(&plan, &marshalled.allocations, &mut cores, Vec::new());
        call(Scene {
            hbm: &sim.hbm,
            plan: &plan,
            cores,
            allocations: &marshalled.allocations,
            tensors: sim.tensors,
            faults,
            values: sim.values.start(),
        })
    }

    /// The tensors as this core knows them.
    pub(super) fn subjects(&self, core: u32) -> Subjects<'_> {
        Subjects { passed: &self.plan.subjects, made: &self.cores[core as usize].log.made }
    }

    /// The tensor with an element at `addr`.
    pub(super) fn subject_at(&self, core: u32, addr: u64, access: Access) -> Option<&Subject> {
        self.subjects(core).at(addr, access).filter(|subject| subject.element(addr).is_some())
    }

    /// The name and the index of what is at `addr`.
    pub(super) fn named(&self, core: u32, addr: u64, access: Access) -> (&'static str, String) {
        if let Some(subject) = self.subjects(core).at(addr, access) {
            return (subject.name, subject.words(addr));
        }
        match self.value_at(addr) {
            Some((name, _)) => (name, String::new()),
            None => ("", HbmAddr::new(addr).to_string()),
        }
    }

    /// The name and the dtype of the value argument at `addr`.
    fn value_at(&self, addr: u64) -> Option<(&'static str, Dtype)> {
        let position = usize::try_from(addr.checked_sub(self.values.get())? / VALUE_BYTES).ok()?;
        let parameter = self.plan.op.parameters().get(position)?;
        let value = self.plan.arguments[position].record.parse().ok()?;
        Some((parameter.name, value.dtype))
    }

    /// Did every one of these bytes hold a value before the launch?
    pub(super) fn held_before(&self, at: &Range<u64>) -> bool {
        match self.allocations.iter().find(|owner| owner.range().contains(&at.start)) {
            Some(owner) => owner.initialised().holds(at.start, at.end),
            // What lies above scratch are the values of the launch.
            None => at.start >= self.tensors,
        }
    }

    /// What was there before the launch; `None` if nothing.
    pub(super) fn before_launch(&self, core: u32, at: &Range<u64>, access: Access) -> Option<String> {
        self.held_before(at).then(|| {
            let mut bytes = vec![0; (at.end - at.start) as usize];
            self.hbm.read(HbmAddr::new(at.start), &mut bytes);
            self.printed(core, at.start, access, &bytes)
        })
    }

    /// What the bytes at `addr` are, as Rust prints it.
    pub(super) fn printed(&self, core: u32, addr: u64, access: Access, bytes: &[u8]) -> String {
        let tensor = self.subjects(core).at(addr, access).map(|subject| subject.dtype);
        let dtype = tensor.or_else(|| self.value_at(addr).map(|(_, dtype)| dtype));
        let dtype = dtype.filter(|dtype| dtype.size() == bytes.len() as u64);
        let value = printed(dtype, bytes);
        if value == "NaN" {
            let digits: String = bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect();
            return format!("NaN (0x{digits})");
        }
        value
    }
}
