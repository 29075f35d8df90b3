//! What a core asks of the other machine it is on, if it is on one.

use neuron_device::{Access, Copied, DmaRing, HbmAddr, Run};

use super::super::Core;
use super::super::tcm::Accesses;
use crate::fault::{Fault, Line, Part, Path, Severity, Verdict};
use crate::subjects::Subjects;

impl Core {
    /// How many descriptor pairs were moved.
    pub(in crate::core) fn moved(&self) -> u64 {
        self.elsewhere.as_ref().map_or(self.engine.completed(), |elsewhere| elsewhere.completed)
    }

    /// Have the other machine's engine move what is posted, up to pair number `end`. Is there one?
    pub(in crate::core) fn move_elsewhere(&mut self, ring: &DmaRing, end: u64) -> bool {
        let Some(mut elsewhere) = self.elsewhere.take() else { return false };
        elsewhere.run(ring, end, &self.memory, &|addr, bytes| self.native(addr, bytes));
        self.elsewhere = Some(elsewhere);
        true
    }

    /// On the other machine copies that are done are seen from here on; when the op is over, `all` are.
    pub(in crate::core) fn see_arrivals(&mut self, all: bool) {
        let Some(mut elsewhere) = self.elsewhere.take() else { return };
        elsewhere.fence(all, &|addr, bytes| self.native(addr, bytes));
        self.elsewhere = Some(elsewhere);
    }

    /// These accesses, each as it is made, meet copies that are not seen yet.
    pub(in crate::core) fn add_not_yet_visible(&mut self, accesses: &Accesses) {
        let (Some(plan), Some(elsewhere)) = (&self.plan, &self.elsewhere) else { return };
        let subjects = Subjects { passed: &plan.subjects, made: &self.log.made };
        let fault = elsewhere.not_yet_visible(plan.op.name(), accesses, subjects);
        // As of what meets a copy under way.
        fault.into_iter().for_each(|fault| _ = self.note(fault));
    }

    /// A copy by DMA is about to be made: what it does on the other machine and not here.
    pub(in crate::core) fn copied_elsewhere(&mut self, copy: &Copied) {
        let (Some(plan), Some(elsewhere)) = (self.plan.clone(), &self.elsewhere) else { return };
        if copy.descriptors == 0 {
            return self.add_not_yet_visible(&Accesses::of_copy(copy));
        }
        let op = plan.op.name();
        let cached = elsewhere.cache.as_ref();
        let fault = cached.and_then(|cache| cache.judge(op, copy, &self.memory, |at| elsewhere.is_free(at)));
        let granule = plan.what_if.dma_granule.filter(|_| copy.hbm.access == Access::Write);
        fault.into_iter().for_each(|fault| _ = self.note(fault));
        granule.into_iter().for_each(|granule| self.written_along(op, copy, granule.into()));
    }

    /// What each piece of a copy to HBM takes along at its end is written too.
    fn written_along(&mut self, op: &'static str, copy: &Copied, granule: u64) {
        let Some(plan) = self.plan.clone() else { return };
        let mut told = false;
        for piece in 0..copy.hbm.count {
            let start = copy.hbm.start.get().wrapping_add_signed(copy.hbm.step.wrapping_mul(piece as i64));
            let end = start + copy.hbm.bytes;
            let along = end.next_multiple_of(granule) - end;
            if along == 0 || self.view.native(HbmAddr::new(end), along).is_none() {
                continue;
            }
            if !std::mem::replace(&mut told, true) {
                let subjects = Subjects { passed: &plan.subjects, made: &self.log.made };
                let last = subjects.at(end - 1, Access::Write);
                let fault = Fault {
                    access: Access::Write,
                    path: Some(Path::Copy),
                    lines: vec![Line::new(Part::Written, copy.hbm.site)],
                    ..Fault::new(op, Verdict::TransferSpilled, Severity::Error).at(last, end - 1)
                };
                let first = format!("{along} bytes behind {}", fault.first);
                let _ = self.note(Fault { first, ..fault });
            }
            let site = copy.hbm.site;
            let start = HbmAddr::new(end);
            self.note_run(&Run { access: Access::Write, start, step: 1, count: along, bytes: 1, site });
        }
        self.log.shadow.settle();
    }
}
